"""What the cron reader accepts, warns about and refuses."""

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline_desktop.core.cron_expressions import (
    Accepted,
    AcceptedWithWarning,
    CronExpression,
    Refused,
    parse_cron,
)

CASES = json.loads((Path(__file__).parent.parent / "data" / "cron_cases.json").read_text())
EVERY_HOUR = tuple(range(24))


def read(text: str) -> CronExpression:
    answer = parse_cron(text)
    assert not isinstance(answer, Refused), answer
    return answer.expression


@pytest.mark.parametrize("case", CASES["syntax"], ids=lambda case: case["expr"])
def test_what_a_cron_rejects_or_reads_wrongly_is_refused(case: dict[str, str]) -> None:
    assert isinstance(parse_cron(case["expr"]), Refused)


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["id"])
def test_what_every_cron_reads_alike_is_accepted(case: dict[str, str]) -> None:
    assert read(case["expr"]).text == case["expr"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("0 9 * *", "five fields"),
        ("0 0 9 * * *", "this has 6"),
        ("0 9 * * *\n", "one line"),
        ("0\u00a09 * * *", "one line"),
        ("٣ 9 * * *", "one line"),
        ("@reboot", "names no time"),
        ("@Daily", "write @daily instead of @Daily"),
        ("@every_minute", "allowed: @hourly, @daily"),
        ("1, 2 * * * *", "write 1,2 instead of 1, 2"),
        ("60 * * * *", "Minute: 60 is out of range; allowed is 0 to 59."),
        ("* 24 * * *", "Hour: 24"),
        ("* * 0 * *", "Day: 0"),
        ("* * * 13 *", "1 to 12 or jan to dec"),
        ("* * * * 8", "0 to 7 or sun to sat"),
        ("4294967297 * * * *", "out of range"),
        ("0 9 * * monday", "write mon instead of monday"),
        ("0 9 * January *", "write jan instead of January"),
        ("0 9 * * 5#2", '"5#2" is not understood'),
        ("0 9 L * *", '"L" is not understood'),
        ("0 9 15W * *", '"15W" is not understood'),
        ("0 9 ? * 1", '"?" is not understood'),
        ("5.5 * * * *", '"5.5" is not understood'),
        ("1~30 * * * *", '"1~30" is not understood'),
        ("*-5 * * * *", '"*-5" is not understood'),
        ("5-x * * * *", '"5-x" is not understood'),
        ("*foo * * * *", '"*foo" is not understood'),
        ("1,,2 * * * *", "not understood"),
        ("1/5 * * * *", "write 1-59/5"),
        ("0 22-2 * * *", "write 22-23,0-2"),
        ("0 22-0 * * *", "write 22-23,0"),
        ("10-5 * * * *", "write 10-59,0-5"),
        ("* * * * sat-sun", "write 6,0"),
        ("* * * * fri-mon", "write 5-6,0-1"),
        ("*/0 * * * *", "whole number from 1"),
        ("*/ * * * *", "whole number from 1"),
        ("*/1000 * * * *", "whole number from 1"),
        ("1-7/7 * * * *", "longer than the range; write 1"),
        ("0 0 30 2 *", "February has no day 30"),
        ("0 0 31 4,6 *", "April and June has no day 31"),
    ],
)
def test_a_refusal_names_the_field_and_what_to_write(text: str, words: str) -> None:
    answer = parse_cron(text)
    assert isinstance(answer, Refused)
    assert words in answer.message


def test_every_wrong_field_is_reported_at_once() -> None:
    answer = parse_cron("60 24 * foo 9")
    assert isinstance(answer, Refused)
    assert [problem.split(":")[0] for problem in answer.problems] == ["Minute", "Hour", "Month", "Weekday"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("*/7 * * * *", "Minute: */7 starts again each hour: it runs at :00, :07, :14, …, :56 and then :00."),
        ("*/90 * * * *", "it runs at :00 only"),
        ("*/25 * * * *", "it runs at :00, :25, :50 and then :00"),
        ("0 */5 * * *", "it runs at 00:00, 05:00, 10:00, 15:00, 20:00 and then 00:00"),
        ("0 0 */2 * *", "it runs at day 1, day 3, day 5, …, day 31 and then day 1"),
        ("0 0 1 */5 *", "it runs at month 1, month 6, month 11 and then month 1"),
        ("0 9 * * */2", "it runs on Sunday, Tuesday, Thursday, Saturday"),
        ("0 9 13 * 5", "either matches"),
        ("0 9 31 * *", "no day 31 in February, April, June, September, November"),
        ("0 9 30 1,2 *", "no day 30 in February"),
        ("0 9 28-31 2 *", "no day 31 in February"),
        ("0 9 29 2 *", "29 February exists in leap years only"),
    ],
)
def test_what_cron_reads_otherwise_than_people_is_accepted_with_a_warning(text: str, words: str) -> None:
    answer = parse_cron(text)
    assert isinstance(answer, AcceptedWithWarning)
    assert any(words in warning for warning in answer.warnings)


@pytest.mark.parametrize(
    "text",
    [
        "*/15 * * * *",
        "0 */6 * * *",
        "* * * * *",
        "*/1 * */1 * */1",
        "0 0 1 */3 *",
        "0 9 31 1,3 *",
        "0 9 1-31 * *",
    ],
)
def test_what_means_what_it_says_has_no_warning(text: str) -> None:
    assert isinstance(parse_cron(text), Accepted)


@pytest.mark.parametrize(
    ("text", "field", "values"),
    [
        ("05 0008 * * *", "minutes", (5,)),
        ("05 0008 * * *", "hours", (8,)),
        ("10-30/10,5 * * * *", "minutes", (5, 10, 20, 30)),
        ("5-5/1 * * * *", "minutes", (5,)),
        ("\t1 2\t3 4  5 ", "days", (3,)),
        ("0 0 1 jan-mar,JUL *", "months", (1, 2, 3, 7)),
        ("0 9 * * 7", "weekdays", (0,)),
        ("0 9 * * 5-7", "weekdays", (0, 5, 6)),
        ("0 9 * * 1-7/2", "weekdays", (0, 1, 3, 5)),
        ("0 9 * * */7", "weekdays", (0,)),
        ("0 9 * * mon,WED,Fri", "weekdays", (1, 3, 5)),
        ("@hourly", "hours", EVERY_HOUR),
        ("@weekly", "weekdays", (0,)),
        ("@monthly", "days", (1,)),
        ("@yearly", "months", (1,)),
    ],
)
def test_fields_become_sorted_values(text: str, field: str, values: tuple[int, ...]) -> None:
    assert getattr(read(text), field) == values


@pytest.mark.parametrize(
    ("text", "minute_wild", "hour_wild", "days_and"),
    [
        ("0 0 * * *", False, False, True),
        ("*/20 2 * * *", True, False, True),
        ("30 */2 1 * 1", False, True, False),
        ("0-59 0-23 */2 * 1", False, False, True),
        ("0 0 1-7 * */7", False, False, True),
        ("@hourly", False, True, True),
    ],
)
def test_a_leading_star_decides_wildness_and_the_day_rule(
    text: str, minute_wild: bool, hour_wild: bool, days_and: bool
) -> None:
    found = read(text)
    assert (found.minute_wild, found.hour_wild, found.days_and) == (minute_wild, hour_wild, days_and)
    assert found.is_wild == (minute_wild or hour_wild)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("0 9 13 * 5", [6, 13, 20, 27]),
        ("0 9 1-7 * */7", [1]),
        ("0 9 */10 * 0", [1]),
        ("0 9 * 3 *", []),
        ("0 9 1-31 * 1", list(range(1, 29))),
    ],
)
def test_the_day_fields_pick_the_dates_of_february(text: str, days: list[int]) -> None:
    found = read(text)
    assert [day for day in range(1, 29) if found.runs_on(date(2026, 2, day))] == days


@given(st.text() | st.text(alphabet="0123456789*,-/ @monsujafelky", max_size=20))
def test_no_text_whatever_raises(text: str) -> None:
    assert isinstance(parse_cron(text), Accepted | AcceptedWithWarning | Refused)
