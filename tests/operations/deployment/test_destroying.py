"""`make destroy` as somebody types it: what goes, what stays, and what has to be said for everything to go."""

from pathlib import Path

import pytest

from operations.deployment.terraform import Terraform
from tests.operations.deployment.conftest import TOKENS, Deployed, Site

DATABASE = "module.datastore.google_firestore_database.this"
#: another name, region and environment, and two agents
ELSEWHERE = {"name": "moss-dev", "region": "us-central1", "environment": "dev", "agents": list(TOKENS)}


async def does(site: Site, *arguments: str, said: str = "") -> str:
    """What a command said that did what it was asked for."""
    code, told = await site.run(*arguments, said=said)
    assert code == 0, told
    return told


def terraform(site: Site) -> Terraform:
    return Terraform(Path(site.env["LULL_INFRA"]), site.env)


async def webhooks(site: Site) -> list[bool]:
    return [bool((await site.webhook(agent))["url"]) for agent in TOKENS]


@pytest.mark.timeout(300)
async def test_a_deployments_end(site: Site) -> None:
    site.write(**ELSEWHERE)
    said = await does(site, "deploy", "--yes")
    assert "lull: https://t.me/lull_test_bot (its webhook was set, there was none)" in said
    assert "moss: https://t.me/moss_test_bot (its webhook was set, there was none)" in said
    assert await webhooks(site) == [True, True]

    said = await does(site, "destroy", said="yes\n")
    assert "Kept are the Firestore database with all that was said" in said
    assert await webhooks(site) == [False, False]
    assert terraform(site).resources() == frozenset()

    # what was left is taken over; queues and roles, whose old names are taken, have new ones
    site.apis.database = "us-central1"
    site.write(**ELSEWHERE, delete_data=True)
    said = await does(site, "deploy", "--yes")
    assert "is taken over, with what it holds" in said
    assert "1 imported" in said

    # without its protection it is not destroyed by mistake
    site.write(**ELSEWHERE)
    code, said = await site.run("destroy", "--yes")
    assert (code, "The database is without its protection" in said) == (1, True)
    assert DATABASE in terraform(site).resources()

    said = await does(site, "destroy", "--data", said=f"{site.apis.project}\nyes\n")
    assert "DELETES EVERYTHING THAT WAS SAID" in said
    assert "Everything is gone." in said
    # there is no database any more that would be in the way of another
    secrets = {"bot_tokens": '{"lull": "1:a", "moss": "2:b"}', "webhook_secret": "w" * 32, "gemini_api_key": "k"}
    again = Terraform(terraform(site).folder, site.env | {f"TF_VAR_{name}": value for name, value in secrets.items()})
    assert again.change(lambda: None, f"-target={DATABASE}")


async def test_nothing_is_destroyed_without_a_yes(deployed: Deployed) -> None:
    site = deployed.site
    for said, more in (("no\n", ()), ("yes\n", ("--data",)), ("", ("--data", "--yes"))):
        code, told = await site.run("destroy", *more, said=said)
        assert code == 1
        assert told.rstrip().endswith("Nothing was changed.")
    assert DATABASE in terraform(site).resources()
    assert (await site.webhook())["url"]


async def test_where_nothing_is_deployed_nothing_is_destroyed(site: Site) -> None:
    code, said = await site.run("destroy", "--yes")
    assert code == 1
    assert "Nothing is deployed from here" in said
