"""Job files changed as plain text: read, judged, written and taken back, in order or not."""

import pytest

from ridgeline_desktop.core.errors import JobFileMoved, UnknownJob

JOB = "order-sync"


@pytest.fixture(autouse=True)
def sync(office):
    office.job(JOB, 'every = "15 minutes"')


def test_the_text_of_a_job_file_is_there_and_judged_in_order_or_not(office):
    broken = 'command = ["/bin/true"]\n[schedule]\ndaily = ["25:00"]\n'
    office.file(JOB, broken)
    assert office.editing.source_text(JOB) == broken
    assert [problem.line for problem in office.editing.problems_of(JOB, broken)] == [3]
    assert office.editing.problems_of(JOB, broken.replace("25", "05")) == ()
    with pytest.raises(UnknownJob, match="no job"):
        office.editing.source_text("nowhere")


def test_a_text_is_written_whatever_it_says_and_can_be_taken_back(office):
    before = office.editing.source_text(JOB)
    saved = office.editing.write_text(JOB, "comand = 1\n", replacing=before)
    assert saved.sentence == "Saved. The job file is not in order yet, so nothing can start the job."
    assert office.editing.source_text(JOB) == "comand = 1\n"
    assert office.journal()[-1][:2] == ("edit", JOB)
    assert not office.editing.write_text(JOB, "comand = 1\n", replacing="comand = 1\n").written
    with pytest.raises(JobFileMoved):
        office.editing.write_text(JOB, "other = 1\n", replacing=before)
    office.editing.undo(saved)
    assert office.editing.source_text(JOB) == before


def test_a_text_in_the_place_of_a_file_that_vanished_is_no_change_to_take_back(office):
    text = office.editing.source_text(JOB)
    (office.shop / "jobs" / "order-sync.toml").unlink()
    saved = office.editing.write_text(JOB, text, replacing=None)
    assert (saved.written, saved.undo) == (True, None)
    assert saved.sentence == "Saved. The job file is in order."
