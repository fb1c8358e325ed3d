"""The program that starts in-app jobs while it is open: it follows the book, the job files and the clock."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from functools import partial
from threading import Lock

from ridgeline_desktop.core.errors import BackendError, RidgelineError, ShopUnreadable
from ridgeline_desktop.core.ports import Clock, ObeyedBook, OpenScheduler
from ridgeline_desktop.core.registrations import Entry
from ridgeline_desktop.core.schedules import BackendName
from ridgeline_desktop.core.texts import plural
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.services.jobs import Jobs, Shop
from ridgeline_desktop.services.surveying import Surveying, is_wanted

LOOK_EVERY = 10.0
CLOCK_JUMP = 2.0
LONGEST_STAND = 20.0

StartJob = Callable[[str, datetime], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class InApp:
    """`new_scheduler` is given what starts a job for a fire time; `say` tells the person at the terminal.

    `launch` starts a command and returns at once; the command goes on when this program ends.
    """

    jobs: Jobs
    surveying: Surveying
    book: ObeyedBook
    new_scheduler: Callable[[StartJob], OpenScheduler]
    launch: Callable[[Sequence[str]], None]
    clock: Clock
    pause: Callable[[float], None]
    say: Callable[[str], None]

    @contextmanager
    def opened(self) -> Iterator[Callable[[], None]]:
        """Start the in-app jobs until the end of the block; what it gives waits until KeyboardInterrupt.

        Changes are followed only while it waits. BackendError where another program starts these jobs.
        """
        with self.session() as session:
            yield partial(self._keep_open, session)

    @contextmanager
    def session(self) -> Iterator["Session"]:
        """Start the in-app jobs until the end of the block; what it gives follows changes when it is told to.

        BackendError where another program starts these jobs.
        """
        with self.book.obeyed(), self.running() as session:
            yield session

    @contextmanager
    def running(self) -> Iterator["Session"]:
        """What `session` does, for a program that obeys the book already."""
        scheduler = self.new_scheduler(self._start)
        session = Session(self, scheduler)
        scheduler.start()
        try:
            yield session
        finally:
            scheduler.shutdown()

    def _start(self, job_id: str, fire_time: datetime) -> None:
        self.launch((*self.surveying.launcher.command(job_id), "--for", fire_time.isoformat()))

    def _keep_open(self, session: "Session") -> None:
        while True:
            self.pause(LOOK_EVERY)
            session.follow()

    def look(self, scheduler: OpenScheduler, *, known: str) -> str:
        """Follow the book and give what keeps us from it ("" = nothing); told where it is not yet `known`."""
        try:
            self._follow(scheduler)
        except RidgelineError as error:
            trouble = str(error)
        else:
            trouble = ""
        if trouble and trouble != known:
            self.say(f"{trouble}\nUntil that is mended the same in-app jobs are started as before.")
        if known and not trouble:
            self.say("That is mended: the in-app jobs are started as the shop folder says.")
        return trouble

    def _follow(self, scheduler: OpenScheduler) -> None:
        booked = {found.name for found in self.book.read_back()}
        there = {entry.name: entry for entry in scheduler.entries()}
        scheduler.remove([name for name in there if name not in booked])
        shop = self.jobs.readable()
        if booked and not shop.files:
            raise ShopUnreadable(
                f"the shop folder is empty, but {plural(len(booked), 'in-app job')} should be started; "
                "mount its disk, or if that is meant: ridgeline unregister --all"
            )
        wanted = {entry.name: entry for entry in self._entries(shop) if entry.name in booked}
        broken = {file.job_id for file in shop.files if file.job is None}  # their runs say what is wrong
        scheduler.remove([name for name in there if name not in wanted and name not in broken])
        scheduler.apply([entry for entry in wanted.values() if there.get(entry.name) != entry])

    def _entries(self, shop: Shop) -> list[Entry]:
        mine = (BackendName.AUTO, BackendName.IN_APP)
        jobs = [job for job in shop.jobs() if job.schedule.backend in mine and is_wanted(job, shop)]
        entries = [self.surveying.entry(job, shop.zone) for job in jobs]
        return [entry for entry in entries if not self.book.objections(entry)]


class Session:
    """In-app jobs being started: what was known and what the clocks said when it last looked."""

    def __init__(self, program: InApp, scheduler: OpenScheduler) -> None:
        self._program, self._scheduler = program, scheduler
        self._trouble = program.look(scheduler, known="")
        self._wall, self._steady = program.clock.now(), program.clock.steady()

    def follow(self) -> None:
        """Take in what has changed in the book and the job files, and whether a clock has jumped."""
        program = self._program
        self._trouble = program.look(self._scheduler, known=self._trouble)
        wall, steady = program.clock.now(), program.clock.steady()
        passed = steady - self._steady
        jump = (wall - self._wall).total_seconds() - passed
        self._wall, self._steady = wall, steady
        if abs(jump) > CLOCK_JUMP or passed > LONGEST_STAND:
            self._scheduler.wake(now=wall)

    def names(self) -> tuple[str, ...]:
        """The jobs that it starts."""
        return tuple(entry.name for entry in self._scheduler.entries())


class WhileOpen:
    """Starts in-app jobs for as long as a window is open.

    It obeys the book from its first look on, and loads the scheduler once something is booked.
    """

    def __init__(self, program: InApp) -> None:
        self._program = program
        self._turn = Lock()
        self._open = ExitStack()
        self._session: Session | None = None
        self._names: tuple[str, ...] = ()
        self._obeys = self._is_closed = False

    def follow(self) -> None:
        """Begin where there is something to start, else follow; nothing is done where another program does.

        From any thread.
        """
        with self._turn:
            if not self._is_closed:
                self._follow()
            if self._is_closed:
                self._open.close()

    def _follow(self) -> None:
        if self._session is not None:
            self._session.follow()
        else:
            with suppress(BackendError):
                if not self._obeys:
                    self._open.enter_context(self._program.book.obeyed())
                    self._obeys = True
                if self._program.book.read_back():
                    self._session = self._open.enter_context(self._program.running())
        self._names = self._session.names() if self._session else ()

    def names(self) -> tuple[str, ...]:
        """The jobs that stop being started when the window's program ends; answers at once."""
        return self._names

    def close(self) -> None:
        """Start no more jobs; those under way go on. Waits for no disk: a `follow` under way closes then."""
        self._is_closed = True
        if self._turn.acquire(blocking=False):
            try:
                self._open.close()
            finally:
                self._turn.release()
