"""The locks of this computer's jobs: a guard the kernel answers for, and records of who holds it."""

import os
from collections.abc import Callable, Sequence
from datetime import datetime

from ridgeline_desktop import private_files
from ridgeline_desktop.core.errors import LockMoved, NotCleared, RidgelineError, UnknownJob
from ridgeline_desktop.core.locks import (
    GuardState,
    Liveness,
    LockEvidence,
    ProcessFinding,
    ProcessIdentity,
    VerdictKind,
    judge,
)
from ridgeline_desktop.core.values import replace
from ridgeline_desktop.host import guards, lock_records
from ridgeline_desktop.host.folders import make_private
from ridgeline_desktop.host.guards import GuardAnswer
from ridgeline_desktop.host.lock_records import ChildRecord, RunnerRecord, Unreadable
from ridgeline_desktop.host.machine import on_local_disk
from ridgeline_desktop.host.processes import LinuxProcesses

LOOKS = 5
STATE_ID = "state-id"
MOST_TELLING = (VerdictKind.HELD, VerdictKind.CANNOT_TELL, VerdictKind.DEAD, VerdictKind.FREE)
ENDED = (Liveness.GONE, Liveness.REUSED, Liveness.EXITED)


class HeldFileLock:
    """A job's lock, held by this process. `cleared` is the evidence of dead locks removed on the way."""

    def __init__(
        self,
        *,
        folder: str,
        record: RunnerRecord,
        guard_fd: int,
        cleared: tuple[LockEvidence, ...],
        processes: LinuxProcesses,
    ) -> None:
        self.fence = record.fence
        self.guard_fd = guard_fd
        self.cleared = cleared
        self._folder = folder
        self._record = record
        self._processes = processes

    def publish(self) -> None:
        """Put the runner's record on disk, whole. LockMoved where another run's appeared meanwhile."""
        if not lock_records.publish_folder(self._folder, self._record):
            raise LockMoved(f"{self._folder} holds another run's record: the guard was not respected")

    def publish_child(self, pid: int, command: Sequence[str]) -> None:
        """Put the identity of the job's process on disk, before its program starts."""
        identity = self._processes.identity(pid)
        if identity is None:
            raise ProcessLookupError(f"process {pid} is gone before its program started")
        # Only a session of its own: everybody in a shared one would count as left over from this run.
        session = pid if os.getsid(pid) == pid else 0
        run_id = self._record.run_id
        record = ChildRecord(run_id=run_id, pid=pid, start=identity.start, session=session)
        lock_records.publish_child(
            self._folder, record, process_group=os.getpgid(pid), command=tuple(command)
        )

    def withdraw_child(self) -> None:
        """Take the job's identity back: its program did not start."""
        lock_records.remove_file(os.path.join(self._folder, lock_records.child_name(self._record.run_id)))

    def release(self) -> None:
        """Remove this run's own names only, and free the guard; a second time does nothing."""
        if self.guard_fd < 0:
            return
        try:
            lock_records.remove_run(self._folder, self._record.run_id)
        finally:
            guards.let_go(self.guard_fd)
            self.guard_fd = -1


class FileLocks:
    """The locks kept in `folder`: `JOB.guard`, `JOB.lock/RUN_ID.json`, `JOB.lock/RUN_ID.child`."""

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        processes: LinuxProcesses | None = None,
        is_local: Callable[[str], bool] = on_local_disk,
    ) -> None:
        self._folder = os.fspath(folder)
        self._processes = processes or LinuxProcesses()
        self._is_local = is_local

    def inspect(self, job_id: str) -> LockEvidence:
        """The facts about a job's lock; looking never writes."""
        return _most_telling(self._look(job_id, guards.probe(self._path(job_id, "guard"))))

    def acquire(
        self, job_id: str, *, run_id: str, trigger: str, started_at: datetime, least_fence: int, settle: bool
    ) -> HeldFileLock | LockEvidence:
        """Take the lock, or give the evidence that stands in the way. OSError where the disk refuses."""
        if not lock_records.is_safe_name(run_id):
            raise RidgelineError(f'"{run_id}" cannot be the id of a run')
        make_private(self._folder)
        guard = guards.take(self._path(job_id, "guard"))
        if guard.fd < 0:
            return _most_telling(self._look(job_id, guard))
        try:
            cleared = self._settle(job_id, guard, settle=settle)
            if isinstance(cleared, LockEvidence):
                guards.let_go(guard.fd)
                return cleared
            fence = max(guards.read_counter(guard.fd) + 1, least_fence)
            guards.write_counter(guard.fd, fence)
            record = self._record(
                run_id=run_id, job_id=job_id, fence=fence, trigger=trigger, started_at=started_at
            )
        except BaseException:
            guards.let_go(guard.fd)
            raise
        return HeldFileLock(
            folder=self._path(job_id, "lock"),
            record=record,
            guard_fd=guard.fd,
            cleared=cleared,
            processes=self._processes,
        )

    def clear(self, job_id: str, *, run_id: str, force: bool = False) -> LockEvidence:
        """Clear a lock that is still `run_id`'s and DEAD; give the evidence. LockMoved or NotCleared if not.

        With `force`, death need not be proven; a guard that somebody holds is respected even then. What
        names no run at all is left to a person.
        """
        make_private(self._folder)
        guard = guards.take(self._path(job_id, "guard"))
        if guard.fd < 0:
            raise _not_cleared(_most_telling(self._look(job_id, guard)))
        try:
            looked = [each for each in self._look(job_id, guard) if each.has_record]
            if looked and not looked[0].run_id:
                raise self._unnamed(looked[0])
            found = [each for each in looked if each.run_id == run_id]
            if not found or not lock_records.is_safe_name(run_id):
                raise LockMoved(
                    f'The lock of "{job_id}" is not run {run_id}\'s (any more); nothing was removed. '
                    f"Look again: ridgeline lock show {job_id}"
                )
            if judge(found[0]).kind is not VerdictKind.DEAD and not force:
                raise _not_cleared(found[0])
            lock_records.remove_run(self._path(job_id, "lock"), run_id)
        finally:
            guards.let_go(guard.fd)
        return found[0]

    def _unnamed(self, evidence: LockEvidence) -> NotCleared:
        folder = self._path(evidence.job_id, "lock")
        return NotCleared(
            f'The lock of "{evidence.job_id}" stays, since it names no run: {evidence.record_detail}. '
            f"Look at it, make sure that no run of this job is alive, and then remove {folder} by hand"
        )

    def _settle(
        self, job_id: str, guard: GuardAnswer, *, settle: bool
    ) -> tuple[LockEvidence, ...] | LockEvidence:
        """What dead runs left, removed; or the evidence that keeps the lock from being taken."""
        found = self._look(job_id, guard)
        worst = _most_telling(found)
        kind = judge(worst).kind
        if kind is VerdictKind.FREE:
            return ()
        if kind is not VerdictKind.DEAD or not settle:
            return worst
        for each in found:
            lock_records.remove_run(self._path(job_id, "lock"), each.run_id)
        return found

    def _look(self, job_id: str, guard: GuardAnswer) -> tuple[LockEvidence, ...]:
        """The evidence of every run that left a record, or one that says there is none."""
        bare = LockEvidence(
            job_id=job_id,
            guard=guard.state,
            guard_detail=guard.detail,
            local_disk=self._is_local(self._folder),
            locks_work=guard.fd < 0 or guards.excludes(self._path(job_id, "guard")),
        )
        folder = self._path(job_id, "lock")
        for _ in range(LOOKS):
            runs = lock_records.recorded_runs(folder)
            if isinstance(runs, Unreadable):
                return (replace(bare, has_record=True, record_readable=False, record_detail=runs.reason),)
            read = [(run_id, lock_records.read_runner(folder, run_id)) for run_id in runs]
            if all(record is not None for _, record in read):
                break  # else a run ended while we looked
        found = tuple(self._of_run(bare, run_id, record) for run_id, record in read)
        return tuple(self._named(each) for each in found or (bare,))

    def _of_run(
        self, bare: LockEvidence, run_id: str, record: RunnerRecord | Unreadable | None
    ) -> LockEvidence:
        bare = replace(bare, has_record=True, run_id=run_id)
        if record is None:
            record = Unreadable(reason=f"{lock_records.runner_name(run_id)} is missing")
        elif isinstance(record, RunnerRecord) and record.job_id != bare.job_id:
            record = Unreadable(reason=f"it speaks of job {record.job_id}")
        if isinstance(record, Unreadable):
            return replace(bare, record_readable=False, record_detail=record.reason)
        here = self._processes.machine
        same_boot = record.boot_id == here.boot_id
        # The boot id is this very kernel's: where there is no machine id on either side it says as much.
        same_machine = record.machine_id == here.machine_id and (here.machine_id != "" or same_boot)
        evidence = replace(
            bare,
            recorded_host=record.host,
            machine_named=same_boot or (record.machine_id, here.machine_id) != ("", ""),
            same_machine=same_machine and "" not in (record.boot_id, here.boot_id),
            same_state_folder=record.state_id == self._state_id() != "",
            same_boot=same_boot,
            same_pid_namespace=record.pid_namespace == here.pid_namespace,
            started_at=record.started_at,
            trigger=record.trigger,
        )
        if evidence.same_machine and same_boot and evidence.same_pid_namespace:
            return self._with_processes(evidence, record)
        return evidence

    def _with_processes(self, evidence: LockEvidence, record: RunnerRecord) -> LockEvidence:
        """The runner first: once it is dead it writes no more, and only then is the child's record final."""
        runner = self._processes.examine(_identity(record, record.pid, record.start))
        found = lock_records.read_child(self._path(record.job_id, "lock"), record.run_id)
        child: ProcessFinding | None = None
        session = 0
        if isinstance(found, ChildRecord):
            child = self._processes.examine(_identity(record, found.pid, found.start))
            session = 0 if child.liveness is Liveness.REUSED else found.session
        evidence = replace(
            evidence,
            runner=runner,
            child_recorded=found is not None,
            child_readable=not isinstance(found, Unreadable),
            child=child,
        )
        if runner.liveness not in ENDED:
            return evidence
        survivors = self._processes.survivors(session=session, run_id=record.run_id, exclude=(os.getpid(),))
        return replace(evidence, survivors=survivors or (), survivors_readable=survivors is not None)

    def _named(self, evidence: LockEvidence) -> LockEvidence:
        """The same; where the guard is held and no record says by whom, with the processes that hold it."""
        known = any(each and each.liveness is Liveness.ALIVE for each in (evidence.runner, evidence.child))
        if evidence.guard is not GuardState.HELD or known or evidence.survivors:
            return evidence
        try:
            file = os.lstat(self._path(evidence.job_id, "guard"))
        except OSError:
            return evidence
        return replace(evidence, survivors=self._processes.lock_holders(file.st_dev, file.st_ino))

    def _record(
        self, *, run_id: str, job_id: str, fence: int, trigger: str, started_at: datetime
    ) -> RunnerRecord:
        me = self._processes.identity(os.getpid())
        if me is None:
            raise RidgelineError(
                "This process cannot see itself under /proc, so no lock would prove anything."
            )
        return RunnerRecord(
            run_id=run_id,
            job_id=job_id,
            fence=fence,
            trigger=trigger,
            started_at=started_at.isoformat(timespec="seconds"),
            machine_id=me.machine_id,
            state_id=self._state_id() or self._new_state_id(),
            boot_id=me.boot_id,
            pid_namespace=me.pid_namespace,
            time_namespace=me.time_namespace,
            host=self._processes.machine.host,
            user=self._processes.machine.user,
            pid=me.pid,
            start=me.start,
        )

    def _state_id(self) -> str:
        """The id of this folder, which a copy on another computer shares only together with its records."""
        try:
            with open(os.path.join(self._folder, STATE_ID), encoding="ascii", errors="replace") as file:
                return file.read(64).strip()
        except OSError:
            return ""

    def _new_state_id(self) -> str:
        path = os.path.join(self._folder, STATE_ID)
        prepared = f"{path}.{os.getpid()}"
        descriptor = private_files.open_file(prepared, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        with open(descriptor, "w", encoding="ascii") as file:
            file.write(os.urandom(16).hex())
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(prepared, path)
        except FileExistsError:
            pass  # another job's first run was quicker: its id counts
        finally:
            os.unlink(prepared)
        return self._state_id()

    def _path(self, job_id: str, kind: str) -> str:
        if not lock_records.is_safe_name(job_id):
            raise UnknownJob(f'"{job_id}" cannot be the id of a job')
        return os.path.join(self._folder, f"{job_id}.{kind}")


def _identity(record: RunnerRecord, pid: int, start: str) -> ProcessIdentity:
    return ProcessIdentity(
        machine_id=record.machine_id,
        boot_id=record.boot_id,
        pid_namespace=record.pid_namespace,
        time_namespace=record.time_namespace,
        pid=pid,
        start=start,
    )


def _most_telling(found: tuple[LockEvidence, ...]) -> LockEvidence:
    return min(found, key=lambda evidence: MOST_TELLING.index(judge(evidence).kind))


def _not_cleared(evidence: LockEvidence) -> NotCleared:
    return NotCleared(f'The lock of "{evidence.job_id}" stays: {judge(evidence).sentence}.')
