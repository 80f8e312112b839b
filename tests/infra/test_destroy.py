"""A destroy leaves the data and their expiry. Everything else is deleted, and comes back with a deployment."""

from dataclasses import replace

from tests.infra.moving import Moved
from tests.infra.states import States
from tests.infra.workspace import Plan, Resource

FIELD = 'module.datastore.google_firestore_field.expires_at["{}"]'
#: two of the resources that one block declares for each collection
EXPIRING = ("entities", "past")
BUCKET = "module.media.google_storage_bucket.this"
ERASURES = "module.erasures.google_storage_bucket.this"


def test_data_that_are_kept_go_on_expiring_and_all_else_comes_back(moved: Moved, states: States) -> None:
    deployed, project = moved.workspace, moved.workspace.variables["project"]
    deployed.must("destroy", "-auto-approve", "-input=false")

    # read from the cloud, as the state is empty
    place = f"projects/{project}/databases/(default)/collectionGroups"
    for collection in EXPIRING:
        deployed.must("import", "-input=false", FIELD.format(collection), f"{place}/{collection}/fields/expires_at")
    assert [len(r.values["ttl_config"]) for r in deployed.state()] == [1] * len(EXPIRING)

    # a new deployment takes them over with the database; the copies of media had been deleted,
    # as the cloud would refuse a name that still exists
    states.lose(project)
    adopts = {"adopt_database": True, "adopt_archive": True, "adopt_erasures": True}
    adopting = replace(deployed, variables={**deployed.variables, **adopts})
    adopting.apply()
    names = [r.values["name"] for r in adopting.state() if r.address in {BUCKET, ERASURES}]
    assert sorted(names) == [f"{project}-lull-erasures", f"{project}-lull-media"]
    ran = adopting.run("plan", "-input=false", "-detailed-exitcode")
    assert (ran.code, "No changes" in ran.text) == (0, True), ran.text


def test_the_list_of_who_was_forgotten_outlives_every_backup(made: list[Resource], over_vertex: Plan) -> None:
    """The list is kept for the longest life of a backup (variables-data.tf), whatever the settings are or were."""
    for resources in (made, over_vertex.resources):  # with other days of backups
        (bucket,) = (r.values for r in resources if r.address == ERASURES)
        ages = [r["condition"][0]["age"] for r in bucket["lifecycle_rule"] if r["action"][0]["type"] == "Delete"]
        assert ages == [98 + 7]
        assert (bucket["deletion_policy"], bucket["force_destroy"]) == ("ABANDON", False)
