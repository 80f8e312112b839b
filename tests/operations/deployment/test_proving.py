"""A canary through the deployment, started and reported by Google's APIs."""

import pytest

from operations.deployment.google import GoogleProject
from operations.deployment.options import CannotDeploy
from operations.deployment.proving import wait_for_report
from tests.operations.deployment.google_apis import SEEN, GoogleApis

JOB = "projects/{project}/locations/europe-west1/jobs/lull-canary"


def test_a_canary_is_sent_and_its_report_is_read(project: GoogleProject, apis: GoogleApis) -> None:
    assert project.canary_report() == {}
    assert project.run_job(JOB.format(project=apis.project))
    report = wait_for_report(project.canary_report, None)
    assert (report["is_well"], report["steps"]) == (True, [SEEN])


def test_an_old_report_is_not_taken_for_a_new_one(project: GoogleProject, apis: GoogleApis) -> None:
    assert project.run_job(JOB.format(project=apis.project))
    with pytest.raises(CannotDeploy, match="The canary's result did not arrive within 0 s"):
        wait_for_report(project.canary_report, "0", longest_s=0)


def test_no_answer_is_no_report(project: GoogleProject, apis: GoogleApis) -> None:
    assert project.run_job(JOB.format(project=apis.project))
    apis.silent = 2
    assert wait_for_report(project.canary_report, None, look_every_s=0)["steps"] == [SEEN]
    apis.silent = 1
    assert project.canary_report() is None
    assert project.canary_report() == {"at": "0", "is_well": True, "steps": [SEEN]}


def test_a_job_that_is_not_there_is_told(project: GoogleProject, apis: GoogleApis) -> None:
    assert not project.run_job(f"projects/{apis.project}/locations/europe-west1/jobs/other")
