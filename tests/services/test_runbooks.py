"""Runbooks by the services' door: opened at the failure, with pictures, and changed with care for others."""

import os

import pytest

from ridgeline_desktop.core.errors import NotTrusted, RidgelineError, ShopUnreadable, UnknownJob
from ridgeline_desktop.core.runbooks import Failure
from ridgeline_desktop.services.runbooks import Runbooks

JOB = "order-sync"
TEXT = "# Order sync\n\n## When it fails\n\n### The shop API answers 503\n\nWait.\n"
FAILED = Failure(codes=("failed",), exit_code=1, lines=("the shop API answered 503",))


@pytest.fixture
def runbooks(office):
    return Runbooks(jobs=office.jobs)


def name_runbook(office, runbook):
    looked_after = 'title = "Order sync"\nabout = "Copies orders."\nlooked_after_by = "Jordan"\n'
    office.file(JOB, f'{looked_after}command = ["/bin/true"]\nrunbook = "{runbook}"\n')


def write(office, text=TEXT, path="runbooks/order-sync.md"):
    name_runbook(office, path)
    file = office.shop / path
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def test_a_runbook_is_opened_at_the_heading_for_the_failure_and_says_what_it_lacks(office, runbooks):
    file = write(office)
    found = runbooks.open(JOB, failure=FAILED)
    assert (found.title, found.text, found.path) == ("Order sync", TEXT, str(file))
    assert found.heading == "The shop API answers 503"
    assert "who to ask" in found.missing
    assert runbooks.open(JOB).heading == ""


def test_a_job_that_names_none_is_told_how_to_make_one(office, runbooks):
    office.job(JOB, 'backend = "none"')
    found = runbooks.open(JOB)
    assert not found.is_there
    assert "names no runbook yet" in found.trouble
    assert "runbooks/order-sync.md" in found.trouble


def test_a_runbook_that_is_not_there_is_told_with_the_path_it_would_have(office, runbooks):
    name_runbook(office, "runbooks/order-sync.md")
    found = runbooks.open(JOB)
    assert not found.is_there
    assert f"It would be {office.shop}/runbooks/order-sync.md" in found.trouble


def test_a_link_is_given_and_not_followed(office, runbooks):
    name_runbook(office, "https://wiki.example.com/order-sync")
    found = runbooks.open(JOB)
    assert (found.link, found.text, found.path) == ("https://wiki.example.com/order-sync", "", "")


def test_a_job_file_that_is_not_in_order_is_an_error_in_words(office, runbooks):
    office.file(JOB, "command = 1\n")
    with pytest.raises(UnknownJob, match="not in order"):
        runbooks.open(JOB)


def test_a_runbook_that_leads_out_of_the_shop_folder_is_not_read(office, runbooks):
    file = write(office)
    file.unlink()
    file.symlink_to("/etc/passwd")
    with pytest.raises(NotTrusted, match="leads out of the shop folder"):
        runbooks.open(JOB)


def test_a_runbook_that_cannot_be_read_is_an_error_in_words(office, runbooks):
    write(office, b"\xff\xfe")
    with pytest.raises(RidgelineError, match="not UTF-8"):
        runbooks.open(JOB)
    write(office, b"x" * 1_000_001)
    with pytest.raises(RidgelineError, match="larger than"):
        runbooks.open(JOB)


def test_the_pictures_beside_it_come_along_and_no_others(office, runbooks):
    (office.root / "secret.png").write_bytes(b"secret")
    write(
        office,
        "![a](img/a%20b.png) ![b](../../../secret.png) ![c](/etc/passwd.png) ![d](gone.png) ![e](link.png)\n"
        "![f](../jobs/up.png) ![g](huge.png) ![h](a%00b.png)",
    )
    folder = office.shop / "runbooks"
    (folder / "img").mkdir()
    (folder / "img" / "a b.png").write_bytes(b"picture")
    (office.shop / "jobs" / "up.png").write_bytes(b"up")
    (folder / "link.png").symlink_to(office.root / "secret.png")
    (folder / "huge.png").write_bytes(b"x" * 5_000_001)
    pictures = dict(runbooks.open(JOB).pictures)
    assert pictures == {"img/a%20b.png": b"picture", "../jobs/up.png": b"up"}


def test_pictures_are_taken_along_only_up_to_a_sum(office, runbooks):
    write(office, "![a](a.png) ![b](b.png) ![c](c.png) ![d](d.png)")
    for name in "abc":
        (office.shop / "runbooks" / f"{name}.png").write_bytes(b"x" * 4_000_000)
    (office.shop / "runbooks" / "d.png").write_bytes(b"x")
    assert [path for path, _ in runbooks.open(JOB).pictures] == ["a.png", "b.png", "d.png"]


def test_a_changed_runbook_is_written_and_keeps_its_mode_and_line_ends(office, runbooks):
    file = write(office, TEXT.replace("\n", "\r\n"))
    file.chmod(0o644)
    assert runbooks.save(runbooks.open(JOB), text="# New\n\nText") is None
    assert file.read_bytes() == b"# New\r\n\r\nText\r\n"
    assert file.stat().st_mode & 0o777 == 0o644
    assert os.listdir(file.parent) == ["order-sync.md"]


def test_a_runbook_that_somebody_else_has_changed_meanwhile_stays_and_is_given(office, runbooks):
    file = write(office)
    seen = runbooks.open(JOB)
    file.write_text("# Theirs\n")
    assert runbooks.save(seen, text="# Mine\n") == "# Theirs\n"
    assert file.read_text() == "# Theirs\n"
    file.unlink()
    assert runbooks.save(seen, text="# Mine\n") == ""
    assert not file.exists()


def test_a_new_runbook_begins_with_a_template_and_is_written_with_its_folder(office, runbooks):
    name_runbook(office, "docs/deep/order-sync.md")
    seen = runbooks.open(JOB)
    template = runbooks.template(JOB)
    assert template.startswith("# Order sync\n\n## What it does\n\nCopies orders.\n")
    assert "Jordan looks after this job." in template
    assert runbooks.save(seen, text=template) is None
    assert runbooks.open(JOB).text == template
    assert runbooks.save(seen, text="again") == template, "it is there by now"


def test_a_runbook_that_cannot_be_written_is_an_error_in_words(office, runbooks):
    name_runbook(office, "runbooks/order-sync.md")
    (office.shop / "runbooks").write_text("a file where the folder should be")
    seen = runbooks.open(JOB)
    assert not seen.is_there
    with pytest.raises(ShopUnreadable, match="cannot be written"):
        runbooks.save(seen, text="# Mine\n")
