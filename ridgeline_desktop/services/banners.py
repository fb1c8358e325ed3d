"""What concerns all jobs at once: no shop folder, jobs never registered, entries that no job wants."""

from collections.abc import Mapping, Sequence

from ridgeline_desktop.core.registrations import Finding, RegistrationState
from ridgeline_desktop.core.snapshots import JOBS, Banner, BannerKind
from ridgeline_desktop.services.jobs import Shop


def banners_of(
    shop: Shop,
    findings: Mapping[str, Finding],
    gone: int,
    orphans: Sequence[str],
    recovered: str,
    command: str,
) -> tuple[Banner, ...]:
    """The banners, the gravest first. `gone` counts jobs without a file, `command` calls Ridgeline."""
    banners = [Banner(kind=BannerKind.RECOVERED, text=recovered)] if recovered else []
    if shop.error:
        # On a computer that never had a job, the default folder is made with the first one.
        is_new = not gone and not shop.settings.shop_folder
        kind = BannerKind.FIRST_START if is_new else BannerKind.NO_SHOP
        banners.append(Banner(kind=kind, text=f"No job files: {shop.error}"))
    elif gone and not shop.files:
        were = "1 job was" if gone == 1 else f"{gone} jobs were"
        text = f"{were} here before, and now the shop folder holds none. Is it the right folder?"
        banners.append(Banner(kind=BannerKind.SHOP_EMPTY, text=text))
    idle = (RegistrationState.NOT_WANTED, RegistrationState.ORPHAN)
    wanted = [f for f in findings.values() if f.state not in idle]
    never = tuple(sorted(f.job_id for f in wanted if f.state is RegistrationState.NEVER_REGISTERED))
    if never:
        banners.append(_never_registered(never, command, is_all=len(never) == len(wanted)))
    if orphans:
        text = f"This computer's schedule still starts what no job here wants: {JOBS}."
        how = f"Take it out: {command} unregister {' '.join(orphans)}"
        banners.append(Banner(kind=BannerKind.ORPHANS, text=text, job_ids=tuple(orphans), commands=how))
    return tuple(banners)


def _never_registered(never: tuple[str, ...], command: str, *, is_all: bool) -> Banner:
    if not is_all:
        text = f"This computer has never registered: {JOBS}"
        return Banner(kind=BannerKind.SOME_NEVER_REGISTERED, text=text, job_ids=never)
    these = f"these {len(never)} jobs" if len(never) > 1 else "the shop's jobs"
    return Banner(
        kind=BannerKind.NEVER_REGISTERED,
        text=f"This computer runs none of {these}: {JOBS}.",
        job_ids=never,
        commands=f"Register them here: {command} register --all. "
        f"They run elsewhere: {command} unregister --all",
    )
