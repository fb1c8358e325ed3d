"""The jobs of the shop folder as this computer sees them."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.errors import NotTrusted, SettingsBroken, ShopUnreadable, UnknownJob
from ridgeline_desktop.core.job_files import JobFile
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.ports import SettingsFile, ShopFolder
from ridgeline_desktop.core.settings import Settings
from ridgeline_desktop.core.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Shop:
    """What the shop folder held when it was read; `error` says why it could not be ("" = it could)."""

    settings: Settings
    zone: ZoneInfo
    files: tuple[JobFile, ...]
    error: str

    def jobs(self) -> tuple[Job, ...]:
        """The jobs whose files are in order."""
        return tuple(file.job for file in self.files if file.job is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Jobs:
    """Reads settings and shop folder. `open_shop` gives the folder that settings name."""

    settings_file: SettingsFile
    open_shop: Callable[[Settings], ShopFolder]
    system_zone: ZoneInfo

    def settings(self) -> Settings:
        """The settings; SettingsBroken names file, line and what is allowed."""
        settings, problems = self.settings_file.read()
        if problems:
            lines = [f"settings.toml:{p.line or '?'}: {p.message}" for p in problems]
            raise SettingsBroken("\n".join(lines))
        return settings

    def zone(self, settings: Settings) -> ZoneInfo:
        """The shop's zone: the one in settings, else the computer's."""
        return ZoneInfo(settings.zone) if settings.zone else self.system_zone

    def look(self) -> Shop:
        """All job files. A folder that cannot be read is told in `Shop.error`; SettingsBroken is raised."""
        settings = self.settings()
        zone = self.zone(settings)
        try:
            files = self.open_shop(settings).read_jobs(shop_zone=zone.key)
        except (ShopUnreadable, NotTrusted) as error:
            return Shop(settings=settings, zone=zone, files=(), error=str(error))
        return Shop(settings=settings, zone=zone, files=files, error="")

    def readable(self) -> Shop:
        """All job files; ShopUnreadable where the folder cannot be read."""
        shop = self.look()
        if shop.error:
            raise ShopUnreadable(shop.error)
        return shop

    def job(self, job_id: str) -> Job:
        """One job in order; UnknownJob says what is wrong with its file, or which jobs there are."""
        shop = self.readable()
        for file in shop.files:
            if file.job_id == job_id:
                if file.job is None:
                    raise UnknownJob("the job file is not in order:\n" + "\n".join(file.sentences()))
                return file.job
        known = ", ".join(file.job_id for file in shop.files) or "none yet"
        raise UnknownJob(f'there is no job "{job_id}" in the shop folder; there are: {known}')

    def runbook(self, job: Job) -> str:
        """The runbook's text; UnknownJob where the job names none, or only a link."""
        if not job.runbook:
            raise UnknownJob(f'job "{job.job_id}" names no runbook; add runbook = "runbooks/{job.job_id}.md"')
        if job.runbook.startswith("https://"):
            return f"{job.title}'s runbook is at {job.runbook}\n"
        try:
            return self.open_shop(self.settings()).read_text(job.runbook)
        except OSError as error:
            text = f'the runbook {job.runbook} of job "{job.job_id}" cannot be read: {error.strerror}'
            raise ShopUnreadable(text) from error
