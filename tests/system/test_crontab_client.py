"""CronBackend on the real crontab command of Debian, with crontabs that are nobody's."""

import stat
from datetime import UTC, datetime

import cron_lab
import pytest
from shop_entries import MONDAYS, TORONTO, SteppedClock, entry

from ridgeline_desktop.backends.cron import CronBackend
from ridgeline_desktop.backends.crontab_text import BEGIN, END
from ridgeline_desktop.core.errors import BackendError, NotAllowed

pytestmark = pytest.mark.system

FOREIGN = (
    b'MAILTO=""\n'
    b"FOO = 'x y'\n### x\n#0 2 * * * prose\n#\xa0\nX=\xa0\n# caf\xe9\n# caf\xc3\xa9\n\t5\t*  * * *\ttabs  \n"
    b"0 0 1-7 * */7 first sunday\n0 6 * * * mail%Dear all,%%bye\n0 6 * * * date +\\%F\n# twice\n# twice\n\n"
    b"0 0 * * 5#2 x\n0 7 * * * " + b"x" * 980 + b"\nLONG=" + b"y" * 2000 + b"\n# the end"
)


@pytest.fixture
def clock():
    return SteppedClock()


@pytest.fixture
def backend_of(lab, clock, tmp_path):
    def build(crontab: str) -> CronBackend:
        return CronBackend(
            crontab=crontab,
            lock_path=tmp_path / "state" / "crontab.lock",
            backup_folder=tmp_path / "state" / "backups",
            clock=clock,
            system_zone=TORONTO,
            pause=clock.pause,
        )

    return build


@pytest.fixture
def backend(lab, backend_of):
    return backend_of(lab.crontab)


@pytest.fixture
def wrapped(lab, backend_of, tmp_path):
    """A backend whose client first does `text`; in it "$calls" counts the calls and real is the real one."""

    def build(text: str) -> CronBackend:
        command, calls = tmp_path / "wrapped", tmp_path / "calls"
        command.write_text(
            f'#!/bin/sh\nreal() {{ {lab.crontab} "$@"; }}\necho "$1" >> {calls}\n'
            f'calls=$(grep -c -e "^$1" {calls})\n{text}\nreal "$@"\n',
            encoding="utf-8",
        )
        command.chmod(0o755)
        return backend_of(str(command))

    return build


def backups(tmp_path):
    return sorted((tmp_path / "state" / "backups").iterdir())


def test_foreign_lines_survive_the_real_client_byte_for_byte(lab, backend):
    lab.install(FOREIGN)
    backend.apply([entry("order-sync"), entry("weekly-report", MONDAYS)])
    backend.apply([entry("order-sync", MONDAYS)])
    assert lab.listed().startswith(BEGIN)
    assert lab.listed().endswith(END + b"\n" + FOREIGN + b"\n")
    backend.remove(["order-sync", "weekly-report"])
    assert lab.listed() == FOREIGN + b"\n"


def test_a_table_with_carriage_returns_is_left_as_it_is(lab, backend):
    lab.install(b"# made on Windows\r\n0 1 * * * x\r\n")
    before = lab.run("cat", "/var/spool/cron/crontabs/root").stdout
    with pytest.raises(BackendError, match="line 1 of the crontab"):
        backend.apply([entry("order-sync")])
    assert lab.run("cat", "/var/spool/cron/crontabs/root").stdout == before


def test_nothing_is_installed_and_kept_when_all_is_as_wanted(lab, backend, tmp_path):
    backend.apply([entry("order-sync")])
    installed = lab.run("stat", "-c", "%Y.%Z %i", "/var/spool/cron/crontabs/root").stdout
    backend.apply([entry("order-sync")])
    backend.remove(["never-there"])
    assert lab.run("stat", "-c", "%Y.%Z %i", "/var/spool/cron/crontabs/root").stdout == installed
    assert len(backups(tmp_path)) == 1


def test_two_installs_are_kept_more_than_a_second_apart(lab, backend, clock):
    backend.apply([entry("order-sync")])
    assert clock.pauses == []
    backend.apply([entry("weekly-report", MONDAYS)])
    assert clock.pauses == [pytest.approx(1.05)]
    clock.pause(3)
    backend.remove(["order-sync"])
    assert clock.pauses[1:] == [3]
    assert [found.name for found in backend.read_back()] == ["weekly-report"]


def test_the_bytes_before_each_change_are_kept_for_their_owner_alone_the_newest_twenty(
    lab, backend, clock, tmp_path
):
    lab.install(b"# mine\n")
    for number in range(22):
        backend.apply([entry(f"job-{number}")])
        if number == 0:
            assert [path.read_bytes() for path in backups(tmp_path)] == [b"# mine\n"]
        clock.pause(60)
    kept = backups(tmp_path)
    assert len(kept) == 20
    assert kept[0].name.startswith("crontab-20260115T140")
    assert b"job-20" in kept[-1].read_bytes()
    assert b"job-21" not in kept[-1].read_bytes()
    assert b"# mine\n" not in {path.read_bytes() for path in kept}
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}


def test_a_clock_set_back_does_not_cost_the_backup_just_made(lab, backend, tmp_path):
    for number in range(21):
        backend.apply([entry(f"job-{number}")])
    early = SteppedClock(datetime(2020, 1, 1, tzinfo=UTC))
    late = CronBackend(
        crontab=lab.crontab,
        lock_path=tmp_path / "state" / "crontab.lock",
        backup_folder=tmp_path / "state" / "backups",
        clock=early,
        system_zone=TORONTO,
        pause=early.pause,
    )
    late.apply([entry("last")])
    assert backups(tmp_path)[0].name.startswith("crontab-20200101T")
    assert early.pauses == []


def test_a_crontab_changed_in_between_is_read_again_and_both_changes_stay(lab, wrapped):
    backend = wrapped('if [ "$1$calls" = "-l2" ]; then echo "# by an editor" > "$0.t"; real "$0.t"; fi')
    backend.apply([entry("order-sync")])
    assert lab.listed().endswith(END + b"\n# by an editor\n")
    assert [found.name for found in backend.read_back()] == ["order-sync"]


def test_a_crontab_that_keeps_changing_is_given_up_after_three_times(lab, wrapped, tmp_path):
    backend = wrapped('if [ "$1" = -l ]; then echo "# change $calls" > "$0.t"; real "$0.t"; fi')
    with pytest.raises(BackendError, match="changed by something else 3 times"):
        backend.apply([entry("order-sync")])
    assert BEGIN not in lab.listed()
    assert (tmp_path / "calls").read_text(encoding="utf-8").split().count("-l") == 6


def test_a_table_that_reads_back_otherwise_is_said_with_the_backup_that_mends_it(lab, wrapped, tmp_path):
    lab.install(b"# mine\n")
    backend = wrapped('case "$1" in /tmp/ridgeline-*) echo "# lost" > "$0.t"; real "$0.t"; exit 0;; esac')
    with pytest.raises(BackendError, match="reads back otherwise") as told:
        backend.apply([entry("order-sync")])
    assert str(backups(tmp_path)[0]) in str(told.value)
    mending = str(told.value).rpartition(": ")[2]
    assert lab.run("sh", "-c", mending).returncode == 0
    assert lab.listed() == b"# mine\n"


def test_what_cron_itself_would_refuse_is_not_installed_and_in_its_own_words(lab, backend):
    lab.install(b"# ends well\n0 1 * * * x\n")
    wrong = entry("order-sync", argv=("x",))
    lab.run("sh", "-c", "printf '99 * * * * broken\\n' >> /var/spool/cron/crontabs/root")
    with pytest.raises(BackendError, match="bad minute"):
        backend.apply([wrong])
    assert BEGIN not in lab.listed()


def test_an_install_that_fails_leaves_the_old_table_and_says_why(lab, wrapped, tmp_path):
    lab.install(b"# mine\n")
    backend = wrapped('case "$1" in /tmp/ridgeline-*) echo "mkstemp: No space left" >&2; exit 1;; esac')
    with pytest.raises(BackendError, match="the crontab was not changed: mkstemp: No space left"):
        backend.apply([entry("order-sync")])
    assert lab.listed() == b"# mine\n"


def test_a_user_who_may_not_use_cron_is_told_so_in_crons_words(lab, backend_of):
    backend = backend_of(lab.crontab_of_user())
    assert backend.available() == ""
    lab.run("sh", "-c", "echo root > /etc/cron.allow")
    words = rf"You \({cron_lab.USER}\) are not allowed to use this program"
    for attempt in (lambda: backend.apply([entry("order-sync")]), backend.read_back):
        with pytest.raises(NotAllowed, match=words):
            attempt()


def test_a_variable_somebody_set_above_our_block_shows_as_a_difference_until_it_is_registered_again(
    lab, backend
):
    wanted = entry("order-sync")
    backend.apply([wanted])
    lab.install(b"CRON_TZ=Europe/Berlin\n" + lab.listed())
    (found,) = backend.read_back()
    assert found.native == "# below foreign settings\n" + backend.preview(wanted)
    backend.apply([wanted])
    assert backend.read_back()[0].native == backend.preview(wanted)
    assert lab.listed().endswith(END + b"\nCRON_TZ=Europe/Berlin\n")


def test_a_job_copied_within_the_block_is_counted_and_registering_again_leaves_one(lab, backend):
    backend.apply([entry("order-sync"), entry("weekly-report", MONDAYS)])
    lines = lab.listed().splitlines(keepends=True)
    lab.install(b"".join((*lines[:3], *lines[1:])))
    assert {found.name: found.copies for found in backend.read_back()} == {
        "order-sync": 2,
        "weekly-report": 1,
    }
    backend.apply([entry("order-sync")])
    assert lab.listed() == b"".join(lines)


def test_an_edited_line_differs_from_its_preview(lab, backend):
    backend.apply([entry("order-sync")])
    lab.install(lab.listed().replace(b"*/15", b"#*/15"))
    (found,) = backend.read_back()
    assert found.native != backend.preview(entry("order-sync"))
    assert found.program == ""


def test_unpaired_marks_stop_reading_and_writing(lab, backend):
    backend.apply([entry("order-sync")])
    broken = lab.listed().replace(END + b"\n", b"")
    lab.install(broken)
    for attempt in (backend.read_back, lambda: backend.remove(["order-sync"])):
        with pytest.raises(BackendError, match="only one of the two marks"):
            attempt()
    assert lab.listed() == broken


def test_no_file_of_ours_stays_behind_and_its_path_is_short_whatever_tmpdir_says(lab, wrapped, tmp_path):
    backend = wrapped("")
    backend.apply([entry("order-sync")])
    paths = [
        path
        for path in (tmp_path / "calls").read_text(encoding="utf-8").split()
        if path.startswith("/tmp/ridgeline-")
    ]
    assert len(paths) == 1
    assert len(paths[0]) < 90
    assert lab.run("test", "-e", paths[0]).returncode == 1


def test_a_writer_waits_for_another_and_says_when_it_takes_too_long(lab, backend, clock, tmp_path):
    import fcntl

    backend.apply([entry("order-sync")])
    with open(tmp_path / "state" / "crontab.lock", "rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(BackendError, match="another Ridgeline"):
            backend.remove(["order-sync"])
        assert sum(clock.pauses) == pytest.approx(10)
    backend.remove(["order-sync"])
    assert backend.read_back() == ()


def test_a_full_or_forbidden_state_folder_keeps_the_crontab_as_it_is(lab, backend, tmp_path):
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "backups").write_text("in the way", encoding="utf-8")
    with pytest.raises(BackendError, match=r"the crontab could not be changed: .*backups"):
        backend.apply([entry("order-sync")])
    assert lab.listed() == b""
