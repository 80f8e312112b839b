"""What Firestore holds of one chat, read for the page: the chat, its newest updates, its transcript and its plan."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_query import FieldFilter
from pydantic import TypeAdapter

from shared.models.chat import Chat, ChatKey
from shared.models.message import AnyEntry, Message
from shared.tasks.plan import Plan

ENTRIES: TypeAdapter[tuple[AnyEntry, ...]] = TypeAdapter(tuple[AnyEntry, ...])
#: a page in the browser waits no longer than this for one document, in seconds
CALL_SECONDS = 4.0
#: how far back an update or a message is looked for that the window does not hold
NEWEST_UPDATES = 30
NEWEST_PAGES = 40

Document = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class ChatRecords:
    """All that is known of a chat and of one message in it; what is not there yet is None or empty."""

    key: ChatKey
    chat: Chat | None
    #: the inbox document of the message, its `raw` left out
    update: Document | None
    #: the messages whose decisions are of interest: the window's, and the one that was asked for
    messages: tuple[Message, ...]
    #: the number of the newest entry in the window
    window_seq: int
    plan: Plan | None


async def read_records(client: AsyncClient, key: ChatKey, message_id: int | None) -> ChatRecords:
    """Everything about a chat and one of its messages (None: the newest). Raises Firestore's own errors."""
    found = await _document(client, f"chats/{key.id}")
    chat = Chat.model_validate(found) if found else None
    window = await _document(client, f"chats/{key.id}/window/current") or {}
    messages = _messages(window.get("entries", ()))
    asked = next((message for message in messages if message.message_id == message_id), None)
    if chat and message_id and not asked:
        asked = await _older(client, chat.conversation, message_id)
    plan = await _document(client, f"plans/{key.id}")
    return ChatRecords(
        key=key,
        chat=chat,
        update=await _update(client, key, asked, message_id),
        messages=messages if asked is None or asked in messages else (*messages, asked),
        window_seq=window.get("seq", 0),
        plan=Plan.model_validate(plan) if plan else None,
    )


async def agent_in(client: AsyncClient, chat_id: int, topic_id: int, bot_id: int | None) -> str | None:
    """The agent of a bot in a chat that lull has read, told by what it has said there.

    Two agents know a person's private chat by the same id. One that has said nothing yet may be any bot's.
    """
    chats = client.collection("chats").where(filter=FieldFilter("key.chat_id", "==", chat_id))
    found = [snapshot.to_dict() or {} for snapshot in await chats.get(retry=None, timeout=CALL_SECONDS)]
    keys = [key for key in (ChatKey.model_validate(document["key"]) for document in found) if key.topic_id == topic_id]
    bots = {key.agent: await _bot_of(client, key) for key in keys}
    sure = (agent for agent, bot in bots.items() if bot is not None and bot_id in (None, bot))
    silent = (agent for agent, bot in bots.items() if bot is None)
    return next(sure, None) or next(silent, None)


async def _bot_of(client: AsyncClient, key: ChatKey) -> int | None:
    """The id of the bot that speaks for the agent in this chat; None while it has said nothing."""
    window = await _document(client, f"chats/{key.id}/window/current") or {}
    return next((said.author.id for said in _messages(window.get("entries", ())) if said.author.is_agent), None)


async def _document(client: AsyncClient, path: str) -> dict[str, Any] | None:
    snapshot = await client.document(path).get(retry=None, timeout=CALL_SECONDS)
    return snapshot.to_dict() if snapshot.exists else None


def _messages(entries: Any) -> tuple[Message, ...]:
    return tuple(entry for entry in ENTRIES.validate_python(entries) if isinstance(entry, Message))


async def _older(client: AsyncClient, conversation: str, message_id: int) -> Message | None:
    """A message that has left the window, from the transcript."""
    if not conversation:
        return None
    pages = client.collection(f"conversations/{conversation}/messages")
    newest = pages.order_by("first_seq", direction="DESCENDING").limit(NEWEST_PAGES)
    for page in await newest.get(retry=None, timeout=CALL_SECONDS):
        for message in _messages(page.get("entries")):
            if message.message_id == message_id:
                return message
    return None


async def _update(client: AsyncClient, key: ChatKey, asked: Message | None, message_id: int | None) -> Document | None:
    """The inbox document that brought a message."""
    if asked and asked.updates:
        return _without_raw(await _document(client, f"chats/{key.id}/inbox/{asked.updates[-1]:020d}"))
    inbox = client.collection(f"chats/{key.id}/inbox")
    newest = inbox.order_by("received_at", direction="DESCENDING").limit(NEWEST_UPDATES)
    found = [snapshot.to_dict() or {} for snapshot in await newest.get(retry=None, timeout=CALL_SECONDS)]
    wanted = (document for document in found if message_id in (None, _message_id_in(document)))
    return _without_raw(next(wanted, None))


def _without_raw(document: Document | None) -> Document | None:
    return {name: value for name, value in document.items() if name != "raw"} if document else None


def _message_id_in(document: Document) -> int | None:
    """The id of the message that a raw update is about."""
    raw = document["raw"]
    update = json.loads(raw if isinstance(raw, str) else zlib.decompress(raw))
    subjects = [value for value in update.values() if isinstance(value, dict)]
    for subject in [*subjects, *(value.get("message") for value in subjects)]:
        if isinstance(subject, dict) and isinstance(subject.get("message_id"), int):
            return int(subject["message_id"])
    return None
