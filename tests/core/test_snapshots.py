"""What a view of the jobs is made of."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.snapshots import JOBS, Banner, BannerKind, blind


def test_a_banner_says_what_to_type_where_there_is_something():
    text = "This computer runs none of the shop's jobs."
    plain = Banner(kind=BannerKind.NEVER_REGISTERED, text=text)
    assert plain.with_commands() == text
    typed = Banner(kind=BannerKind.NEVER_REGISTERED, text=text, commands="ridgeline register --all")
    assert typed.with_commands() == f"{text} ridgeline register --all"


def test_a_banner_calls_the_jobs_it_names_as_whoever_reads_it_does():
    named = Banner(kind=BannerKind.ORPHANS, text=f"Not wanted: {JOBS}.", job_ids=("a", "none", "b"))
    assert named.text_with({"a": "none of us", "b": "{jobs}"}) == "Not wanted: none of us, none, {jobs}."
    assert named.with_commands() == "Not wanted: a, none, b."
    unnamed = Banner(kind=BannerKind.NO_SHOP, text=f"No job files: {JOBS} is no folder")
    assert unnamed.text_with({"a": "A"}) == unnamed.text


def test_where_nothing_could_be_read_there_is_no_job_and_no_green():
    now = datetime(2026, 3, 4, 17, tzinfo=UTC)
    seen = blind("settings.toml:1: zone must be a text", zone=ZoneInfo("America/Toronto"), now=now)
    assert (seen.rows, seen.attention.value, seen.taken_at) == ((), "grey", now)
    assert [(banner.kind, banner.text) for banner in seen.banners] == [
        (BannerKind.CANNOT_LOOK, "settings.toml:1: zone must be a text")
    ]
