"""An opened conversation: its header, and a part of its transcript."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from pydantic import ValidationError

from shared.base.errors import PlanUnreadable
from shared.chat.archive_names import began_at
from shared.chat.store import paths
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.chats import decode_chat
from shared.chat.store.conversations import FirestoreCompressions
from shared.chat.store.plans import decode_plan
from shared.console.conversations.entries import EntrySpan, items_of, with_made
from shared.console.conversations.listing import FRESH_LIST
from shared.console.conversations.participants import participants_view
from shared.console.conversations.rows import key_of, moment_text, row_of
from shared.console.conversations.store import PAGES_AT_ONCE, ConsoleConversations, ListedConversation, StoredPage
from shared.console.route import NotFound
from shared.tasks.plan import Plan, PlannedTask
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.message import AnyEntry
from shared.values.model_name import split_model_name
from shared.values.notes import Notes
from shared.values.prompt import CompressionSummary
from shared.values.trust import AccessList

#: tasks and offers of a plan that the header lists
MOST_PENDING: Final = 20
#: summaries of the older part that are shown, each where it was made
MOST_SUMMARIES: Final = 5
_NO_NOTES: Final = Notes()


@dataclass(frozen=True, kw_only=True)
class OpenedConversation:
    """A conversation with its chat, as stored. `is_current`: whether it is the current conversation of this chat."""

    stored: ListedConversation
    chat: Chat
    access_list: AccessList
    notes: Notes
    #: the summary of the older part and those that it replaced, the newest first
    compressions: Sequence[CompressionSummary] = ()

    @property
    def compression(self) -> CompressionSummary | None:
        """The summary that replaces the older entries in prompts; None if there is none."""
        return next(iter(self.compressions), None)

    @property
    def is_current(self) -> bool:
        return self.chat.conversation == self.stored.id


class ConversationReader:
    """Reads single conversations of an owner's agents."""

    def __init__(self, client: AsyncClient, access_lists: FirestoreAccessLists, agents: Sequence[str]) -> None:
        """`agents` are the owner's agents. The reader finds no conversation of any other agent."""
        self.client = client
        self.stored = ConsoleConversations(client)
        self._access_lists = access_lists
        self._agents = agents

    async def find(self, conversation: str) -> tuple[ListedConversation, ChatKey]:
        """Return a conversation and the key of its chat. Raises NotFound."""
        found = await self.stored.find(conversation) if conversation and "/" not in conversation else None
        key = key_of(found) if found is not None else None
        if found is None or key is None or key.agent not in self._agents:
            raise NotFound
        return found, key

    async def open(self, conversation: str) -> OpenedConversation:
        """Return a conversation with its chat. Costs at most eight reads; nine for a group that became a supergroup.

        Raises NotFound.
        """
        stored, key = await self.find(conversation)
        chat, access_list, compressions = await asyncio.gather(
            self._chat(key),
            self._access_lists.access_list(key.agent, FRESH_LIST),
            FirestoreCompressions(self.client).newest(conversation, MOST_SUMMARIES),
        )
        return OpenedConversation(
            stored=stored, chat=chat, access_list=access_list, notes=notes_in(stored), compressions=compressions
        )

    async def _chat(self, key: ChatKey) -> Chat:
        chat = await self._read_chat(key)
        if not chat.moves.moved_to:
            return chat
        return await self._read_chat(ChatKey(agent=key.agent, chat_id=chat.moves.moved_to, topic_id=key.topic_id))

    async def _read_chat(self, key: ChatKey) -> Chat:
        with translate_errors("read a chat"):
            found = await self.client.document(paths.chat_path(key)).get(retry=RETRY, timeout=CALL_SECONDS)
        return decode_chat(key, found.to_dict())

    async def plan(self, opened: OpenedConversation) -> Plan | None:
        """Return the conversation's plan if some of its tasks are still open, else None."""
        if not opened.is_current or opened.chat.due_at is None:
            return None
        with translate_errors("read a plan"):
            found = await self.client.document(paths.plan_path(opened.chat.key)).get(retry=RETRY, timeout=CALL_SECONDS)
        with suppress(PlanUnreadable):
            return decode_plan(found.to_dict())
        return None

    async def newest(self, opened: OpenedConversation) -> Mapping[str, Any]:
        """Return the newest part of the transcript, including the entries that are in no page yet."""
        pages = await self.stored.pages(opened.stored.id, None, PAGES_AT_ONCE)
        unpaged = opened.chat.talk.unpaged if opened.is_current else ()
        return part_of(opened, pages, unpaged, is_newest=True)

    async def before(self, opened: OpenedConversation, seq: int) -> Mapping[str, Any]:
        """Return the part of the transcript that ends before entry number `seq`."""
        pages = await self.stored.pages(opened.stored.id, seq, PAGES_AT_ONCE)
        return part_of(opened, pages, (), is_newest=False)

    async def after(self, opened: OpenedConversation, seq: int) -> Mapping[str, Any]:
        """Return the pages after the one that ends with entry number `seq`, and the entries that are in no page yet."""
        pages = await self.stored.pages_after(opened.stored.id, seq, PAGES_AT_ONCE)
        unpaged = opened.chat.talk.unpaged if opened.is_current else ()
        return part_of(opened, pages, unpaged, is_newest=True)


def part_of(
    opened: OpenedConversation, pages: Sequence[StoredPage], unpaged: Sequence[AnyEntry], *, is_newest: bool
) -> dict[str, Any]:
    """Return a transcript's part as JSON. `paged`: the last number of an entry in `pages`. `next`: the older part."""
    known = last_of(pages)
    fresh = [one for one in unpaged if one.seq > known]
    first = pages[0].first if pages else min((one.seq for one in fresh), default=0)
    span = EntrySpan(first=first, last=max(known, *(one.seq for one in fresh), 0), is_newest=is_newest)
    items = with_made(items_of(pages, fresh), span, opened.notes.history, opened.compressions)
    return {"items": items, "next": str(first) if first > 1 else "", "paged": known, "first": first}


def last_of(pages: Sequence[StoredPage]) -> int:
    """Return the number of the last entry in these pages; 0 if there is none."""
    if not pages:
        return 0
    seqs = (one.get("seq") for one in pages[-1].entries if isinstance(one, Mapping))
    return max((one for one in seqs if isinstance(one, int)), default=pages[-1].first)


def header_of(
    opened: OpenedConversation, plan: Plan | None, models: Sequence[str], now: datetime
) -> dict[str, Any] | None:
    """Return the header of a conversation: its row, and what the owner can see or change above its messages."""
    row = row_of(opened.stored, opened.access_list)
    if row is None:
        return None
    chat, began = opened.chat, began_at(opened.stored.id)
    title = chat.talk.conversation_title if opened.is_current else ""
    own = chat.talk.model if opened.is_current else str(opened.stored.fields.get("model") or "")
    muted = chat.access.muted_until
    return {
        **row,
        # the chat's document is newer than the conversation's while a tick is running
        "title": title or row["title"],
        "is_named": row["is_named"] or bool(title),
        "is_current": opened.is_current,
        "created": moment_text(began),
        "model": own if own in models else (models[0] if models else own),
        "models": [{"id": one, "label": split_model_name(one).label} for one in models],
        **participants_view(opened.stored.fields, opened.access_list),
        "muted_until": moment_text(muted) if chat.is_muted(now) else "",
        "is_running": opened.is_current and chat.is_held(now),
        "trouble": chat.planning.model_failure if opened.is_current else "",
        "pending": [pending_of(one) for one in open_tasks(plan)][:MOST_PENDING],
        "offers": offers_of(opened)[:MOST_PENDING],
        "abbreviation": abbreviation_of(opened.notes, now),
    }


def notes_in(stored: ListedConversation) -> Notes:
    """Return the notes in a conversation's document; empty notes if this version cannot read them."""
    fields = stored.fields
    with suppress(ValidationError):
        return Notes.model_validate(fields)
    with suppress(ValidationError):  # a history of a later version
        return Notes.model_validate({**fields, "history": ""})
    return _NO_NOTES


def abbreviation_of(notes: Notes, now: datetime) -> dict[str, Any]:
    """Return a conversation's abbreviation with its state: `made`, `failed`, `waiting` or `none`.

    `waiting`: it will be made or made again once the conversation is at rest; its text lacks the newest entries.
    """
    made = [event for event in notes.history if event.abbreviation == notes.abbreviation and event.abbreviation]
    is_behind = notes.noted_seq < notes.entries and notes.due_at is not None
    state = (
        "failed" if notes.needs_abbreviation else "waiting" if is_behind else "made" if notes.abbreviation else "none"
    )
    return {
        "text": notes.abbreviation,
        "state": state,
        "at": moment_text(made[-1].at) if made else "",
        "due": moment_text(notes.due_at) if notes.due_at is not None else "",
        "is_due": notes.due_at is not None and notes.due_at <= now,
        "failures": notes.failures,
        "through": notes.noted_seq,
    }


def open_tasks(plan: Plan | None) -> Sequence[PlannedTask]:
    """Return the tasks of a plan that are not finished."""
    return [one for one in plan.tasks if one.is_open] if plan is not None else ()


def pending_of(planned: PlannedTask) -> dict[str, Any]:
    """Return an unfinished task: its kind, text, earliest time, number of tries, and last failure."""
    text = getattr(planned.task, "text", "")
    refused = [one.why for one in planned.deliveries if one.why]
    return {
        "id": planned.task.id,
        "kind": planned.task.kind,
        "text": text if isinstance(text, str) else "",
        "not_before": moment_text(planned.not_before),
        "is_own": planned.is_own,
        "tries": planned.tries,
        "why": planned.why or next(reversed(refused), ""),
    }


def offers_of(opened: OpenedConversation) -> list[dict[str, Any]]:
    """Return the open offers: the labels of their buttons, and the time of each offer."""
    if not opened.is_current:
        return []
    return [
        {
            "id": one.id,
            "choices": [button.text for button in one.buttons],
            "at": one.at.isoformat(),
            "acts": bool(one.effects),
        }
        for one in opened.chat.talk.keyboards
        if one.buttons
    ]
