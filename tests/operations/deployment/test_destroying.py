"""`make destroy` as a user runs it: what is removed, what stays, and how to confirm removing everything."""

from pathlib import Path

from operations.deployment.secret_values import placeholders
from operations.deployment.terraform import Terraform
from tests.operations.deployment.conftest import TOKENS, Deployed, Site

DATABASE = "module.datastore.google_firestore_database.this"
ARCHIVE = "module.archive[0].google_storage_bucket.this"
ERASURES = "module.erasures.google_storage_bucket.this"
FUNCTION = 'module.function["webhook"].google_cloudfunctions2_function.this'
#: another name, region and environment, two agents, and an archive
ELSEWHERE = {
    "name": "moss-dev",
    "region": "us-central1",
    "environment": "dev",
    "agents": list(TOKENS),
    "archive": True,
}


async def does(site: Site, *arguments: str, said: str = "") -> str:
    """Run a command that succeeds; return its output."""
    code, told = await site.run(*arguments, said=said)
    assert code == 0, told
    return told


def terraform(site: Site) -> Terraform:
    return Terraform(Path(site.env["LULL_INFRA"]), site.env)


async def webhooks(site: Site) -> list[bool]:
    return [bool((await site.webhook(agent))["url"]) for agent in TOKENS]


async def test_a_deployments_end(site: Site) -> None:
    site.write(**ELSEWHERE)
    said = await does(site, "deploy", "--yes")
    assert "lull: https://t.me/lull_test_bot (its webhook was set, there was none)" in said
    assert "moss: https://t.me/moss_test_bot (its webhook was set, there was none)" in said
    assert await webhooks(site) == [True, True]

    # a removed agent gets no messages any more
    site.write(**ELSEWHERE | {"agents": ["lull"]})
    said = await does(site, "deploy", "--yes")
    assert "The webhook of moss was removed." in said
    assert await webhooks(site) == [True, False]
    (service,) = terraform(site).attributes(FUNCTION)["service_config"]
    assert service["environment_variables"]["LULL_AGENTS"] == "lull"

    site.apis.backed_up("weekly", site.apis.database_uid, location="us-central1")
    (kept,) = site.apis.backups
    said = await does(site, "destroy", said="yes\n")
    assert "These are kept: the Firestore database with all conversations" in said
    archive = f"{site.apis.project}-moss-dev-archive"
    assert "the list of forgotten people" in said
    assert f"and the archive in the bucket {archive}." in said
    assert "The webhook of lull was removed." in said
    assert await webhooks(site) == [False, False]
    assert list(site.apis.backups) == [kept]
    assert terraform(site).resources() == frozenset()

    # the remaining data are taken over, and the removed agent is back; queues and roles have new names, as their old
    # names
    # cannot be used again
    forgotten = f"{site.apis.project}-moss-dev-erasures"
    site.apis.database, site.apis.buckets[archive] = "us-central1", "US-CENTRAL1"
    site.apis.buckets[forgotten] = "US-CENTRAL1"
    site.write(**ELSEWHERE, delete_data=True)
    said = await does(site, "deploy", "--yes")
    assert f"The existing Firestore database of {site.apis.project} is used, with its documents." in said
    assert f"The archive: the existing bucket {archive} is used, with its files." in said
    assert f"The list of forgotten people: the existing bucket {forgotten} is used, with its files." in said
    assert "3 imported" in said
    assert await webhooks(site) == [True, True]

    # a database without protection is not destroyed by mistake
    site.write(**ELSEWHERE)
    code, said = await site.run("destroy", "--yes")
    assert (code, "The delete protection of the database is off" in said) == (1, True)
    assert "`make destroy DATA=yes` did not finish, or delete_data = true was applied" in said
    assert terraform(site).resources() >= {DATABASE, ARCHIVE, ERASURES}

    # its backups would outlive it
    site.apis.backed_up("daily", site.apis.database_uid, location="us-central1")
    assert len(site.apis.backups) == 2
    # deleted bots, an invalid key and a lost secret do not stop the removal
    site.keep(bot_tokens={"lull": f"7{TOKENS['lull']}"}, gemini_api_key="another")
    said = await does(site, "destroy", "--data", said=f"{site.apis.project}\nyes\n")
    assert "Telegram does not know the bot token of lull any more, so there is no webhook to remove." in said
    assert "The bot token of moss is not known here, so its webhook cannot be removed" in said
    assert "DELETES ALL CONVERSATIONS" in said
    assert "Deleted backups: 2." in said
    assert site.apis.backups == {}
    assert "Everything was deleted." in said
    assert f"`gcloud projects delete {site.apis.project}`" in said
    # no database and no archive is left to prevent a new deployment
    secrets = placeholders(terraform(site).variables())
    again = Terraform(terraform(site).folder, site.env | secrets)
    assert again.change(lambda: None, *(f"-target={one}" for one in (DATABASE, ARCHIVE, ERASURES)))


async def test_nothing_is_destroyed_without_a_yes(deployed: Deployed) -> None:
    site = deployed.site
    before = terraform(site).attributes(DATABASE)
    for said, more in (
        ("no\n", ()),
        ("yes\n", ("--data",)),
        (f"{site.apis.project}\nno\n", ("--data",)),
        ("", ("--data", "--yes")),
    ):
        code, told = await site.run("destroy", *more, said=said)
        assert code == 1
        assert told.rstrip().endswith("Nothing was changed.")
    assert before["delete_protection_state"] == "DELETE_PROTECTION_ENABLED"
    assert terraform(site).attributes(DATABASE) == before
    assert (await site.webhook())["url"]


async def test_where_nothing_is_deployed_nothing_is_destroyed(site: Site) -> None:
    code, said = await site.run("destroy", "--yes")
    assert code == 1
    assert "Nothing is deployed from this checkout" in said
