"""What a destroy leaves: the data, and with them their expiry."""

from tests.infra.workspace import Workspace

FIELD = 'module.datastore.google_firestore_field.expires_at["{}"]'
EXPIRING = ("entities", "events", "inbox", "incidents", "lookups", "notices", "past")


def test_data_that_are_kept_go_on_expiring(fresh: Workspace) -> None:
    fresh.apply()
    fresh.must("destroy", "-auto-approve", "-input=false")

    # looked up in the cloud: the state is empty
    place = f"projects/{fresh.variables['project']}/databases/(default)/collectionGroups"
    for collection in EXPIRING:
        fresh.must("import", "-input=false", FIELD.format(collection), f"{place}/{collection}/fields/expires_at")
    assert [len(r.values["ttl_config"]) for r in fresh.state()] == [1] * len(EXPIRING)

    # and a deployment that knows nothing of them takes them over with the database
    (fresh.folder / "terraform.tfstate").unlink()
    fresh.apply(adopt_database=True)
    ran = fresh.run("plan", "-input=false", "-detailed-exitcode", adopt_database=True)
    assert (ran.code, "No changes" in ran.text) == (0, True), ran.text
