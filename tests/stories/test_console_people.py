"""Stories of the owner's decisions in the console: people and invitations, through real orders and ticks."""

from typing import Any

from shared.chat.store.access_lists import FirestoreAccessLists
from shared.console.route import ConsoleRequest
from shared.console.views.external import read_exchange, read_external
from shared.console.views.people import act_on_person, decide_request, invite, read_people, read_person
from shared.values.trust import TrustTier
from tests.stories.play import Chat, Sandbox, until
from tests.stories.test_access import ASKED, Owned, cloud, owned
from tests.stories.test_orders import services_of
from tests.stories.words import will_say

__all__ = ["cloud", "owned"]


def asked(owned: Owned, body: Any = None, **path: str) -> ConsoleRequest:
    """Make a request of the owner in the console."""
    return ConsoleRequest(owner=owned.olga.id, agents=("lull",), path={"agent": "lull", **path}, body=body or {})


def press(owned: Owned, action: str, **path: str) -> ConsoleRequest:
    """Make the request of a button."""
    return asked(owned, {"id": f"{action} of {sorted(path.values())}", "action": action}, **path)


async def says(chat: Chat, text: str) -> bool:
    return text in [m["text"] for m in await chat.said()]


async def tier(sandbox: Sandbox, person: int) -> TrustTier:
    lists = FirestoreAccessLists(sandbox.firestore, services_of(sandbox).clock)
    return (await lists.access_list("lull")).tier_of(person)


async def test_a_stranger_is_let_in_and_blocked_in_the_console(owned: Owned) -> None:
    sandbox, eve = owned.sandbox, await owned.sandbox.person("Eve")
    services, chat = services_of(sandbox), await sandbox.private(eve)
    await chat.writes(eve, "What is the capital of Peru?")
    assert await chat.answers() == [ASKED]
    await chat.rests()
    rows = (await read_external(services, asked(owned)))["items"]
    (row,) = [one for one in rows if one["person"] == str(eve.id)]
    assert (row["name"], row["tier"], row["request"]["state"]) == (eve.name, "stranger", "waiting")
    request = row["request"]["id"]
    assert request in [one["id"] for one in (await read_people(services, asked(owned)))["requests"]]
    await will_say(sandbox, chat, "Lima.")
    await decide_request(services, press(owned, "let_in", request=request))
    await until(lambda: says(chat, "Lima."), "the answer")
    await chat.rests()
    found = await read_exchange(services, asked(owned, person=str(eve.id)))
    told = [(one["kind"], one.get("rule", one.get("state"))) for one in found["entries"]]
    assert (told[0], ("decision", "let in") in told, found["tier"]) == (("person", "refused"), True, "known")
    await act_on_person(services, press(owned, "block", person=str(eve.id)))
    await until(lambda: _has_tier(sandbox, eve.id, TrustTier.BLOCKED), "the block")
    page = await read_person(services, asked(owned, person=str(eve.id)))
    assert (page["tier"], page["blocked"]["is_by_agent"], page["month"]["answers"]) == ("blocked", False, 1)


async def test_an_invitation_of_the_console_lets_a_person_in(owned: Owned) -> None:
    sandbox, bob = owned.sandbox, await owned.sandbox.person("Bob")
    made = await invite(services_of(sandbox), asked(owned, {"people": 1, "days": 1}))
    chat = await sandbox.private(bob)
    await chat.writes(bob, f"/start {made['link'].partition('?start=')[2]}")
    assert len(await chat.answers()) == 1
    assert await tier(sandbox, bob.id) is TrustTier.KNOWN


async def _has_tier(sandbox: Sandbox, person: int, wanted: TrustTier) -> bool:
    return await tier(sandbox, person) is wanted
