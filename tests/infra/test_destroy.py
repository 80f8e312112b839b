"""What a destroy leaves: the data, and with them their expiry. All else is gone, and comes back."""

from dataclasses import replace

from tests.infra.moving import Moved
from tests.infra.states import States
from tests.infra.workspace import Plan, Resource

FIELD = 'module.datastore.google_firestore_field.expires_at["{}"]'
#: two of those that one resource declares for each collection
EXPIRING = ("entities", "past")
BUCKET = "module.media.google_storage_bucket.this"
ERASURES = "module.erasures.google_storage_bucket.this"


def test_data_that_are_kept_go_on_expiring_and_all_else_comes_back(moved: Moved, states: States) -> None:
    deployed, project = moved.workspace, moved.workspace.variables["project"]
    deployed.must("destroy", "-auto-approve", "-input=false")

    # looked up in the cloud: the state is empty
    place = f"projects/{project}/databases/(default)/collectionGroups"
    for collection in EXPIRING:
        deployed.must("import", "-input=false", FIELD.format(collection), f"{place}/{collection}/fields/expires_at")
    assert [len(r.values["ttl_config"]) for r in deployed.state()] == [1] * len(EXPIRING)

    # and a deployment that knows nothing of them takes them over with the database; copies of what was sent had gone,
    # since the cloud refuses a name that it still has
    states.lose(project)
    adopts = {"adopt_database": True, "adopt_archive": True, "adopt_erasures": True}
    adopting = replace(deployed, variables={**deployed.variables, **adopts})
    adopting.apply()
    names = [r.values["name"] for r in adopting.state() if r.address in {BUCKET, ERASURES}]
    assert sorted(names) == [f"{project}-lull-erasures", f"{project}-lull-media"]
    ran = adopting.run("plan", "-input=false", "-detailed-exitcode")
    assert (ran.code, "No changes" in ran.text) == (0, True), ran.text


def test_the_list_of_who_was_forgotten_outlives_every_backup(made: list[Resource], over_vertex: Plan) -> None:
    """As long as Firestore keeps a backup at most (variables-data.tf), whatever is wanted now or was before."""
    for resources in (made, over_vertex.resources):  # with other days of backups
        (bucket,) = (r.values for r in resources if r.address == ERASURES)
        ages = [r["condition"][0]["age"] for r in bucket["lifecycle_rule"] if r["action"][0]["type"] == "Delete"]
        assert ages == [98 + 7]
        assert (bucket["deletion_policy"], bucket["force_destroy"]) == ("ABANDON", False)
