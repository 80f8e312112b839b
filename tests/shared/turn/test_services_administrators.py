"""People who may use administrators' commands."""

from collections import Counter

from shared.commands.command import Permission
from shared.telegram.outbound.bot import TelegramChannel
from shared.turn.services import Administrators
from tests.shared.turn.harness import ChatHarness


async def test_everybody_is_asked_about_once(group: ChatHarness) -> None:
    administrators = Administrators(group.backend.channel, group.key.chat_id)
    owner, other = group.person, group.others[0]
    assert await administrators.ask_about({owner, other, other})
    assert administrators.known == {owner: Permission.GRANTED, other: Permission.DENIED}
    assert not await administrators.ask_about({owner, other})
    found = (await group.backend.telegram.get("/world/calls", params={"after": 0})).json()["calls"]
    asked = [c["params"] for c in found if c["method"] == "getChatMember"]
    assert Counter(int(p["user_id"]) for p in asked if int(p["chat_id"]) == group.key.chat_id) == {owner: 1, other: 1}


async def test_who_speaks_in_the_groups_name_administers_it(group: ChatHarness) -> None:
    administrators = Administrators(TelegramChannel("1:x", "http://127.0.0.1:1"), group.key.chat_id)
    assert await administrators.ask_about({group.key.chat_id})
    assert administrators.known == {group.key.chat_id: Permission.GRANTED}


async def test_what_telegram_does_not_say_stays_unknown(group: ChatHarness) -> None:
    administrators = Administrators(TelegramChannel("1:x", "http://127.0.0.1:1"), group.key.chat_id)
    assert await administrators.ask_about({group.person})
    assert administrators.known == {group.person: Permission.UNKNOWN}
