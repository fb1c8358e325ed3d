"""A job's environment is composed from nothing, so it is the same whoever starts the run."""

from datetime import datetime

from ridgeline_desktop.core.environments import Account, RunVariables, compose
from ridgeline_desktop.core.job_files import read_job_file
from ridgeline_desktop.core.jobs import Job

SAM = Account(user="sam", home="/home/sam", shell="/bin/bash")
VARIABLES = RunVariables(
    run_id="0195", fence=7, deadline=None, checkpoint="/state/checkpoints/order-sync", home=""
)


def job(environment: str = "") -> Job:
    text = f'command = ["true"]\n[environment]\n{environment}\n'
    found = read_job_file("order-sync.toml", text, shop_zone="UTC").job
    assert found is not None
    return found


def composed(environment: str = "", variables: RunVariables = VARIABLES) -> dict[str, str]:
    return dict(
        compose(
            job(environment), account=SAM, path="/usr/bin:/bin", zone="America/Toronto", variables=variables
        )
    )


def test_it_holds_these_variables_and_no_other():
    assert composed() == {
        "HOME": "/home/sam",
        "USER": "sam",
        "LOGNAME": "sam",
        "SHELL": "/bin/bash",
        "LANG": "C.UTF-8",
        "TZ": "America/Toronto",
        "PATH": "/usr/bin:/bin",
        "RIDGELINE_RUN_ID": "0195",
        "RIDGELINE_JOB": "order-sync",
        "RIDGELINE_FENCE": "7",
        "RIDGELINE_CHECKPOINT": "/state/checkpoints/order-sync",
    }


def test_what_a_run_has_besides_is_told_too_and_the_deadline_in_utc():
    told = composed(
        variables=RunVariables(
            run_id="0195",
            fence=7,
            deadline=datetime.fromisoformat("2026-03-04T06:42:00-05:00"),
            checkpoint="/c",
            home="/demo",
            file="/srv/inbox/a.csv",
        )
    )
    assert told["RIDGELINE_DEADLINE"] == "2026-03-04T11:42:00+00:00"
    assert told["RIDGELINE_HOME"] == "/demo"
    assert told["RIDGELINE_FILE"] == "/srv/inbox/a.csv"


def test_the_job_file_wins_over_the_defaults():
    told = composed('PATH = "/opt/bin"\nLANG = "fr_CA.UTF-8"\nEMPTY = ""\n')
    assert (told["PATH"], told["LANG"], told["EMPTY"]) == ("/opt/bin", "fr_CA.UTF-8", "")
