"""Who may use administrators' commands."""

from collections import Counter

from shared.adapters.telegram.bot import TelegramChannel
from shared.commands.parse import Invocation, Permission
from shared.models.chat import ChatKind
from shared.models.message import Author
from shared.turn.batch import Batch
from shared.turn.permitting import Permits
from tests.shared.flows.room import Room
from tests.shared.values import said

ASKED = Invocation("new", permission=Permission.UNKNOWN)


def batch(*people: int, command: Invocation = ASKED) -> Batch:
    commands = tuple((said("/new", Author(id=person, name="Somebody")), command) for person in people)
    return Batch(update_ids=(), entries=(), kind=ChatKind.SUPERGROUP, title="", commands=commands)


async def test_everybody_is_asked_about_once(group: Room) -> None:
    permits = Permits(group.house.channel, group.key.chat_id)
    owner, other = group.person, group.others[0]
    assert await permits.learn(batch(owner, other, other))
    assert permits.known == {owner: Permission.GRANTED, other: Permission.DENIED}
    assert not await permits.learn(batch(owner, other))
    found = (await group.house.telegram.get("/world/calls", params={"after": 0})).json()["calls"]
    asked = [c["params"] for c in found if c["method"] == "getChatMember"]
    assert Counter(int(p["user_id"]) for p in asked if int(p["chat_id"]) == group.key.chat_id) == {owner: 1, other: 1}


async def test_who_speaks_in_the_groups_name_administers_it(group: Room) -> None:
    permits = Permits(TelegramChannel("1:x", "http://127.0.0.1:1"), group.key.chat_id)
    assert await permits.learn(batch(group.key.chat_id))
    assert permits.known == {group.key.chat_id: Permission.GRANTED}


async def test_what_telegram_does_not_say_stays_unknown(group: Room) -> None:
    permits = Permits(TelegramChannel("1:x", "http://127.0.0.1:1"), group.key.chat_id)
    assert await permits.learn(batch(group.person))
    assert permits.known == {group.person: Permission.UNKNOWN}


async def test_nobody_is_asked_about_who_may_use_it_anyway(group: Room) -> None:
    permits = Permits(TelegramChannel("1:x", "http://127.0.0.1:1"), group.key.chat_id)
    assert not await permits.learn(batch(group.person, command=Invocation("help")))
    assert permits.known == {}
