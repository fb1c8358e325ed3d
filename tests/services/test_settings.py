"""Settings through their form: read, judged, saved key by key, taken back."""

from dataclasses import replace

import pytest

from ridgeline_desktop.core.errors import RidgelineError, SettingsBroken
from ridgeline_desktop.core.settings import CloseButton, Theme


@pytest.fixture
def desk(office):
    office.settings('# the till\nname = "Sam" # who\n')
    return office.settings_desk


def test_the_form_shows_what_applies(office, desk):
    assert (desk.draft().name, desk.draft().days) == ("Sam", "400")
    assert desk.read() == office.jobs.settings()


def test_only_what_was_changed_is_written_and_can_be_taken_back(office, desk):
    before = office.settings_path.read_text()
    draft = desk.draft()
    saved = desk.save(draft, replace(draft, theme=Theme.DARK, close=CloseButton.TRAY, days="30"))
    assert (saved.sentence, saved.written) == ("Saved.", True)
    assert office.settings_path.read_text() == (
        f'{before}theme = "dark"\nclose = "tray"\n\n[retention]\ndays = 30\n'
    )
    office.settings_path.write_text('zone = "UTC"\n' + office.settings_path.read_text())
    assert desk.undo(saved).sentence == "Undone."
    assert office.jobs.settings() == replace(
        desk.read(), theme=Theme.SYSTEM, close=CloseButton.ASK, zone="UTC"
    )
    assert desk.draft() == replace(draft, zone="UTC")


def test_a_new_name_applies_from_the_next_start_on(desk):
    draft = desk.draft()
    assert "next start" in desk.save(draft, replace(draft, name="Theo")).sentence


def test_nothing_changed_or_not_in_order_writes_nothing(office, desk):
    before, draft = office.settings_path.read_text(), desk.draft()
    assert not desk.save(draft, replace(draft, name=" Sam ")).written
    wrong = desk.save(draft, replace(draft, zone="Mars/Base", days="0"))
    assert {problem.field for problem in wrong.problems} == {"zone", "days"}
    assert not wrong.written
    assert office.settings_path.read_text() == before
    with pytest.raises(RidgelineError, match="nothing to take back"):
        desk.undo(wrong)


def test_a_shop_folder_that_is_not_there_may_be_saved_all_the_same(office, desk):
    draft = desk.draft()
    [problem] = desk.check(replace(draft, shop_folder="/no/such"))
    assert (problem.field, problem.blocks) == ("shop_folder", False)
    assert desk.check(replace(draft, shop_folder=str(office.shop))) == ()
    assert [problem.blocks for problem in desk.check(replace(draft, shop_folder="shop"))] == [True]
    assert desk.save(draft, replace(draft, shop_folder="/no/such")).written


def test_settings_that_are_not_in_order_have_no_form(office, desk):
    office.settings("name = 1\n")
    with pytest.raises(SettingsBroken, match=r"settings.toml:1"):
        desk.draft()
