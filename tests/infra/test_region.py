"""Another region: what can move is moved under names that are free, what cannot stays where it is."""

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
    assert after["google_storage_bucket"] == {FIRST, OTHER}  # the archive and media, the bundles
    # they went with their bucket, and are uploaded anew
    assert bundles(moved.before) & bundles(moved.after) == set()
    assert (moved.again.code, "No changes" in moved.again.text) == (0, True), moved.again.text


def test_what_people_said_and_sent_is_where_the_database_is(fresh: Workspace) -> None:
    found = fresh.plan(archive=True, database_location="nam5").resources
    there = {r.address.split(".")[1]: r.values["location"] for r in found if r.type == "google_storage_bucket"}
    assert there == dict.fromkeys(("archive[0]", "erasures", "media", "takeouts"), "US") | {"sources": "europe-west1"}


def bundles(made: list[Resource]) -> set[str]:
    """Where each function's bundle lies."""
    return {str(r.values["bucket"]) for r in made if r.type == "google_storage_bucket_object"}


def places(made: list[Resource]) -> dict[str, set[str]]:
    """Where the resources of each type are, of those that are somewhere."""
    found: dict[str, set[str]] = {}
    for resource in made:
        values = resource.values
        place = values.get("location_id") or values.get("location") or values.get("region")
        if place:
            found.setdefault(resource.type, set()).add(place)
    return found
