"""Another region: what can move is moved under names that are free, what cannot stays where it is."""

import pytest

from tests.infra.workspace import Workspace

FIRST, OTHER = "europe-west1", "us-central1"


def test_a_deployment_moves_and_its_data_stays(fresh: Workspace) -> None:
    fresh.apply(archive=True)
    before, bundled = places(fresh), bundles(fresh)

    ran = fresh.run("plan", "-input=false", region=OTHER, archive=True)
    assert ran.code == 1
    assert f'The database is in {FIRST} and cannot move: set database_location = "{FIRST}"' in ran.sentence

    # the cloud refuses a name that it has already, as Google does
    fresh.apply(region=OTHER, database_location=FIRST, archive=True)
    after = places(fresh)
    assert {kind for kind, there in after.items() if there == {OTHER}} == {
        "google_artifact_registry_repository",
        "google_artifact_registry_repository_iam_member",
        "google_cloud_run_v2_service_iam_member",
        "google_cloud_scheduler_job",
        "google_cloud_tasks_queue",
        "google_cloud_tasks_queue_iam_member",
        "google_cloudfunctions2_function",
    }
    assert after["google_firestore_database"] == before["google_firestore_database"] == {FIRST}
    assert after["google_storage_bucket"] == {FIRST, OTHER}  # the archive and media, the bundles
    assert bundles(fresh) & bundled == set()  # they went with their bucket, and are uploaded anew
    ran = fresh.run("plan", "-input=false", "-detailed-exitcode", region=OTHER, database_location=FIRST, archive=True)
    assert (ran.code, "No changes" in ran.text) == (0, True), ran.text


@pytest.mark.parametrize(("location", "bucket"), [("nam5", "US"), ("eur3", "EU")])
def test_what_people_said_and_sent_is_where_the_database_is(fresh: Workspace, location: str, bucket: str) -> None:
    found = fresh.plan(archive=True, database_location=location).resources
    there = {r.address: r.values["location"] for r in found if r.type == "google_storage_bucket"}
    assert there["module.archive[0].google_storage_bucket.this"] == bucket
    assert there["module.media.google_storage_bucket.this"] == bucket


def bundles(workspace: Workspace) -> set[str]:
    """Where each function's bundle lies."""
    return {str(r.values["bucket"]) for r in workspace.state() if r.type == "google_storage_bucket_object"}


def places(workspace: Workspace) -> dict[str, set[str]]:
    """Where the resources of each type are, of those that are somewhere."""
    found: dict[str, set[str]] = {}
    for resource in workspace.state():
        values = resource.values
        place = values.get("location_id") or values.get("location") or values.get("region")
        if place:
            found.setdefault(resource.type, set()).add(place)
    return found
