"""The log of a run and the texts looked for in it."""

import os
import resource
import stat

import pytest

from ridgeline_desktop.runner.output import RunLog, TextWatch


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "logs" / "run.log")


def written(path, *pieces, head=100, segment=20):
    log = RunLog(path, head=head, segment=segment)
    for piece in pieces:
        log.write(piece)
    log.close()
    return log


def kept(path):
    with open(path, "rb") as file:
        return file.read()


def test_output_that_fits_is_kept_byte_for_byte(path):
    odd = bytes(range(256)) * 3
    written(path, odd[:300], odd[300:], head=1000)
    assert kept(path) == odd


def test_only_the_owner_reads_a_log_whatever_the_umask(path):
    old = os.umask(0)
    try:
        written(path, b"x" * 500)
    finally:
        os.umask(old)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700


@pytest.mark.parametrize("size", [101, 119, 120, 121, 140])
def test_a_little_more_than_the_head_is_still_kept_whole(path, size):
    data = bytes(n % 251 for n in range(size))
    written(path, data)
    assert kept(path) == data


@pytest.mark.parametrize("step", [1, 7, 1000])
@pytest.mark.parametrize("size", [141, 159, 160, 161, 179, 200, 999])
def test_of_long_output_the_beginning_and_the_end_are_kept_and_the_rest_counted(path, size, step):
    data = bytes(65 + n % 26 for n in range(size))
    written(path, *(data[at : at + step] for at in range(0, size, step)))
    begin, _, rest = kept(path).partition(b"\n--- ")
    count, _, end = rest.partition(b" bytes left out ---\n")
    assert (begin, len(begin)) == (data[:100], 100)
    assert data.endswith(end)
    assert 20 <= len(end) <= 40
    assert int(count) == size - 100 - len(end)


def test_nothing_but_the_one_log_is_left_in_the_end(path):
    written(path, b"x" * 1000)
    assert os.listdir(os.path.dirname(path)) == ["run.log"]


def test_while_the_job_runs_its_last_words_are_on_disk(path):
    log = RunLog(path, head=100, segment=20)
    log.write(b"x" * 300 + b"last words")
    folder = os.path.dirname(path)
    tails = [kept(os.path.join(folder, name)) for name in os.listdir(folder) if name != "run.log"]
    assert any(tail.endswith(b"last words") for tail in tails)
    log.close()


def test_no_output_makes_no_file(path):
    assert written(path).problem == ""
    assert not os.path.exists(path)


def test_a_log_that_cannot_be_written_says_why_and_stops_nothing(tmp_path):
    (tmp_path / "logs").write_text("in the way")
    log = written(str(tmp_path / "logs" / "run.log"), b"one", b"two")
    assert log.problem == "file exists"


def test_a_log_that_cannot_grow_keeps_what_it_has_and_says_why(path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50, hard))
    try:
        log = written(path, b"x" * 40, b"y" * 300)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert log.problem == "file too large"
    assert kept(path) == b"x" * 40 + b"y" * 10


def test_a_mark_begins_a_line_of_its_own(path):
    log = RunLog(path)
    log.write(b"half a line")
    log.mark("attempt 2 of 3")
    log.write(b"whole\n")
    log.mark("attempt 3 of 3")
    log.close()
    assert kept(path) == b"half a line\n--- attempt 2 of 3 ---\nwhole\n--- attempt 3 of 3 ---\n"


@pytest.mark.parametrize("size", range(1, 12))
def test_a_text_is_seen_however_the_output_is_cut(size):
    output = "…nearly don, then done: é".encode()
    for text in ("done: é", "e", "…nearly don, then done: é"):
        watch = TextWatch(text)
        for at in range(0, len(output), size):
            watch.feed(output[at : at + size])
        assert watch.seen, (text, size)


@pytest.mark.parametrize("size", range(1, 8))
def test_a_text_that_never_came_is_not_seen(size):
    watch = TextWatch("all done")
    for at in range(0, 21, size):
        watch.feed(b"all_done alldone al d"[at : at + size])
    assert not watch.seen


def test_no_text_is_never_seen():
    watch = TextWatch("")
    watch.feed(b"anything")
    assert not watch.seen


def test_a_log_that_cannot_be_joined_keeps_its_pieces_and_its_beginning(path):
    log = RunLog(path, head=100, segment=20)
    log.write(b"x" * 300)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (110, hard))
    try:
        log.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert log.problem == "file too large"
    assert kept(path) == b"x" * 100
    assert len(os.listdir(os.path.dirname(path))) == 3


@pytest.mark.parametrize("umask", [0, 0o777])
def test_folders_above_a_log_are_as_private_as_itself(tmp_path, umask):
    before = os.umask(umask)
    try:
        written(str(tmp_path / "state" / "logs" / "run.log"), b"x")
    finally:
        os.umask(before)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "state").rglob("*")]
    assert [stat.S_IMODE((tmp_path / "state").stat().st_mode), *modes] == [0o700, 0o700, 0o600]
