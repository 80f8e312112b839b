"""`make destroy` as somebody types it: what goes, what stays, and what has to be said for everything to go."""

from pathlib import Path

from operations.deployment.terraform import Terraform
from tests.operations.deployment.conftest import Site

DATABASE = "module.datastore.google_firestore_database.this"


def assert_done(ended: tuple[int, str]) -> None:
    code, said = ended
    assert code == 0, said


def state(site: Site) -> frozenset[str]:
    return Terraform(Path(site.env["LULL_INFRA"]), site.env).resources()


async def test_everything_goes_but_what_was_said_which_a_later_deployment_takes_over(site: Site) -> None:
    assert_done(await site.run("deploy", "--yes"))
    code, said = await site.run("destroy", said="yes\n")
    assert code == 0, said
    assert "Kept are the Firestore database with all that was said" in said
    assert (await site.webhook())["url"] == ""
    assert state(site) == frozenset()

    site.apis.database = "europe-west1"
    code, said = await site.run("deploy", "--yes")
    assert code == 0, said
    assert "is taken over, with what it holds" in said
    assert "1 imported" in said
    assert DATABASE in state(site)


async def test_nothing_is_destroyed_without_a_yes(site: Site) -> None:
    assert_done(await site.run("deploy", "--yes"))
    for said, more in (("no\n", ()), ("", ()), ("yes\n", ("--data",)), ("", ("--data", "--yes"))):
        code, told = await site.run("destroy", *more, said=said)
        assert code == 1
        assert told.rstrip().endswith("Nothing was changed.")
    assert DATABASE in state(site)
    assert (await site.webhook())["url"]


async def test_what_was_said_goes_when_it_is_said_twice(site: Site) -> None:
    assert_done(await site.run("deploy", "--yes"))
    code, said = await site.run("destroy", "--data", said=f"{site.apis.project}\nyes\n")
    assert code == 0, said
    assert "DELETES EVERYTHING THAT WAS SAID" in said
    assert "Everything is gone." in said
    assert (await site.run("deploy", "--yes"))[0] == 0  # there is no database any more that would be in the way


async def test_a_database_without_its_protection_is_not_destroyed_by_mistake(site: Site) -> None:
    site.write(delete_data=True)
    assert_done(await site.run("deploy", "--yes"))
    site.write()
    code, said = await site.run("destroy", "--yes")
    assert code == 1
    assert "The database is without its protection" in said
    assert DATABASE in state(site)


async def test_where_nothing_is_deployed_nothing_is_destroyed(site: Site) -> None:
    code, said = await site.run("destroy", "--yes")
    assert code == 1
    assert "Nothing is deployed from here" in said
