"""What every scheduler promises, whichever it is."""

import pytest
from shop_entries import MONDAYS, QUARTER_HOURS, TWO_LINES, entry

from ridgeline_desktop.core.errors import CannotExpress
from ridgeline_desktop.core.schedules import ByHand

SHOP = (entry("order-sync"), entry("weekly-report", MONDAYS), entry("arrivals-check", TWO_LINES))


def natives(backend):
    return {found.name: found.native for found in backend.read_back()}


class BackendContract:
    """Subclasses give `backend`, empty; `program` is the first word of an entry's command."""

    def test_it_can_be_used_here(self, backend):
        assert backend.available() == ""

    def test_at_first_nothing_of_ours_is_there(self, backend):
        assert backend.read_back() == ()

    def test_what_was_applied_reads_back_as_it_was_previewed(self, backend):
        backend.apply(SHOP)
        assert natives(backend) == {wanted.name: backend.preview(wanted) for wanted in SHOP}
        for found in backend.read_back():
            assert (found.copies, found.enabled) == (1, True)
            assert found.program == SHOP[0].argv[0]

    def test_applying_again_replaces_its_namesake_and_nothing_else(self, backend):
        backend.apply(SHOP)
        before = natives(backend)
        changed = entry("order-sync", MONDAYS)
        backend.apply([changed])
        assert natives(backend) == {**before, "order-sync": backend.preview(changed)}
        assert before["order-sync"] != backend.preview(changed)

    def test_the_same_twice_is_there_once(self, backend):
        backend.apply(SHOP)
        backend.apply(SHOP)
        assert [found.copies for found in backend.read_back()] == [1, 1, 1]

    def test_nothing_to_apply_is_no_error(self, backend):
        backend.apply([])
        assert backend.read_back() == ()

    def test_only_the_named_are_removed(self, backend):
        backend.apply(SHOP)
        backend.remove(["order-sync", "arrivals-check", "never-there"])
        assert list(natives(backend)) == ["weekly-report"]
        backend.remove(["weekly-report"])
        assert backend.read_back() == ()

    def test_removing_what_is_not_there_is_no_error(self, backend):
        backend.remove(["never-there"])
        assert backend.read_back() == ()

    def test_an_entry_with_an_objection_is_refused_and_none_of_its_company_is_registered(self, backend):
        by_hand = entry("by-hand", ByHand())
        assert backend.objections(by_hand) != ()
        assert backend.objections(entry("order-sync", QUARTER_HOURS)) == ()
        with pytest.raises(CannotExpress, match="by-hand"):
            backend.apply([entry("order-sync"), by_hand])
        assert backend.read_back() == ()

    def test_its_state_is_a_sentence(self, backend):
        assert len(backend.service_state().sentence) > 10
