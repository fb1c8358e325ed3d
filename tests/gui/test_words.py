from datetime import timedelta

import pytest
from rows import NOW, SAM, TORONTO, at, record

from ridgeline_desktop.core.errors import BackendError
from ridgeline_desktop.core.health import Health
from ridgeline_desktop.core.locks import VerdictKind
from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.runs import RunStatus, Trigger
from ridgeline_desktop.core.snapshots import BannerKind, StepKind
from ridgeline_desktop.gui.kit import words

NOT_FOR_SAM = ("cron", "exit code", "daemon", "pid", "stderr", "mutex")
SPOKEN = [
    *(words.health_word(health, quiet) for health in Health for quiet in (False, True)),
    *(words.status_word(status) for status in RunStatus),
    *(words.last_run_text(record(status=status), zone=TORONTO, now=NOW) for status in RunStatus),
    *(words.trigger_word(record(trigger=trigger, actor=SAM)) for trigger in Trigger),
    *(words.registration_word(state) for state in RegistrationState),
    *(words.step_word(kind) for kind in StepKind),
    *(words.verdict_word(kind) for kind in VerdictKind),
    *(words.banner_word(kind) for kind in BannerKind),
]


@pytest.mark.parametrize("text", SPOKEN)
def test_every_code_has_words_and_none_of_them_is_jargon(text):
    assert text[:1].isupper()
    assert not any(word in text.lower().split() for word in NOT_FOR_SAM)


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (at("10:45"), "Today 10:45"),
        (at("07:10", 8), "Tomorrow 07:10"),
        (at("18:00", 6), "Yesterday 18:00"),
        (at("02:04", 5), "Thu 02:04"),
        (at("06:30", 1), "Sun 06:30"),
        (at("06:30", 13), "Fri 06:30"),
        (at("06:30", 14), "Sat 14 Mar 06:30"),
        (at("06:30", 2) - timedelta(days=28), "Mon 2 Feb 06:30"),
        (at("06:30", 2) - timedelta(days=365), "Sun 2 Mar 2025 06:30"),
        (None, "\N{EN DASH}"),
    ],
)
def test_an_instant_is_shorter_the_nearer_it_is(moment, text):
    assert words.when_text(moment, zone=TORONTO, now=NOW) == text


def test_the_day_is_the_shops_and_not_that_of_utc():
    late = at("23:30")
    assert late.day == 8
    assert words.when_text(late, zone=TORONTO, now=NOW) == "Today 23:30"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "\N{EN DASH}"),
        (0.0, "0 s"),
        (0.4, "under 1 s"),
        (40, "40 s"),
        (134.9, "2 min 14 s"),
        (3900, "1 h 5 min"),
        (100_000, "1 d 3 h"),
        (-5, "0 s"),
    ],
)
def test_a_length_of_time_has_its_two_largest_units(seconds, text):
    assert words.took_text(seconds) == text


@pytest.mark.parametrize(
    ("ago", "text"),
    [
        (timedelta(seconds=59), "just now"),
        (timedelta(seconds=-30), "just now"),
        (timedelta(minutes=3, seconds=40), "3 min ago"),
        (timedelta(hours=2), "2 h ago"),
        (timedelta(days=1), "1 day ago"),
        (timedelta(days=9), "9 days ago"),
    ],
)
def test_how_long_ago_is_told_in_one_unit(ago, text):
    assert words.ago_text(NOW - ago, now=NOW) == text


def test_what_never_was_is_never():
    assert words.ago_text(None, now=NOW) == "never"


def test_a_run_tells_how_long_it_has_been_going_on():
    assert words.so_far_text(NOW - timedelta(seconds=130), now=NOW) == "2 min so far"
    assert words.so_far_text(NOW + timedelta(seconds=5), now=NOW) == "0 s so far"


def test_tool_tips_tell_utc_to_the_second():
    assert words.utc_text(at("10:45")) == "2026-03-07 15:45:00 UTC"
    assert words.utc_text(None) == ""


def test_a_run_by_hand_names_who_started_it():
    assert words.trigger_word(record(trigger=Trigger.MANUAL, actor=SAM)) == "Sam"
    assert words.trigger_word(record()) == "The schedule"


def test_no_run_is_a_dash():
    assert words.last_run_text(None, zone=TORONTO, now=NOW) == "\N{EN DASH}"


def test_a_step_that_asks_names_who_looks_after_the_job():
    assert words.step_word(StepKind.ASK, "Jordan") == "Ask Jordan…"


def test_an_error_raised_on_purpose_says_itself_why():
    trouble = words.trouble_of(
        BackendError("the disk is full"), what="It was not saved.", safe="All is there."
    )
    assert (trouble.why, trouble.details) == ("The disk is full.", "")
    assert trouble.as_text() == "It was not saved.\n\nThe disk is full.\n\nAll is there."


def test_an_error_raised_on_purpose_keeps_its_cause_for_the_details():
    def fail() -> None:
        try:
            raise OSError("no space left")
        except OSError as error:
            raise BackendError("the disk is full.") from error

    with pytest.raises(BackendError) as caught:
        fail()
    trouble = words.trouble_of(caught.value, what="It was not saved.")
    assert trouble.why == "The disk is full."
    assert "no space left" in trouble.details


def test_any_other_error_is_ridgelines_own_with_its_trace_in_the_details():
    trouble = words.trouble_of(KeyError("job"), what="It was not saved.")
    assert trouble.why == "Something went wrong inside Ridgeline."
    assert "KeyError: 'job'" in trouble.details
