"""A new region: resources that can move get new names, and the others stay in the old region."""

from tests.infra.moving import FIRST, OTHER, Moved
from tests.infra.workspace import Resource, Workspace


def test_a_deployment_moves_and_its_data_stays(moved: Moved) -> None:
    assert moved.refused.code == 1
    assert f'The database is in {FIRST} and cannot move: set database_location = "{FIRST}"' in moved.refused.sentence

    before, after = places(moved.before), places(moved.after)
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
    assert after["google_storage_bucket"] == {FIRST, OTHER}  # of the archive and media, and of bundles
    # deleted with their bucket and uploaded again
    assert bundles(moved.before) & bundles(moved.after) == set()
    assert (moved.again.code, "No changes" in moved.again.text) == (0, True), moved.again.text


def test_what_people_said_and_sent_is_where_the_database_is(fresh: Workspace) -> None:
    found = fresh.plan(archive=True, database_location="nam5").resources
    there = {r.address.split(".")[1]: r.values["location"] for r in found if r.type == "google_storage_bucket"}
    assert there == dict.fromkeys(("archive[0]", "erasures", "media", "takeouts"), "US") | {"sources": "europe-west1"}


def bundles(made: list[Resource]) -> set[str]:
    """List the places of the functions' bundles."""
    return {str(r.values["bucket"]) for r in made if r.type == "google_storage_bucket_object"}


def places(made: list[Resource]) -> dict[str, set[str]]:
    """Map each type to the locations of its resources that have one."""
    found: dict[str, set[str]] = {}
    for resource in made:
        values = resource.values
        place = values.get("location_id") or values.get("location") or values.get("region")
        if place:
            found.setdefault(resource.type, set()).add(place)
    return found
