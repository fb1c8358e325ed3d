"""What the disks say of a job form: is there such a program, such a folder, such a runbook?"""

import posixpath
from collections.abc import Iterator

from ridgeline_desktop.core.drafts import DraftProblem, JobDraft
from ridgeline_desktop.core.environments import OnDisk
from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.ports import Programs, ShopFolder


def disk_problems(
    draft: JobDraft, *, programs: Programs, folder: ShopFolder, path: str
) -> Iterator[DraftProblem]:
    """What would keep the job from running now; none of it keeps the form from being saved.

    `path` is the PATH of jobs.
    """
    said = program_place(draft, programs=programs, path=path)[1]
    if said:
        yield DraftProblem(field="program", message=said, blocks=False)
    where = draft.folder.strip()
    if where and programs.look(where) is not OnDisk.FOLDER:
        is_there = programs.look(where) is not OnDisk.NOTHING
        text = f"{where} is not a folder." if is_there else f"There is no folder {where} on this computer."
        yield DraftProblem(field="folder", message=text, blocks=False)
    runbook = draft.runbook.strip()
    if runbook and not runbook.startswith("https://") and not _is_readable(folder, runbook):
        text = f"There is no file {runbook} in the shop folder yet."
        yield DraftProblem(field="runbook", message=text, blocks=False)


def program_place(draft: JobDraft, *, programs: Programs, path: str) -> tuple[str, str]:
    """Where the form's program stands, and else what is wrong with it; ("", "") where it names none.

    As when it runs: a name without / is looked for on the PATH, a relative path begins at the job's folder.
    """
    program = draft.program.strip()
    if not program or draft.shell.strip():
        return "", ""
    if "/" in program:
        places = [posixpath.join(draft.folder.strip() or "~", program)]
    else:
        places = [posixpath.join(folder, program) for folder in path.split(":") if folder]
    seen = {place: programs.look(place) for place in places}
    for place, kind in seen.items():
        if kind is OnDisk.PROGRAM:
            return place, ""
    for place, kind in seen.items():
        if kind is OnDisk.FILE:
            return (
                "",
                f"{place} is there, but it may not be executed. Make it executable, or name its interpreter.",
            )
        if kind is OnDisk.FOLDER and "/" in program:
            return "", f"{place} is a folder; name the program in it."
    if "/" in program:
        return "", f"There is no program {places[0]} on this computer."
    return "", f"There is no program {program} in any of the folders where jobs look for it: {path}"


def _is_readable(folder: ShopFolder, runbook: str) -> bool:
    try:
        folder.read_text(runbook)
    except (OSError, RidgelineError):
        return False
    return True
