"""The runbook of a job: opened at what has gone wrong, with its pictures; changed with care for others."""

import posixpath
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ridgeline_desktop.core.errors import RidgelineError, ShopUnreadable
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.services.jobs import Jobs

if TYPE_CHECKING:  # its many patterns are compiled when a runbook is read: they would slow every start
    from ridgeline_desktop.core.runbooks import Failure

MOST_PICTURES = 10_000_000
TEMPLATE = """# {title}

## What it does

{about}

## When it runs

## What it touches

## Is it safe to run again?

## When it fails

### Exit code 1

## Who to ask

{who}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runbook:
    """A job's runbook. Either `link` ("https://…"), or `text` from the file `path`, which may be missing.

    `relative` is the path as the job file says it ("" = it names none). `heading` is where to look after
    the failure ("" = the top), `missing` ends "It doesn't say …", once each. `pictures` are those it
    shows, by their path as the text has it, undecoded. `trouble` says why there is no text, and what to do.
    """

    job_id: str
    title: str
    text: str = ""
    link: str = ""
    path: str = ""
    relative: str = ""
    heading: str = ""
    missing: tuple[str, ...] = ()
    pictures: tuple[tuple[str, bytes], ...] = ()
    trouble: str = ""
    is_there: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Runbooks:
    """Reads and writes runbooks in the shop folder."""

    jobs: Jobs

    def open(self, job_id: str, *, failure: "Failure | None" = None) -> Runbook:
        """The runbook of a job, at the heading for `failure` (None = nothing failed).

        UnknownJob where the job file is not in order; ShopUnreadable and the like where the runbook is not.
        """
        from ridgeline_desktop.core.runbooks import heading_for, missing_sections

        job = self.jobs.job(job_id)
        if not job.runbook:
            return Runbook(job_id=job_id, title=job.title, trouble=_names_none(job))
        if job.runbook.startswith("https://"):
            return Runbook(job_id=job_id, title=job.title, link=job.runbook, relative=job.runbook)
        shop = self.jobs.open_shop(self.jobs.settings())
        path = shop.where(job.runbook)
        try:
            text = shop.read_text(job.runbook)
        except (FileNotFoundError, NotADirectoryError):
            trouble = _is_missing(job, path)
            return Runbook(job_id=job_id, title=job.title, path=path, relative=job.runbook, trouble=trouble)
        except OSError as error:
            raise ShopUnreadable(f"the runbook {path} cannot be read: {error.strerror}") from error
        return Runbook(
            job_id=job_id,
            title=job.title,
            text=text,
            path=path,
            relative=job.runbook,
            heading=heading_for(text, failure) if failure else "",
            missing=missing_sections(text),
            pictures=self._pictures(job.runbook, text),
            is_there=True,
        )

    def template(self, job_id: str) -> str:
        """What a new runbook of this job begins with."""
        job = self.jobs.job(job_id)
        who = f"{job.looked_after_by} looks after this job." if job.looked_after_by else ""
        return TEMPLATE.format(title=job.title, about=job.about, who=who)

    def save(self, runbook: Runbook, *, text: str) -> str | None:
        """Write the runbook where it still reads as in `runbook`; None = done.

        Where somebody else has changed it meanwhile nothing is written: the answer is their text.
        """
        shop = self.jobs.open_shop(self.jobs.settings())
        whole = text if text.endswith("\n") else f"{text}\n"
        try:
            return shop.change_text(
                runbook.relative, old=runbook.text if runbook.is_there else None, new=whole
            )
        except OSError as error:
            raise ShopUnreadable(f"the runbook {runbook.path} cannot be written: {error.strerror}") from error

    def _pictures(self, runbook: str, text: str) -> tuple[tuple[str, bytes], ...]:
        """The pictures that are there and may be shown; what cannot be read is shown as missing."""
        from ridgeline_desktop.core.runbooks import picture_paths

        shop = self.jobs.open_shop(self.jobs.settings())
        found: list[tuple[str, bytes]] = []
        left = MOST_PICTURES
        for path in picture_paths(text):
            try:
                data = shop.read_bytes(posixpath.join(posixpath.dirname(runbook), unquote(path)))
            except (RidgelineError, OSError, ValueError):
                continue
            if len(data) <= left:
                left -= len(data)
                found.append((path, data))
        return tuple(found)


def _names_none(job: Job) -> str:
    return (
        f"“{job.title}” names no runbook yet. Write one into the shop folder, for instance "
        f"runbooks/{job.job_id}.md, and name it in the job."
    )


def _is_missing(job: Job, path: str) -> str:
    return f"“{job.title}” names the runbook {job.runbook}, but there is no such file. It would be {path}."
