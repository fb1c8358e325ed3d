"""The bytes of crontabs: foreign ones survive, ours stand on top, doubtful tables are left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline_desktop.backends.crontab_text import (
    BEGIN,
    END,
    BlockEntry,
    cron_line,
    parse,
    program_in,
    with_entries,
    word_problem,
)
from ridgeline_desktop.core.errors import BackendError

SYNC = BlockEntry(name="order-sync", lines=(b"*/15 * * * * /srv/bin/run order-sync",))
REPORT = BlockEntry(name="weekly-report", lines=(b"30 6 * * 1 /srv/bin/run weekly-report", b"0 18 * * 1 x"))
CHANGED = BlockEntry(name="order-sync", lines=(b"0 * * * * /srv/bin/run order-sync",))

AWKWARD_LINES = (
    b"MAILTO=", b'MAILTO=""', b"FOO = 'x y'", b"PATH=$HOME/bin:/usr/bin", b"CRON_TZ=Europe/Berlin",
    b"\xa0* * * * * nbsp", b"# caf\xe9 in latin-1", "# café in UTF-8".encode(), b"0 2 * * * carriage\r",
    b"### x", b"# ridgeline: order-sync", b"#0 2 * * * prose, or a job switched off", b"\t5\t*  * * *\ttabs ",
    b"0 5 * * 7  trailing blanks   ", b"@5 freebsd", b"@every_minute x", b"0 6 * * * mail%Dear all,%%bye",
    b"0 6 * * * date +\\%F", b"1-7 * */7 * * x", b"5#2 * * * * x", b"# twice", b"# twice", b"", b"   ",
    b"0 7 * * * " + b"x" * 980, b"LONG=" + b"y" * 2000, b"* * * * *", b"-0 1 * * * x", b"\x0c",
    b"FOO=bar * * * * * cmd",
    b"# >>> Ridgeline", b"#" + BEGIN, b"0 1 * * * \x0bvertical\x85\x1c",
)  # fmt: skip


def is_one_foreign_line(line: bytes) -> bool:
    return b"\n" not in line and not line.endswith(rb"\r") and line.strip() not in (BEGIN, END)


LINES = st.one_of(
    st.sampled_from(AWKWARD_LINES),
    st.binary(max_size=30).filter(is_one_foreign_line),
)
TABLES = st.builds(
    lambda lines, end: b"\n".join(lines) + end, st.lists(LINES, max_size=12), st.sampled_from((b"\n", b""))
)
ENTRIES = st.lists(st.sampled_from((SYNC, REPORT)), unique=True, max_size=2)


def ended(table: bytes) -> bytes:
    return table + b"\n" if table and not table.endswith(b"\n") else table


@given(TABLES)
def test_foreign_bytes_survive_adding_changing_and_removing(foreign):
    added = with_entries(foreign, (SYNC,))
    changed = with_entries(added, (CHANGED, REPORT))
    removed = with_entries(changed, ())
    assert added.endswith(END + b"\n" + ended(foreign))
    assert changed.endswith(END + b"\n" + ended(foreign))
    assert removed == ended(foreign)


@given(TABLES, ENTRIES)
def test_what_was_written_is_what_is_read(foreign, entries):
    table = parse(with_entries(foreign, entries))
    assert list(table.entries) == entries
    assert not table.is_displaced


@given(TABLES, ENTRIES)
def test_writing_the_same_again_changes_nothing(foreign, entries):
    once = with_entries(foreign, entries)
    assert with_entries(once, entries) == once


@given(TABLES, TABLES)
def test_a_block_found_lower_down_moves_to_the_top_and_the_rest_keeps_its_order(above, below):
    moved = ended(above) + with_entries(below, (SYNC,))
    rewritten = with_entries(moved, (SYNC,))
    assert rewritten == with_entries(ended(above) + below, (SYNC,))
    assert rewritten.startswith(BEGIN)
    assert with_entries(moved, ()) == ended(ended(above) + below)


def test_the_block_stands_first_with_a_name_above_each_job_and_no_variables():
    assert with_entries(b"MAILTO=theo\n", (SYNC, REPORT)).decode() == (
        "# >>> Ridgeline Desktop: do not edit between these lines >>>\n"
        "# ridgeline: order-sync\n"
        "*/15 * * * * /srv/bin/run order-sync\n"
        "# ridgeline: weekly-report\n"
        "30 6 * * 1 /srv/bin/run weekly-report\n"
        "0 18 * * 1 x\n"
        "# <<< Ridgeline Desktop <<<\n"
        "MAILTO=theo\n"
    )


def test_no_job_and_no_block_leaves_even_a_missing_line_end_alone():
    assert with_entries(b"# note", ()) == b"# note"
    assert with_entries(b"", ()) == b""


@pytest.mark.parametrize(
    ("setting", "displaced"),
    [
        (b"CRON_TZ=Europe/Berlin", True),
        (b"  SHELL = /bin/false", True),
        (b'"PATH"=/opt/bin', True),
        (b"FOO=bar * * * * * cmd", True),
        (b"# SHELL=/bin/false", False),
        (b"0 1 * * * A=1 x", False),
        (b"@daily A=1 x", False),
    ],
)
def test_only_a_variable_above_our_jobs_displaces_them(setting, displaced):
    assert parse(setting + b"\n" + with_entries(b"", (SYNC,))).is_displaced is displaced
    assert not parse(with_entries(setting, (SYNC,))).is_displaced


def test_a_variable_put_into_the_block_displaces_and_is_moved_below_it_not_lost():
    block = with_entries(b"# end\n", (SYNC,))
    edited = block.replace(b"# ridgeline: order-sync", b"SHELL=/bin/false\n\n# ridgeline: order-sync")
    assert parse(edited).is_displaced
    assert with_entries(edited, (SYNC,)) == with_entries(b"SHELL=/bin/false\n\n# end\n", (SYNC,))


@pytest.mark.parametrize(
    ("marks", "words"),
    [
        ((BEGIN,), "only one of the two marks"),
        ((END,), "only one of the two marks"),
        ((END, BEGIN), "do not pair up"),
        ((BEGIN, BEGIN, END, END), "begins twice before it ends"),
        ((BEGIN, BEGIN, END), "begins twice before it ends"),
        ((BEGIN, END, BEGIN, END), "more than once"),
        ((BEGIN, END, END), "do not pair up"),
    ],
)
def test_marks_that_do_not_enclose_one_block_are_refused(marks, words):
    table = b"# before\n" + b"\n# between\n".join(marks) + b"\n0 1 * * * x\n"
    for attempt in (lambda: parse(table), lambda: with_entries(table, (SYNC,))):
        with pytest.raises(BackendError, match=words):
            attempt()


def test_marks_with_blanks_around_them_are_still_our_marks():
    table = with_entries(b"", (SYNC,)).replace(END, b"  " + END + b" \t")
    assert parse(table).entries == (SYNC,)


def test_a_carriage_return_as_the_client_prints_it_blocks_writing_and_names_the_line():
    with pytest.raises(BackendError, match=r"line 2 of the crontab .* Windows line end"):
        with_entries(b"# fine\n0 1 * * * x\\r\n", (SYNC,))


def test_a_table_cron_would_not_take_is_not_made():
    with_entries(b"\n" * 9_996, (SYNC,))
    with pytest.raises(BackendError, match="10000 lines"):
        with_entries(b"\n" * 9_997, (SYNC,))
    with pytest.raises(BackendError, match="998 bytes"):
        with_entries(b"", (BlockEntry(name="long", lines=(b"* * * * * " + b"x" * 989,)),))


def test_words_are_quoted_only_where_the_shell_needs_it():
    line = cron_line("0 5 * * *", ("/usr/bin/python3", "-m", "--home", "/srv/the café", "", "a b", "~"))
    assert line == "0 5 * * * /usr/bin/python3 -m --home '/srv/the café' '' 'a b' '~'".encode()


@pytest.mark.parametrize("word", ["50%", "a\\b", "Jo's", "two\nlines", "\x07", "\x7f", "\x85", "\udce9"])
def test_a_word_cron_or_its_shell_would_read_otherwise_is_named(word):
    assert "does not pass on as it is" in word_problem(word)


@pytest.mark.parametrize("word", ["/srv/café/bin", "two words", "", "$HOME", "a;b", '"x"', "# no comment"])
def test_a_word_that_quotes_can_carry_is_let_through(word):
    assert word_problem(word) == ""


@pytest.mark.parametrize(
    ("line", "program"),
    [
        (b"*/15 * * * * '/srv/ridge line/python' -I", "/srv/ridge line/python"),
        (b"30  6\t* * 1 /usr/bin/python3 -I", "/usr/bin/python3"),
        (b"@daily /usr/bin/python3", "/usr/bin/python3"),
        ("@daily '/srv/café'".encode(), "/srv/café"),
        (b"#30 6 * * 1 /usr/bin/python3", ""),
        (b"30 6 * * 1 '/unfinished", ""),
        (b"SHELL=/bin/false", ""),
        (b"", ""),
    ],
)
def test_the_program_of_a_line_is_its_first_word_unquoted(line, program):
    assert program_in((line,)) == program


def test_an_entry_without_lines_has_no_program():
    assert program_in(()) == ""
