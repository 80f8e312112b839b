"""Inspecting a chat, from documents as lull writes them."""

import json
import zlib
from datetime import UTC, datetime, timedelta

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store import layout, paths
from shared.chat.store.plans import encode_past_plan, encode_plan
from shared.chat.store.transcripts import encode_page, encode_window
from shared.tasks.plan import Plan
from shared.upkeep.reading import agent_in, inspect_chat
from shared.upkeep.store.inspection import FirestoreInspection
from shared.values.chat import Chat, ChatClaim, CurrentConversation
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.message import Author, Message

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
ANN = Author(id=1_100_000_001, name="Ann")


def message(id_: int, update: int) -> Message:
    decision = Decision(respond=True, reason="a private chat", tier=DecisionTier.CHAT)
    return Message(seq=id_, at=NOW, updates=(update,), message_id=id_, author=ANN, text="hi", decision=decision)


async def keep_update(client: AsyncClient, key: ChatKey, number: int, raw: str | bytes) -> None:
    document = {
        "update_id": number,
        "kind": "message",
        "chat_kind": "private",
        "received_at": NOW + timedelta(seconds=number),
        "read": False,
        "raw": raw,
    }
    await client.document(f"chats/{key.id}/inbox/{number:020d}").set(document)


async def test_a_message_of_the_window_has_its_update(store: FirestoreInspection) -> None:
    key = ChatKey(agent="records-window", chat_id=1)
    chat = Chat(
        key=key,
        kind=ChatKind.PRIVATE,
        conversation="conv-records-window",
        talk=CurrentConversation(seq=2),
        claim=ChatClaim(generation=4),
    )
    await store.client.document(f"chats/{key.id}").set(chat.model_dump())
    window = encode_window(chat, (message(10, 100), message(11, 101)))
    await store.client.document(f"chats/{key.id}/window/current").set(window)
    for number in (100, 101):
        await keep_update(store.client, key, number, "{}")
    records = await inspect_chat(store, key, 10)
    assert records.chat == chat
    assert records.window_seq == 2
    assert [each.message_id for each in records.messages] == [10, 11]
    assert records.update is not None
    assert (records.update.update.envelope.update_id, records.update.is_read) == (100, False)
    assert records.plan is None


async def test_a_message_that_left_the_window_is_found_in_the_transcript(store: FirestoreInspection) -> None:
    key = ChatKey(agent="records-older", chat_id=2)
    chat = Chat(key=key, conversation="conv-records-older")
    await store.client.document(f"chats/{key.id}").set(chat.model_dump())
    page = {"first_seq": 1, "entries": [message(5, 50).model_dump()]}
    await store.client.document("conversations/conv-records-older/messages/0000000001").set(page)
    records = await inspect_chat(store, key, 5)
    assert [each.message_id for each in records.messages] == [5]
    assert (await inspect_chat(store, key, 6)).messages == ()


async def test_an_update_that_no_tick_has_read_is_found_by_its_message(store: FirestoreInspection) -> None:
    key = ChatKey(agent="records-waiting", chat_id=3)
    raw = json.dumps({"update_id": 7, "message": {"message_id": 70}})
    press = json.dumps({"update_id": 8, "callback_query": {"id": "1", "message": {"message_id": 80}}})
    await keep_update(store.client, key, 7, raw)
    await keep_update(store.client, key, 8, zlib.compress(press.encode()))
    for asked, update in ((70, 7), (80, 8), (None, 8)):
        found = (await inspect_chat(store, key, asked)).update
        assert found is not None
        assert found.update.envelope.update_id == update
    assert (await inspect_chat(store, key, 99)).update is None


async def test_the_agent_of_a_chat_is_told_by_its_document(store: FirestoreInspection) -> None:
    key = ChatKey(agent="records-agent", chat_id=-77, topic_id=3)
    await store.client.document(f"chats/{key.id}").set(Chat(key=key).model_dump())
    assert await agent_in(store, -77, 3, None) == "records-agent"
    assert await agent_in(store, -77, 3, 6) == "records-agent"
    assert await agent_in(store, -77, 4, None) is None


async def test_two_agents_of_one_person_are_told_apart_by_what_they_said(store: FirestoreInspection) -> None:
    spoke, silent = (ChatKey(agent=name, chat_id=78) for name in ("records-spoke", "records-silent"))
    await store.client.document(f"chats/{spoke.id}").set(Chat(key=spoke).model_dump())
    author = Author(id=501, name="Spoke", is_bot=True, is_agent=True)
    said = evolve(message(1, 10), author=author)
    await store.client.document(f"chats/{spoke.id}/window/current").set(
        encode_window(Chat(key=spoke, talk=CurrentConversation(seq=1)), (said,))
    )
    assert await agent_in(store, 78, 0, 501) == "records-spoke"
    assert await agent_in(store, 78, 0, 502) is None
    await store.client.document(f"chats/{silent.id}").set(Chat(key=silent).model_dump())
    assert await agent_in(store, 78, 0, 502) == "records-silent"


async def test_a_turn_is_found_with_its_plan_even_when_another_replaced_that(store: FirestoreInspection) -> None:
    key = ChatKey(agent="records-turn", chat_id=79)
    assert (await inspect_chat(store, key, 1)).turn is None
    chat = Chat(key=key, conversation="conv-records-turn", talk=CurrentConversation(seq=4, turn=2))
    author = Author(id=501, name="Me", is_bot=True, is_agent=True)
    first, second = (evolve(message(n, 10 * n), turn=n) for n in (1, 2))
    said = evolve(message(3, 0), author=author, turn=1, plan="p-old", updates=())
    past, now = (Plan(id=name, created_at=NOW, tasks=(), answers=(n,)) for name, n in (("p-old", 1), ("p-new", 2)))
    batch = store.client.batch()
    for path, document in {
        paths.chat_path(key): layout.encode_chat(chat),
        paths.page_path(chat.conversation, 1): encode_page((first, said, second)),
        paths.plan_path(key): encode_plan(now),
        paths.past_plan_path(key, past.id): encode_past_plan(past),
    }.items():
        batch.set(store.client.document(path), document)
    await batch.commit()
    turns = [(await inspect_chat(store, key, asked)).turn for asked in (1, 2)]
    assert [turn.plan for turn in turns if turn] == [past, now]
    assert (await inspect_chat(store, key, 99)).turn is None
