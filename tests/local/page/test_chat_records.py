"""What the page reads of Firestore, from documents as lull writes them."""

import json
import zlib
from datetime import UTC, datetime, timedelta

from google.cloud.firestore_v1.async_client import AsyncClient

from local.page.chat_records import agent_in, read_records
from shared.models.chat import Chat, ChatKey, ChatKind
from shared.models.decision import Decision, Tier
from shared.models.message import Author, Message
from tests.stories.play import Stage

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
ANN = Author(id=1_100_000_001, name="Ann")


def message(id_: int, update: int) -> Message:
    decision = Decision(respond=True, reason="a private chat", tier=Tier.CHAT)
    return Message(seq=id_, at=NOW, updates=(update,), message_id=id_, author=ANN, text="hi", decision=decision)


async def keep_update(client: AsyncClient, key: ChatKey, number: int, raw: str | bytes) -> None:
    document = {
        "update_id": number,
        "kind": "message",
        "received_at": NOW + timedelta(seconds=number),
        "read": False,
        "raw": raw,
    }
    await client.document(f"chats/{key.id}/inbox/{number:020d}").set(document)


async def test_a_message_of_the_window_has_its_update(stage: Stage) -> None:
    key = ChatKey(agent="records-window", chat_id=1)
    chat = Chat(key=key, kind=ChatKind.PRIVATE, conversation="conv-records-window", seq=2, generation=4)
    await stage.firestore.document(f"chats/{key.id}").set(chat.model_dump())
    entries = [message(10, 100).model_dump(), message(11, 101).model_dump()]
    await stage.firestore.document(f"chats/{key.id}/window/current").set({"seq": 2, "entries": entries})
    for number in (100, 101):
        await keep_update(stage.firestore, key, number, "{}")
    records = await read_records(stage.firestore, key, 10)
    assert records.chat == chat
    assert records.window_seq == 2
    assert [each.message_id for each in records.messages] == [10, 11]
    assert records.update is not None
    assert (records.update["update_id"], "raw" in records.update) == (100, False)
    assert records.plan is None


async def test_a_message_that_left_the_window_is_found_in_the_transcript(stage: Stage) -> None:
    key = ChatKey(agent="records-older", chat_id=2)
    chat = Chat(key=key, conversation="conv-records-older")
    await stage.firestore.document(f"chats/{key.id}").set(chat.model_dump())
    page = {"first_seq": 1, "entries": [message(5, 50).model_dump()]}
    await stage.firestore.document("conversations/conv-records-older/messages/0000000001").set(page)
    records = await read_records(stage.firestore, key, 5)
    assert [each.message_id for each in records.messages] == [5]
    assert (await read_records(stage.firestore, key, 6)).messages == ()


async def test_an_update_that_no_tick_has_read_is_found_by_its_message(stage: Stage) -> None:
    key = ChatKey(agent="records-waiting", chat_id=3)
    raw = json.dumps({"update_id": 7, "message": {"message_id": 70}})
    press = json.dumps({"update_id": 8, "callback_query": {"id": "1", "message": {"message_id": 80}}})
    await keep_update(stage.firestore, key, 7, raw)
    await keep_update(stage.firestore, key, 8, zlib.compress(press.encode()))
    for asked, update in ((70, 7), (80, 8), (None, 8)):
        found = (await read_records(stage.firestore, key, asked)).update
        assert found is not None
        assert found["update_id"] == update
    assert (await read_records(stage.firestore, key, 99)).update is None


async def test_the_agent_of_a_chat_is_told_by_its_document(stage: Stage) -> None:
    key = ChatKey(agent="records-agent", chat_id=-77, topic_id=3)
    await stage.firestore.document(f"chats/{key.id}").set(Chat(key=key).model_dump())
    assert await agent_in(stage.firestore, -77, 3, None) == "records-agent"
    assert await agent_in(stage.firestore, -77, 3, 6) == "records-agent"
    assert await agent_in(stage.firestore, -77, 4, None) is None


async def test_two_agents_of_one_person_are_told_apart_by_what_they_said(stage: Stage) -> None:
    spoke, silent = (ChatKey(agent=name, chat_id=78) for name in ("records-spoke", "records-silent"))
    await stage.firestore.document(f"chats/{spoke.id}").set(Chat(key=spoke).model_dump())
    author = Author(id=501, name="Spoke", is_bot=True, is_agent=True)
    said = message(1, 10).model_copy(update={"author": author})
    await stage.firestore.document(f"chats/{spoke.id}/window/current").set({"seq": 1, "entries": [said.model_dump()]})
    assert await agent_in(stage.firestore, 78, 0, 501) == "records-spoke"
    assert await agent_in(stage.firestore, 78, 0, 502) is None
    await stage.firestore.document(f"chats/{silent.id}").set(Chat(key=silent).model_dump())
    assert await agent_in(stage.firestore, 78, 0, 502) == "records-silent"
