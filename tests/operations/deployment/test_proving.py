"""A canary through what is deployed, as Google's APIs start it and tell of it."""

import pytest

from operations.deployment.google import GoogleProject
from operations.deployment.options import CannotDeploy
from operations.deployment.proving import awaited
from tests.operations.deployment.google_apis import SEEN, GoogleApis

JOB = "projects/{project}/locations/europe-west1/jobs/lull-canary"


def test_a_canary_is_sent_and_its_report_is_read(project: GoogleProject, apis: GoogleApis) -> None:
    before = project.canary_report().get("at")
    assert before is None
    assert project.run_job(JOB.format(project=apis.project))
    report = awaited(project.canary_report, before)
    assert (report["is_well"], report["steps"]) == (True, [SEEN])


def test_an_old_report_is_not_taken_for_a_new_one(project: GoogleProject, apis: GoogleApis) -> None:
    assert project.run_job(JOB.format(project=apis.project))
    with pytest.raises(CannotDeploy, match="No canary was reported within 0 s"):
        awaited(project.canary_report, project.canary_report()["at"], longest_s=0)


def test_a_job_that_is_not_there_is_told(project: GoogleProject, apis: GoogleApis) -> None:
    assert not project.run_job(f"projects/{apis.project}/locations/europe-west1/jobs/other")
