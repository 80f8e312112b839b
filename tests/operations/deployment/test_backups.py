"""Backups that outlive their database are deleted with Google's own client, or reported."""

import io

import pytest
from rich.console import Console

from operations.deployment.backups import delete_backups
from operations.deployment.google import GoogleProject
from operations.deployment.options import CannotDeploy
from operations.deployment.terminal import Terminal
from tests.operations.deployment.google_apis import GoogleApis

OURS, OTHERS = "uid-of-ours", "uid-of-another"


@pytest.fixture
def screen() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def terminal(screen: io.StringIO) -> Terminal:
    return Terminal(1, Console(file=screen, highlight=False))


def test_a_databases_backups_are_deleted_and_no_others(
    project: GoogleProject, apis: GoogleApis, terminal: Terminal, screen: io.StringIO
) -> None:
    apis.backed_up("daily-1", OURS)
    apis.backed_up("weekly-1", OURS, location="us")
    apis.backed_up("daily-2", OTHERS)
    delete_backups(project, OURS, terminal)
    assert [backup["databaseUid"] for backup in apis.backups.values()] == [OTHERS]
    assert "Deleted backups: 2." in screen.getvalue()
    assert f"of other databases of {apis.project}, which are not deleted: 1" in screen.getvalue()


def test_without_a_database_none_is_deleted(
    project: GoogleProject, apis: GoogleApis, terminal: Terminal, screen: io.StringIO
) -> None:
    apis.backed_up("daily-2", OTHERS)
    delete_backups(project, None, terminal)
    assert len(apis.backups) == 1
    assert "Deleted backups: 0." in screen.getvalue()


def test_one_that_cannot_be_deleted_is_told_with_the_command(
    project: GoogleProject, apis: GoogleApis, terminal: Terminal
) -> None:
    apis.backed_up("daily-1", OURS)
    apis.backed_up("daily-2", OURS, state="CREATING")
    with pytest.raises(CannotDeploy, match="1 of its 2 backups could not be deleted") as caught:
        delete_backups(project, OURS, terminal)
    command = f"gcloud firestore backups delete --backup=daily-2 --location=europe-west1 --project={apis.project}"
    assert f"`{command}`" in str(caught.value)
    assert "daily-1" not in str(caught.value)


def test_backups_that_nobody_tells_are_not_said_to_be_gone(
    project: GoogleProject, apis: GoogleApis, terminal: Terminal
) -> None:
    apis.unreachable = ["europe-west1"]
    with pytest.raises(CannotDeploy, match="its backups were not") as caught:
        delete_backups(project, OURS, terminal)
    assert f"`gcloud firestore backups list --project={apis.project}`" in str(caught.value)


def test_one_that_expired_meanwhile_is_gone(project: GoogleProject, apis: GoogleApis) -> None:
    assert project.delete_backup(f"projects/{apis.project}/locations/us/backups/gone")


def test_what_a_database_is_known_by_is_found(project: GoogleProject, apis: GoogleApis) -> None:
    assert project.database_uid() is None
    apis.database = "europe-west1"
    assert project.database_uid() == apis.database_uid
