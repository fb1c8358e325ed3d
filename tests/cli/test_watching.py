import os
import shutil

import pytest

GOOD = 'command = ["/bin/true"]\nsafe_to_rerun = "yes"\n[schedule]\nbackend = "none"\nevery = "1 hour"\n'
IN_APP = GOOD.replace('"none"', '"in-app"')


def codes(row):
    return [reason["code"] for reason in row["reasons"]]


def test_check_prints_a_line_per_job_and_exits_by_the_worst(home):
    home.job("fine", GOOD)
    assert home.run("run", "fine").code == 0
    fine = home.run("check")
    assert fine.code == 0
    assert fine.out.startswith("fine: ok: last success")
    assert len(fine.out.splitlines()) == 1
    home.job("failing", GOOD.replace('"/bin/true"', '"/bin/false"'))
    assert home.run("run", "failing").code == 1
    both = home.run("check")
    assert both.code == 1
    assert [line.split(":")[0] for line in both.out.splitlines()] == ["failing", "fine"]
    assert home.run("check", "fine").code == 0


def test_a_broken_job_file_costs_its_own_job_only_and_is_amber_with_file_and_line(home):
    home.job("fine", GOOD)
    assert home.run("run", "fine").code == 0
    home.job("odd", 'command = ["/bin/true"]\n[schedule]\nevry = "1 hour"\n')
    checked = home.run("check")
    assert checked.code == 1
    assert "line 3: " in checked.out
    assert "odd.toml" in checked.out
    assert "every" in checked.out, "it says which keys are allowed"
    odd, fine = home.row("odd"), home.row("fine")
    assert (odd["health"], odd["attention"], codes(odd)) == ("unknown", "amber", ["broken-job-file"])
    assert (fine["health"], fine["attention"]) == ("ok", "green")
    refused = home.run("run", "odd")
    assert refused.code == 75
    assert "odd.toml:3:" in refused.err


def test_a_vanished_job_file_stays_as_a_row_that_cannot_be_told_until_somebody_says_it_is_meant(home):
    home.job("fine", GOOD)
    gone = home.job("gone", GOOD)
    for job in ("fine", "gone"):
        assert home.run("run", job).code == 0
    gone.unlink()
    checked = home.run("check")
    assert checked.code == 3
    assert f"ridgeline --home {home.root} unregister gone" in checked.out
    assert home.row("gone")["health"] == "unknown"
    assert home.run("unregister", "gone").code == 0
    assert home.run("check").code == 0
    assert [run["status"] for run in home.json("history", "gone")] == ["completed"], "its runs stay"


@pytest.mark.parametrize("state", ["empty", "missing"])
def test_an_unmounted_or_empty_shop_folder_is_never_green(home, state):
    home.job("fine", GOOD)
    assert home.run("run", "fine").code == 0
    shutil.rmtree(home.jobs)
    if state == "empty":
        home.jobs.mkdir(mode=0o700)
    checked = home.run("check")
    assert checked.code == 3
    assert "fine" in checked.out
    assert home.row("fine")["attention"] == "grey"


def test_nothing_at_all_is_grey_and_writes_nothing_while_looking(home):
    listed = home.run("list")
    assert (listed.code, "No jobs yet" in listed.out) == (0, True)
    assert not (home.root / "state").exists(), "looking never writes"
    assert home.run("check").code == 3


def test_an_unreadable_store_makes_every_light_grey(home):
    home.job("fine", GOOD)
    assert home.run("run", "fine").code == 0
    database = home.root / "state" / "ridgeline.sqlite3"
    for path in database.parent.glob("ridgeline.sqlite3*"):
        path.unlink()
    database.mkdir()
    checked = home.run("check")
    assert checked.code == 3
    assert "cannot be read" in checked.out
    assert home.row("fine")["health"] == "unknown"


def test_a_shop_folder_of_another_computer_says_which_jobs_this_one_never_registered(home):
    home.job("orders", IN_APP)
    home.job("report", IN_APP)
    listed = home.run("list")
    assert "This computer runs none of these 2 jobs: orders, report" in listed.out
    assert home.row("orders")["registration"] == "never-registered"
    assert home.row("orders")["attention"] == "amber", "nothing would ever start it"
    assert home.run("unregister", "--all").code == 0
    assert home.row("orders")["registration"] == "not-wanted"
    assert "runs none" not in home.run("list").out


def test_registering_is_read_back_and_unregistering_is_remembered(home):
    home.job("orders", IN_APP)
    dry = home.run("register", "orders", "--dry-run")
    assert (dry.code, "only while Ridgeline is open" in dry.out) == (0, True)
    assert home.json("verify")[0]["registration"] == "never-registered"
    assert home.run("register", "--all").code == 0
    [finding] = home.json("verify")
    assert finding["registration"] == "scheduler-stopped", "no program obeys the book now"
    home.job("orders", IN_APP.replace("1 hour", "2 hours"))
    [changed] = home.json("verify")
    assert "every 2 hours" in changed["wanted"]
    assert "every hour" in changed["found"] or "1 hour" in changed["found"]
    assert home.run("verify").code == 1
    assert home.run("unregister", "orders").code == 0
    [finding] = home.json("verify")
    assert finding["registration"] == "not-wanted"
    assert 'runs_elsewhere = ["orders"]' in (home.root / "config" / "settings.toml").read_text()
    assert home.run("register", "orders").code == 0
    assert "orders" not in (home.root / "config" / "settings.toml").read_text()


def test_an_entry_whose_job_is_gone_is_an_orphan_that_verify_lists(home):
    path = home.job("orders", IN_APP)
    home.job("elsewhere", GOOD)
    assert home.run("register", "orders").code == 0
    path.unlink()
    assert {f["job"]: f["registration"] for f in home.json("verify")}["orders"] == "orphan"
    assert home.run("check").code == 1
    assert home.run("unregister", "orders").code == 0
    assert {f["job"] for f in home.json("verify")} == {"elsewhere"}


@pytest.mark.parametrize("trouble", ["broken", "unmounted", "empty"])
def test_a_registered_job_whose_file_cannot_be_seen_is_never_called_an_orphan(home, trouble):
    path = home.job("orders", IN_APP)
    assert home.run("register", "orders").code == 0
    if trouble == "broken":
        path.write_text("command = \n")
    else:
        shutil.rmtree(home.jobs)
        if trouble == "empty":
            home.jobs.mkdir(mode=0o700)
    checked = home.run("check")
    assert checked.code == (1 if trouble == "broken" else 3)
    assert "Take it out" not in checked.out


def test_a_job_that_runs_elsewhere_is_not_missed_here(home):
    home.job("orders", IN_APP)
    home.job("here", GOOD)
    assert home.run("run", "here").code == 0
    assert home.run("unregister", "orders").code == 0
    row = home.row("orders")
    assert (row["due"], row["attention"], row["registration"]) == (None, "green", "not-wanted")
    assert "it runs on another computer" in home.run("check").out


def test_settings_that_are_wrong_are_told_with_their_line_and_nothing_is_guessed(home):
    home.job("fine", GOOD)
    settings = home.root / "config" / "settings.toml"
    settings.parent.mkdir(mode=0o700)
    settings.write_text('name = "Sam"\nshop_foldr = "/srv/shop"\n')
    for command in (("list",), ("check",), ("run", "fine")):
        answer = home.run(*command)
        assert answer.code in (1, 3, 75)
        assert "settings.toml:2" in answer.err
        assert "shop_folder" in answer.err


def test_a_job_file_that_others_can_write_is_not_obeyed(home):
    path = home.job("fine", GOOD)
    path.chmod(0o666)
    assert "chmod o-w" in home.run("list").out
    refused = home.run("run", "fine")
    assert refused.code == 75
    assert "can be written by everybody" in refused.err
    path.chmod(0o600)
    home.jobs.chmod(0o777)
    assert home.run("run", "fine").code == 75


def test_a_home_that_others_can_write_is_not_used(home):
    home.job("fine", GOOD)
    home.root.chmod(0o777)
    answer = home.run("list")
    assert answer.code == 1
    assert "can be written by everybody" in answer.err


def test_next_prints_fire_times_with_notes_and_refuses_what_cron_would_misread(home):
    fires = home.json(
        "next", "--cron", "30 2 * * *", "--zone", "America/Toronto", "--from", "2026-03-07T12:00", "-n", "2"
    )
    assert [fire["at"] for fire in fires] == ["2026-03-08T03:00:00-04:00", "2026-03-09T02:30:00-04:00"]
    assert "02:30" in fires[0]["note"]
    assert fires[1]["note"] == ""
    refused = home.run("next", "--cron", "0 22-2 * * *")
    assert refused.code == 2
    assert "22-2" in refused.err
    warned = home.run("next", "--cron", "*/7 * * * *", "-n", "1")
    assert (warned.code, "Note:" in warned.err) == (0, True)


def test_errors_are_one_sentence_and_never_a_traceback(home):
    home.job("fine", GOOD)
    for command in (
        ("show", "nobody"),
        ("run", "nobody"),
        ("stop", "fine"),
        ("log", "fine"),
        ("runbook", "fine"),
        ("lock", "clear", "fine"),
        ("pause", "fine", "--until", "2001-01-01T00:00"),
        ("record", "fine", "--status", "splendid"),
        ("run", "fine", "--run-id", "../../etc/passwd"),
        ("run", "fine", "--for", "yesterday"),
        ("nonsense",),
    ):
        answer = home.run(*command)
        assert answer.code not in (0, 3), command
        assert "Traceback" not in answer.err, command
        assert answer.err.strip(), command


@pytest.mark.parametrize("locale", ["C", "POSIX", "de_DE.ISO-8859-1"])
def test_odd_locales_print_every_word(home, locale):
    home.job("umlaut", GOOD.replace("safe", 'title = "Prüfung “7”"\nsafe'))
    answer = home.run("list", LC_ALL=locale, PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (answer.code, "umlaut" in answer.out) == (0, True)


def test_show_doctor_and_runbook_tell_what_there_is(home):
    home.job("fine", 'runbook = "runbooks/fine.md"\n' + GOOD)
    (home.root / "data" / "shop" / "runbooks").mkdir(mode=0o700)
    (home.root / "data" / "shop" / "runbooks" / "fine.md").write_text("# Fine\n\nNothing to do.\n")
    assert home.run("runbook", "fine").out == "# Fine\n\nNothing to do.\n"
    assert "every hour" in home.run("show", "fine").out
    facts = home.json("doctor")
    assert facts["state"] == str(home.root / "state")
    os.symlink("/etc/passwd", home.root / "data" / "shop" / "runbooks" / "leak.md")
    home.job("leak", 'runbook = "runbooks/leak.md"\n' + GOOD)
    leak = home.run("runbook", "leak")
    assert leak.code == 1
    assert "root:" not in leak.out


def test_the_sample_shop_shows_all_four_lights_and_leaves_nothing_behind(home):
    before = {path.name for path in home.root.parent.iterdir()}
    answer = home.run("demo", "--once", TMPDIR=str(home.root.parent))
    assert answer.code == 0, answer.err
    for light in ("x overdue", "? never succeeded", "! late", "v ok"):
        assert f"\n{light}" in answer.out
    assert "the shop API answered 503" in answer.out
    assert {path.name for path in home.root.parent.iterdir()} == before


def test_show_says_why_in_plain_words_and_what_proves_it(home):
    home.job("sync", 'shell = "echo no stock; exit 3"\n[schedule]\nbackend = "none"\n')
    assert home.run("run", "sync").code == 3
    shown = home.run("show", "sync").out
    assert "because  The last run failed: no stock" in shown
    assert "It ended with code 3" in shown
    assert "It said: “no stock”" in shown
    assert "exit code" not in home.run("list").out
    assert "It ended with code 3" not in home.run("list").out, "a list stays short"
