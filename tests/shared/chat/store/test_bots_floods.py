"""Flood waits in the real Firestore."""

from shared.chat.store.bots import FirestoreFloods
from shared.chat.store.chats import FirestoreChats
from shared.values.chat_key import ChatKey
from tests.shared.examples import NOW, SECOND


async def test_waits_are_kept_by_bot_until_they_are_over(chats: FirestoreChats, key: ChatKey) -> None:
    floods, agent = FirestoreFloods(chats.client), f"waits{key.chat_id}"
    assert await floods.waits(agent) == {}
    await floods.note_wait(agent, -100, NOW - SECOND, [])
    await floods.note_wait(agent, 5, NOW + 60 * SECOND, [-100])
    await floods.note_wait(agent, 6, NOW + 90 * SECOND, [])
    assert await floods.waits(agent) == {5: NOW + 60 * SECOND, 6: NOW + 90 * SECOND}
    assert await floods.waits(f"{agent}-other") == {}
