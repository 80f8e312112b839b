"""What a destroy leaves: the data, and with them their expiry. All else is gone, and comes back."""

from tests.infra.workspace import Workspace

FIELD = 'module.datastore.google_firestore_field.expires_at["{}"]'
#: two of those that one resource declares for each collection
EXPIRING = ("entities", "past")
BUCKET = "module.media.google_storage_bucket.this"


def test_data_that_are_kept_go_on_expiring_and_all_else_comes_back(fresh: Workspace) -> None:
    fresh.apply()
    fresh.must("destroy", "-auto-approve", "-input=false")

    # looked up in the cloud: the state is empty
    place = f"projects/{fresh.variables['project']}/databases/(default)/collectionGroups"
    for collection in EXPIRING:
        fresh.must("import", "-input=false", FIELD.format(collection), f"{place}/{collection}/fields/expires_at")
    assert [len(r.values["ttl_config"]) for r in fresh.state()] == [1] * len(EXPIRING)

    # and a deployment that knows nothing of them takes them over with the database; copies of what was sent had gone,
    # since the cloud refuses a name that it still has
    (fresh.folder / "terraform.tfstate").unlink()
    fresh.apply(adopt_database=True)
    names = [r.values["name"] for r in fresh.state() if r.address == BUCKET]
    assert names == [f"{fresh.variables['project']}-lull-media"]
    ran = fresh.run("plan", "-input=false", "-detailed-exitcode", adopt_database=True)
    assert (ran.code, "No changes" in ran.text) == (0, True), ran.text
