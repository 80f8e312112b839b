"""The usernames of bots in the real Firestore: one document has those of all bots of an agent, and its owner."""

from datetime import datetime, timedelta

import pytest

from shared.chat.store.bots import FRESH, FirestoreBotNames, FirestoreOwners
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.inbox import FirestoreInbox
from shared.values.channel import NAME_KEPT, BotName
from shared.values.chat_key import ChatKey
from tests.shared.examples import NOW, SECOND

ONE = BotName(bot_id=7_000_000_001, username="one_bot", at=NOW, in_persona="lull_bot")
OTHER = BotName(bot_id=7_000_000_002, username="other_bot", at=NOW)


class Clock:
    now = NOW

    def __call__(self) -> datetime:
        return self.now


async def test_each_bot_of_an_agent_has_one_name_and_the_last_one_holds(chats: FirestoreChats, key: ChatKey) -> None:
    agent, clock = f"named{key.chat_id}", Clock()
    names = FirestoreBotNames(chats.client, clock)
    assert await names.names(agent) == {}
    await FirestoreOwners(chats.client).claim(agent, 7, NOW)
    await names.keep_name(agent, ONE)
    await names.keep_name(agent, OTHER)
    assert await names.names(agent) == {ONE.bot_id: ONE, OTHER.bot_id: OTHER}
    renamed = BotName(bot_id=ONE.bot_id, username="renamed_bot", at=NOW + SECOND)
    await names.keep_name(agent, renamed)
    assert await names.names(agent) == {ONE.bot_id: renamed, OTHER.bot_id: OTHER}
    assert await FirestoreOwners(chats.client).owner(agent) == 7


async def test_the_webhook_reads_the_usernames_every_few_minutes(
    chats: FirestoreChats, inbox: FirestoreInbox, key: ChatKey
) -> None:
    agent, names = f"named{key.chat_id}", FirestoreBotNames(chats.client, Clock())
    assert await inbox.usernames(agent, NOW - SECOND) == ()
    await names.keep_name(agent, ONE)
    assert await inbox.usernames(agent, NOW) == ("one_bot",), "that there is none is not kept"
    await names.keep_name(agent, OTHER)
    assert await inbox.usernames(agent, NOW + FRESH - SECOND) == ("one_bot",)
    assert sorted(await inbox.usernames(agent, NOW + FRESH)) == ["one_bot", "other_bot"]


async def test_an_instance_sees_what_another_one_kept_after_some_minutes(chats: FirestoreChats, key: ChatKey) -> None:
    agent, clock = f"named{key.chat_id}", Clock()
    here, there = FirestoreBotNames(chats.client, clock), FirestoreBotNames(chats.client, clock)
    assert await here.names(agent) == {}
    await there.keep_name(agent, ONE)
    assert await here.names(agent) == {}
    clock.now += FRESH
    assert await here.names(agent) == {ONE.bot_id: ONE}


@pytest.mark.parametrize(
    ("later", "in_persona", "is_current"),
    [
        (timedelta(), "lull_bot", True),
        (NAME_KEPT - SECOND, "lull_bot", True),
        (NAME_KEPT, "lull_bot", False),
        (timedelta(), "another_bot", False),
    ],
)
def test_a_name_is_asked_for_again_after_hours_and_when_the_persona_says_another(
    later: timedelta, in_persona: str, *, is_current: bool
) -> None:
    assert ONE.is_current(NOW + later, in_persona) is is_current
