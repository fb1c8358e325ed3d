from ridgeline_desktop.core.job_files import read_job_file
from ridgeline_desktop.core.jobs import Job, cautions


def job(text: str) -> Job:
    found = read_job_file("tidy.toml", f'command = ["/bin/true"]\n{text}', shop_zone="UTC").job
    assert found is not None
    return found


def test_a_cron_expression_that_is_read_otherwise_than_people_think_is_cautioned_about():
    [caution] = cautions(job('[schedule]\ncron = "*/7 * * * *"\n'))
    assert ":56" in caution
    assert cautions(job('[schedule]\ncron = "*/5 * * * *"\n')) == ()


def test_a_run_without_a_deadline_is_cautioned_about():
    [caution] = cautions(job('[run]\ndeadline = "none"\n'))
    assert "never ended" in caution


def test_an_ordinary_job_needs_no_caution():
    assert cautions(job('[schedule]\nevery = "1 hour"\n')) == ()
