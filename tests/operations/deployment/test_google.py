"""Checks of Google Cloud with Google's own client, against a server that answers like Google."""

import asyncio
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from google.auth.credentials import AnonymousCredentials
from google.cloud.firestore_v1.async_client import AsyncClient

from local.cloud import LocalCloud
from operations.deployment.google import LOGIN, NEEDED_APIS, GoogleProject, check_login, logged_in
from operations.deployment.options import CannotDeploy
from shared.chat.store.bots import FirestoreOwners
from tests.operations.deployment.google_apis import GoogleApis
from tests.shared.new_chats import new_project


def look_at(project: GoogleProject) -> None:
    project.check_apis()
    project.check_project()
    project.check_billing()
    project.check_budget("012345-6789AB-CDEF01")


def complaint(project: GoogleProject) -> str:
    with pytest.raises(CannotDeploy) as caught:
        look_at(project)
    return str(caught.value)


def test_a_project_in_which_lull_can_be_made_passes(project: GoogleProject, apis: GoogleApis) -> None:
    look_at(project)
    assert project.database_location() is None
    # a person's login has no project that pays for the requests
    assert apis.billed_to - {""} == {apis.project}


def test_a_database_that_is_there_is_found(project: GoogleProject, apis: GoogleApis) -> None:
    apis.database = "europe-west1"
    assert project.database_location() == "europe-west1"


def test_a_bucket_that_is_there_is_found(project: GoogleProject, apis: GoogleApis) -> None:
    apis.buckets["acme-lull-archive"] = "EU"
    assert [project.bucket_location("acme-lull-archive"), project.bucket_location("another")] == ["EU", None]


def test_an_owner_that_is_there_is_found(project: GoogleProject, apis: GoogleApis) -> None:
    apis.owners["lull"] = 5
    assert [project.has_owner("lull"), project.has_owner("moss")] == [True, False]


async def test_an_owner_is_found_where_lull_keeps_it(cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", cloud.firestore_host)
    project = new_project()  # its own project, as other tests expect agents without an owner
    client: Any = AsyncClient(project=project)  # the method `close` has no types
    nobody = AnonymousCredentials()  # type: ignore[no-untyped-call]
    here = GoogleProject(project, nobody, f"http://{cloud.firestore_host}")
    assert not await asyncio.to_thread(here.has_owner, "lull")
    await FirestoreOwners(client).claim("lull", 5, datetime.now(UTC))
    client.close()
    assert await asyncio.to_thread(here.has_owner, "lull")


def test_services_that_are_off_are_named_with_the_command(project: GoogleProject, apis: GoogleApis) -> None:
    apis.enabled.discard("cloudbilling.googleapis.com")
    assert f"`gcloud services enable cloudbilling.googleapis.com --project={apis.project}`" in complaint(project)


def test_all_services_are_named_where_even_asking_is_off(project: GoogleProject, apis: GoogleApis) -> None:
    apis.enabled.clear()
    assert f"`gcloud services enable {' '.join(NEEDED_APIS)} --project={apis.project}`" in complaint(project)


def test_a_project_that_is_not_there_is_told(apis: GoogleApis, project: GoogleProject) -> None:
    other = GoogleProject("somebody-else", project.credentials, apis.apis)
    assert "The project somebody-else does not exist" in complaint(other)
    assert "`gcloud projects create somebody-else`" in complaint(other)


def test_a_project_that_is_being_deleted_is_told(project: GoogleProject, apis: GoogleApis) -> None:
    apis.state = "DELETE_REQUESTED"
    assert f"is DELETE_REQUESTED. To restore it, run `gcloud projects undelete {apis.project}`" in complaint(project)


def test_what_one_may_not_do_is_named(project: GoogleProject, apis: GoogleApis) -> None:
    apis.allowed -= {"iam.roles.create", "iam.serviceAccounts.actAs"}
    said = complaint(project)
    assert "(iam.roles.create, iam.serviceAccounts.actAs)" in said
    assert "gcloud projects add-iam-policy-binding" in said


def test_a_permission_that_google_calls_invalid_stops_nobody(project: GoogleProject, apis: GoogleApis) -> None:
    apis.invalid = {"iam.serviceAccounts.actAs", "billing.budgets.create"}
    apis.allowed -= apis.invalid
    project.check_project()
    project.check_budget("012345-6789AB-CDEF01")
    # the others are still checked
    apis.allowed.discard("iam.roles.create")
    assert "(iam.roles.create)" in complaint(project)


def test_who_may_not_make_a_budget_is_told_so(project: GoogleProject, apis: GoogleApis) -> None:
    apis.allowed.discard("billing.budgets.create")
    said = complaint(project)
    assert "may not create a budget for the billing account 012345-6789AB-CDEF01 (billing.budgets.create)" in said
    assert "`gcloud billing accounts add-iam-policy-binding 012345-6789AB-CDEF01 " in said
    project.check_budget(None)


def test_a_project_that_nobody_pays_for_is_told(project: GoogleProject, apis: GoogleApis) -> None:
    apis.is_paid = False
    assert f"`gcloud billing projects link {apis.project} --billing-account=ACCOUNT`" in complaint(project)


def test_a_login_that_ended_is_told(project: GoogleProject, apis: GoogleApis) -> None:
    apis.is_login_good = False
    assert f"run `{LOGIN}`" in complaint(project)


def test_whether_somebody_is_logged_in_is_known_before_anything_is_asked(
    project: GoogleProject, apis: GoogleApis
) -> None:
    check_login({})
    assert apis.asked == ["/token"]
    apis.is_login_good = False
    with pytest.raises(CannotDeploy, match=f"has expired: run `{LOGIN}`"):
        check_login({})


def test_no_network_is_told(project: GoogleProject) -> None:
    unreachable = GoogleProject(project.id, project.credentials, "http://127.0.0.1:1/{api}")
    assert "Google cannot be reached" in complaint(unreachable)


def test_without_a_login_the_command_that_makes_one_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path))
    monkeypatch.setenv("NO_GCE_CHECK", "true")
    with pytest.raises(CannotDeploy, match="You are not logged in to Google Cloud") as caught:
        logged_in({"PATH": str(tmp_path)})
    assert "install the gcloud command (https://cloud.google.com/sdk/docs/install), then run" in str(caught.value)
    (tmp_path / "gcloud").touch(mode=0o755)
    with pytest.raises(CannotDeploy) as caught:
        logged_in({"PATH": str(tmp_path)})
    assert re.search(r"Google Cloud: run `gcloud auth application-default login`\.$", str(caught.value))
