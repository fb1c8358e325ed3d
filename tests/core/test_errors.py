"""Every error raised on purpose is of one family; every port is a contract and nothing else."""

from inspect import getdoc, getmembers, isclass

from ridgeline_desktop.core import errors, ports


def test_every_error_can_be_caught_as_one_and_says_itself_what_happened():
    kinds = [kind for _, kind in getmembers(errors, isclass) if kind.__module__ == errors.__name__]
    assert len(kinds) > 10
    for kind in kinds:
        assert issubclass(kind, errors.RidgelineError)
        assert (str(kind("do this")), kind.exit_code) == ("do this", 1)


def test_a_store_that_is_too_new_is_one_that_cannot_be_read():
    assert issubclass(errors.StoreTooNew, errors.StoreUnreadable)


def test_a_job_file_that_moved_carries_both_texts():
    moved = errors.JobFileMoved("changed", theirs="a", ours="b")
    assert (str(moved), moved.theirs, moved.ours) == ("changed", "a", "b")


def test_every_port_states_its_contract_in_each_of_its_methods():
    doors = [door for _, door in getmembers(ports, isclass) if door.__module__ == ports.__name__]
    silent = [
        f"{door.__name__}.{name}"
        for door in doors
        for name, member in vars(door).items()
        if callable(member) and not name.startswith("_") and not getdoc(member)
    ]
    assert len(doors) > 10
    assert silent == []
