"""A group that becomes a supergroup, over the real servers."""

import pytest

from shared.models.chat import ChatKey
from shared.models.update import Json
from tests.shared.flows.room import House, Room, room
from tests.shared.flows.scenes import WITH_A_WAIT
from tests.shared.paused_queue import PausedQueue
from tests.shared.values import SECOND
from tests.stories.play import Model


@pytest.fixture
async def basic(shared_house: House, paused_queue: PausedQueue, script: Model) -> Room:
    """A basic group."""
    return await room(shared_house, paused_queue, script, people=1, type="group")


async def migrate(here: Room) -> ChatKey:
    """Make it a supergroup; Telegram tells both chats, in an order that a test chooses by what it hands on."""
    answer = await here.house.telegram.post(f"/world/chats/{here.chat}/migrate", json={})
    new: Json = answer.raise_for_status().json()
    here.chat = new["key"]
    return ChatKey(agent=here.key.agent, chat_id=new["id"])


async def pending(here: Room) -> list[Json]:
    """The updates that Telegram holds, not handed on yet."""
    asked = {"offset": here.house.offset, "allowed_updates": ["message", "my_chat_member"]}
    answer = await here.house.telegram.post(f"/bot{here.house.token}/getUpdates", json=asked)
    updates: list[Json] = answer.raise_for_status().json()["result"]
    here.house.offset = updates[-1]["update_id"] + 1
    return updates


async def begun(here: Room) -> None:
    """A plan that waits."""
    await here.model.will_plan(*WITH_A_WAIT, match=f"chat_id={here.key.chat_id} ")
    await here.writes(f"@{here.house.username} hi")
    while not await here.said():
        await here.next_tick()


@pytest.mark.parametrize("is_reversed", [False, True])
async def test_conversation_and_plan_go_to_the_new_id(basic: Room, is_reversed: bool) -> None:
    here = basic
    await begun(here)
    before = await here.document()
    new = await migrate(here)
    updates = await pending(here)
    for update in reversed(updates) if is_reversed else updates:
        await here.take(update)
        await here.next_tick()
    await here.rests()
    there = (await here.house.chats.see(new)).chat
    assert there.conversation == before.conversation
    assert (await here.document()).moved_to == new.chat_id
    assert await here.said() == ["Two."]
    old = here.key
    here.key = new
    texts = [e["text"] for e in await here.transcript() if e["type"] == "message" and not e["is_service"]]
    assert texts == [f"@{here.house.username} hi", "One.", "Two."]
    assert [e["seq"] for e in await here.transcript()] == list(range(1, there.seq + 1))
    await here.take(late_message(old, here))
    await here.rests()
    assert "a late one" in [e.get("text") for e in await here.transcript()]
    assert await here.house.chats.unread_count(old) == 0


def late_message(old: ChatKey, here: Room) -> Json:
    """What still comes under the old id."""
    sender = {"id": here.person, "is_bot": False, "first_name": "Guest"}
    chat = {"id": old.chat_id, "type": "group", "title": "A room"}
    message = {"message_id": 900, "from": sender, "chat": chat, "date": 1_772_366_400, "text": "a late one"}
    return {"update_id": here.house.offset + 1000, "message": message}


async def test_a_group_that_moved_unnoticed_is_found_when_it_is_written_to(basic: Room) -> None:
    here = basic
    await begun(here)
    new = await migrate(here)
    await pending(here)  # the webhook never hears of it
    here.clock.now += 90 * SECOND
    await here.rests()
    assert await here.said() == ["Two."]
    assert (await here.house.chats.see(new)).chat.conversation
    assert await here.incidents() == []
