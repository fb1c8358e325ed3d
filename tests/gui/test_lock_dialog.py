"""The evidence about a lock in words, and the dialog that clears only what is proven dead."""

from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from rows import NOW, TORONTO, row, snapshot

from ridgeline_desktop.core.locks import (
    GuardState,
    Liveness,
    LockEvidence,
    ProcessFinding,
    VerdictKind,
    judge,
)
from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.locks.room import LocksRoom
from ridgeline_desktop.gui.locks.words import (
    Reading,
    Sign,
    conclusion,
    details,
    intro,
    length_text,
    lines,
)

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
JOB = "stock-sync"
READING = Reading(usual=timedelta(minutes=2), now=NOW, zone=TORONTO)
CLEAR = "It is safe to clear this lock. The next run can then start."
AGE = (Sign.NOTE, "Runs usually take 2 minutes; 11 hours have passed (age proves nothing)")
GONE_TOO = (Sign.OVER, "Its job is gone too, and nothing it started is left")


def process(liveness: str, proof: str = "no such process", pid: int = 4711) -> ProcessFinding:
    return ProcessFinding(pid=pid, liveness=Liveness(liveness), proof=proof)


def evidence(**said: object) -> LockEvidence:
    """A lock whose run began at 04:52 by the schedule, and whose runner and job are gone."""
    values = {
        "job_id": JOB,
        "guard": GuardState.FREE,
        "has_record": True,
        "run_id": "r1",
        "started_at": "2026-03-07T09:52:00+00:00",
        "trigger": "schedule",
        "runner": process("gone"),
        "child_recorded": True,
        "child": process("gone", pid=4712),
    }
    return LockEvidence(**(values | said))


def said(found: LockEvidence) -> list[tuple[Sign, str]]:
    reading = Reading(usual=timedelta(minutes=2), now=NOW + timedelta(hours=5), zone=TORONTO)
    return [(line.sign, line.text) for line in lines(found, judge(found), reading)]


def test_a_dead_runner_whose_number_was_given_away_is_told_with_its_proof():
    proof = "the number now belongs to gvfsd, started 2026-03-07T12:58:00Z"
    found = evidence(runner=process("reused", proof))
    assert (
        intro(found, judge(found), READING)
        == "A lock says a run started today at 04:52 (started by the schedule)."
    )
    assert said(found) == [
        (
            Sign.OVER,
            "That program is gone: process 4711 now belongs to another program, gvfsd, started 07:58",
        ),
        GONE_TOO,
        AGE,
    ]
    assert conclusion(found, judge(found), READING) == CLEAR


@pytest.mark.parametrize(
    ("changes", "sign", "text"),
    [
        ({"same_boot": False}, Sign.OVER,
         "This computer has restarted since, so nothing of that run can be left"),
        ({"runner": process("exited")}, Sign.OVER, "That program is gone: process 4711 has ended"),
        ({}, Sign.OVER, "That program is gone: there is no process 4711 any more"),
        ({"child": None, "child_recorded": False}, Sign.OVER,
         "Its job had not been started, and nothing is left of it"),
        ({"same_machine": False, "recorded_host": "till"}, Sign.CAREFUL,
         "It was started on another computer: till"),
        ({"same_machine": False}, Sign.CAREFUL, "It was started on another computer: one without a name"),
        ({"machine_named": False}, Sign.CAREFUL,
         "It began before a restart, and this computer cannot be told from others: it has no id"),
        ({"same_state_folder": False}, Sign.CAREFUL,
         "It was started with other folders than these, and cannot be looked for here"),
        ({"same_pid_namespace": False}, Sign.CAREFUL,
         "It was started inside another container, which cannot be looked into"),
        ({"locks_work": False}, Sign.CAREFUL,
         "The lock lies on a network folder, where other computers cannot be ruled out"),
        ({"local_disk": False}, Sign.CAREFUL,
         "The lock lies on a network folder, where other computers cannot be ruled out"),
        ({"guard": GuardState.UNOPENABLE, "guard_detail": "permission denied"}, Sign.CAREFUL,
         "The lock cannot be opened: permission denied"),
        ({"record_readable": False, "record_detail": "it is torn"}, Sign.CAREFUL,
         "What the run wrote about itself cannot be read: it is torn"),
        ({"record_readable": False}, Sign.CAREFUL,
         "What the run wrote about itself cannot be read: nobody knows why"),
        ({"runner": process("unreadable", "/proc hides it")}, Sign.CAREFUL,
         "There is a process 4711, but it cannot be looked at: /proc hides it"),
        ({"runner": process("alive", "python3, started 2026-03-07T09:52:00Z")}, Sign.CAREFUL,
         "That program is still running: process 4711, python3, started 04:52"),
        ({"child": process("alive", "sync, started 2026-03-06T09:52:00Z", 4712)}, Sign.CAREFUL,
         "But its job is still running: process 4712, sync, started yesterday 04:52"),
        ({"child": process("unreadable", "hidden", 4712)}, Sign.CAREFUL,
         "Its job's process 4712 is there, but it cannot be looked at: hidden"),
        ({"child": None}, Sign.CAREFUL, "What the run wrote about its job cannot be read"),
        ({"child_readable": False}, Sign.CAREFUL, "What the run wrote about its job cannot be read"),
        ({"survivors": (12,)}, Sign.CAREFUL, "Something it started is still running: process 12"),
        ({"survivors": (12, 13)}, Sign.CAREFUL, "Something it started is still running: processes 12, 13"),
        ({"survivors_readable": False}, Sign.CAREFUL,
         "Whether something it started is left cannot be seen on this computer"),
        ({"guard": GuardState.HELD}, Sign.CAREFUL,
         "The lock is in its hands: this computer itself says so"),
    ],
)  # fmt: skip
def test_each_fact_has_its_line_and_a_sign_that_agrees_with_the_verdict(changes, sign, text):
    found = evidence(**changes)
    told = said(found)
    assert (sign, text) in told
    is_dead = judge(found).kind is VerdictKind.DEAD
    assert is_dead is all(each is not Sign.CAREFUL for each, _ in told), "a dead lock has no fact against it"
    assert (conclusion(found, judge(found), READING) == CLEAR) is is_dead


def test_one_that_runs_is_named_and_what_clearing_could_do():
    found = evidence(runner=process("alive", "python3, started x"))
    text = conclusion(found, judge(found), READING)
    assert text == "It is still running (process 4711, started 04:52). Clearing the lock could run it twice."
    held = evidence(
        guard=GuardState.HELD, has_record=False, runner=None, child=None, child_recorded=False, started_at=""
    )
    assert conclusion(held, judge(held), READING).startswith("It is still running. Clearing")


def test_what_cannot_be_told_names_the_computer_to_look_on():
    far = evidence(same_machine=False, recorded_host="till")
    assert conclusion(far, judge(far), READING).endswith("so the lock stays. Look on “till”.")
    hidden = evidence(runner=process("unreadable"))
    assert conclusion(hidden, judge(hidden), READING).endswith("so the lock stays.")


def test_a_lock_that_is_free_or_says_nothing_is_told_plainly():
    free = LockEvidence(job_id=JOB, guard=GuardState.FREE)
    assert intro(free, judge(free), READING) == "No run holds this lock."
    assert lines(free, judge(free), READING) == ()
    mute = evidence(started_at="soon", trigger="magic")
    assert intro(mute, judge(mute), READING) == "A lock says that a run is going on, but not since when."
    by_hand = evidence(started_at="2026-03-05T09:52:00+00:00", trigger="manual")
    assert "on Thu at 04:52 (started by hand)" in intro(by_hand, judge(by_hand), READING)


def test_the_age_is_said_without_a_usual_length_and_not_for_a_start_in_the_future():
    alone = Reading(usual=None, now=NOW, zone=TORONTO)
    found = evidence(started_at="2026-03-07T14:50:00+00:00")
    assert lines(found, judge(found), alone)[-1].text == "1 hour has passed since then (age proves nothing)"
    ahead = evidence(started_at="2026-03-09T14:50:00+00:00")
    assert all(line.sign is not Sign.NOTE for line in lines(ahead, judge(ahead), READING))


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(1, "1 second"), (119, "1 minute"), (7200, "2 hours"), (172_799, "47 hours"), (172_800, "2 days")],
)
def test_lengths_are_in_their_largest_unit(seconds, text):
    assert length_text(timedelta(seconds=seconds)) == text


def test_the_details_hold_the_tables_sentence_and_the_way_out_only_where_nothing_can_be_told():
    dead = evidence()
    assert details(dead, judge(dead)).startswith(
        "Runner process 4711 and job process 4712 no longer exist (line 15 of the decision table)"
    )
    assert "--force" not in details(dead, judge(dead))
    far = evidence(same_machine=False, recorded_host="till")
    assert details(far, judge(far)).endswith("ridgeline lock clear stock-sync --force r1")


@pytest.fixture
def feedback(window):
    return Feedback(window)


@pytest.fixture
def room(office, tasks, window, feedback):
    office.job(JOB, 'backend = "none"')
    made = LocksRoom(
        locks=office.lock_desk, tasks=tasks, feedback=feedback, clock=office.clock, window=window
    )
    shown = row(JOB, title="Stock sync", usual=timedelta(minutes=2))
    made.show_row(shown, snapshot(shown))
    return made


def opened(qtbot, tasks, room):
    dialog = room.open(row(JOB, title="Stock sync", usual=timedelta(minutes=2)))
    qtbot.waitUntil(lambda: dialog.verdict is not None and not tasks.pending)
    return dialog


def press(qtbot, dialog, text):
    button = dialog.button(text)
    assert button is not None, text
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_dead_lock_is_shown_with_evidence_and_cleared_on_request(qtbot, office, tasks, room, feedback):
    office.leave_lock(JOB, "r1")
    office.pass_time(hours=11)
    dialog = opened(qtbot, tasks, room)
    assert dialog.panel.texts()[-1] == CLEAR
    assert AGE[1] in dialog.panel.texts()
    assert dialog.button("Leave it").isDefault()
    assert not dialog.button("Clear the lock").autoDefault(), "Enter leaves it"
    with qtbot.waitSignal(room.changed):
        press(qtbot, dialog, "Clear the lock")
    assert office.lock_desk.show(JOB)[1].kind is VerdictKind.FREE
    told = [label.text() for label in feedback.findChildren(QLabel)]
    assert "The lock is cleared. The next run can start." in told


def test_leaving_it_leaves_it(qtbot, office, tasks, room):
    office.leave_lock(JOB, "r1")
    dialog = opened(qtbot, tasks, room)
    with qtbot.waitSignal(dialog.finished):
        press(qtbot, dialog, "Leave it")
    assert office.lock_desk.show(JOB)[1].kind is VerdictKind.DEAD


def test_a_lock_that_moved_while_it_was_read_is_not_cleared_but_shown_again(qtbot, office, tasks, room):
    office.leave_lock(JOB, "r1")
    dialog = opened(qtbot, tasks, room)
    office.lock_desk.clear(JOB, run_id="r1")
    office.leave_lock(JOB, "r2")
    press(qtbot, dialog, "Clear the lock")
    qtbot.waitUntil(lambda: dialog.notice.text() != "" and not tasks.pending)
    assert dialog.notice.text() == "It changed while you were reading. Nothing was cleared."
    assert office.lock_desk.show(JOB)[0].run_id == "r2"
    with qtbot.waitSignal(room.changed):
        press(qtbot, dialog, "Clear the lock")


def test_a_run_that_began_while_it_was_read_is_told_and_stays(qtbot, office, tasks, room):
    office.leave_lock(JOB, "r1")
    dialog = opened(qtbot, tasks, room)
    held = office.take_lock(JOB, "r2")
    press(qtbot, dialog, "Clear the lock")
    qtbot.waitUntil(lambda: dialog.button("Wait for it") is not None and not tasks.pending)
    assert dialog.notice.text().startswith("It changed while you were reading")
    assert dialog.button("Clear the lock") is None
    held.release()


def test_one_that_is_held_offers_to_wait_or_to_stop_it_and_never_to_clear(qtbot, office, tasks, room):
    held = office.take_lock(JOB, "r1")
    dialog = opened(qtbot, tasks, room)
    assert dialog.button("Clear the lock") is None
    assert dialog.button("Wait for it").isDefault()
    with qtbot.waitSignal(room.stop_asked) as asked:
        press(qtbot, dialog, "Stop it…")
    assert asked.args == [JOB]
    held.release()


def test_what_cannot_be_told_offers_to_check_again_and_never_to_clear(qtbot, office, tasks, room):
    office.leave_lock(JOB, "r1", machine_id="another", host="till")
    dialog = opened(qtbot, tasks, room)
    assert dialog.button("Clear the lock") is None
    assert dialog.panel.texts()[-1].endswith("Look on “till”.")
    office.lock_desk.clear(JOB, run_id="r1", force_run_id="r1")
    press(qtbot, dialog, "Check again")
    qtbot.waitUntil(lambda: dialog.button("Close") is not None)
    assert dialog.panel.texts() == ("No run holds this lock.",)


def test_a_job_whose_runner_died_names_the_process_that_still_runs(qtbot, office, tasks, room):
    pid = office.leave_survivor(JOB, "r1")
    dialog = opened(qtbot, tasks, room)
    assert any(
        text.startswith(f"But its job is still running: process {pid}") for text in dialog.panel.texts()
    )


def test_a_lock_that_cannot_be_looked_at_is_told_in_the_dialog(qtbot, office, tasks, room, failures):
    office.settings("zone = 1\n")
    dialog = room.open(row(JOB, title="Stock sync"))
    qtbot.waitUntil(lambda: dialog.button("Check again") is not None)
    assert dialog.panel.texts()[0].startswith("The lock could not be looked at.")
    assert failures == []


def test_a_job_whose_file_is_broken_shows_the_lock_that_is_really_held(qtbot, office, tasks, room):
    office.file(JOB, "command = 3\n")
    held = office.take_lock(JOB, "r1")
    assert opened(qtbot, tasks, room).verdict.kind is VerdictKind.HELD
    held.release()


def test_once_the_dialog_is_closed_its_failure_offers_no_second_try(qtbot, office, tasks, room, feedback):
    office.leave_lock(JOB, "r1")
    dialog = opened(qtbot, tasks, room)
    office.database.unlink(missing_ok=True)
    office.database.mkdir(parents=True)
    press(qtbot, dialog, "Clear the lock")
    qtbot.waitUntil(lambda: feedback.error_box is not None)
    again = next(b for b in feedback.error_box.findChildren(QPushButton) if b.text() == "Try again")
    assert again.isVisible()
    with qtbot.waitSignal(dialog.destroyed):
        dialog.reject()
    assert not again.isVisible()
    again.click()  # as by a click that was on its way
    assert feedback.error_box is None


def test_technical_words_stand_only_below_the_fold(qtbot, office, tasks, room):
    office.leave_lock(JOB, "r1")
    dialog = opened(qtbot, tasks, room)
    shown = " ".join(dialog.panel.texts()).lower()
    for word in ("pid", "guard", "exit code", "daemon", "mutex", "r1"):
        assert word not in shown.split()
