"""The summaries of chats in Firestore: each in its own document, and the shown ones together in another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_query import FieldFilter
from pydantic import BaseModel, ConfigDict, ValidationError

from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.queries import CONVERSATIONS_BY_DATE, NEWEST_PAGES
from shared.chat.store.transcripts import readable
from shared.values.chat import Chat
from shared.values.message import AnyEntry


class SummarySpan(StrEnum):
    """The span that a summary covers."""

    WEEK = "7day"
    MONTH = "30day"

    @property
    def length(self) -> timedelta:
        """Length of the span."""
        return _LENGTHS[self]


_LENGTHS: Final = {SummarySpan.WEEK: timedelta(days=7), SummarySpan.MONTH: timedelta(days=30)}


class EntryRange(BaseModel):
    """The entries of a conversation that a summary was made from."""

    model_config = ConfigDict(frozen=True)

    conversation: str
    first_seq: int
    last_seq: int
    #: whether the conversation's abbreviation was read instead of the entries
    is_abbreviated: bool = False


class ChatSummary(BaseModel):
    """A summary of one span of one chat."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    #: "" if none was made yet; `made_at` is then the time when the chat began
    text: str = ""
    #: when its text was made; the summary covers the days before
    made_at: datetime
    #: the last time when there were no messages since; None if not checked
    looked_at: datetime | None = None
    ranges: tuple[EntryRange, ...] = ()
    #: whether it was made partly from untrusted text
    holds_outside: bool = False

    @property
    def counts_from(self) -> datetime:
        """The start of the interval until the next summary."""
        return self.looked_at or self.made_at

    def is_due(self, now: datetime, every: timedelta) -> bool:
        """Return whether the interval has passed."""
        return now - self.counts_from >= every


@dataclass(frozen=True, kw_only=True)
class SpanConversation:
    """A conversation in which something was said in a span."""

    id: str
    title: str = ""
    abbreviation: str = ""
    holds_outside: bool = False
    #: the number of its entries, and when the last was written
    entries: int = 0
    updated_at: datetime
    #: its newest entries, if they were read
    newest: Sequence[AnyEntry] = ()


#: the number of a transcript's newest pages to read
PAGES: Final = 60
_TOLD: Final = ("title", "abbreviation", "abbreviation_holds_outside", "entries", "updated_at")


class FirestoreSummaries:
    """The summaries of chats. Create one per instance, inside the running loop.

    Every call raises StoreUnavailable or StoreRefused.
    """

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client

    async def chat(self, chat: str) -> Chat | None:
        """Return the chat with a document id, or None if it is missing or of an unknown shape."""
        document = await self._document(paths.chat_path_of(chat))
        try:
            return Chat.model_validate(document) if document else None
        except ValidationError:
            log("a chat is of a shape that this version does not know")
            return None

    async def last_summaries(self, chat: str) -> Mapping[SummarySpan, ChatSummary]:
        """Return the last stored summaries of a chat."""
        found = {span: await self._document(paths.summary_path(chat, span)) for span in SummarySpan}
        return {span: summary for span, document in found.items() if (summary := _summary(document)) is not None}

    async def keep(self, chat: str, span: SummarySpan, summary: ChatSummary) -> None:
        """Store a summary. Prompts show the last one until `show` is called."""
        with translate_errors("store a summary"):
            document = self.client.document(paths.summary_path(chat, span))
            await document.set(summary.model_dump(), retry=RETRY, timeout=CALL_SECONDS)

    async def shown_summaries(self, chat: str) -> Mapping[SummarySpan, ChatSummary]:
        """Return the summaries that prompts show; one read. Raises StoreUnavailable or StoreRefused."""
        shown = (await self._document(paths.shown_summaries_path(chat)) or {}).get("shown")
        found = {span: _summary(shown.get(span.value)) for span in SummarySpan if isinstance(shown, Mapping)}
        return {span: summary for span, summary in found.items() if summary is not None}

    async def show(self, chat: str, span: SummarySpan, summary: ChatSummary) -> None:
        """Have prompts show a summary in place of the last one."""
        fields = {"shown": {span.value: summary.model_dump(exclude={"ranges"})}}
        with translate_errors("store the shown summary"):
            document = self.client.document(paths.shown_summaries_path(chat))
            await document.set(fields, merge=True, retry=RETRY, timeout=CALL_SECONDS)

    async def conversations(self, chats: Sequence[str], since: datetime, limit: int) -> Sequence[SpanConversation]:
        """Return the conversations of some chats in which something was said since a moment, newest first."""
        query = CONVERSATIONS_BY_DATE.on(self.client, list(chats)).select(_TOLD)
        query = query.where(filter=FieldFilter("updated_at", ">=", since)).limit(limit)
        with translate_errors("find conversations by date"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return [_conversation(one.id, one.to_dict() or {}) for one in found]

    async def newest_entries(self, conversation: str) -> tuple[AnyEntry, ...]:
        """Return the entries of a conversation's newest pages, oldest first."""
        query = NEWEST_PAGES.on(self.client.document(paths.conversation_path(conversation))).limit(PAGES)
        with translate_errors("read a transcript"):
            pages = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return tuple(readable(reversed(pages)))

    async def _document(self, path: str) -> layout.Document | None:
        with translate_errors("read a summary"):
            found: Any = await self.client.document(path).get(retry=RETRY, timeout=CALL_SECONDS)
        document: layout.Document | None = found.to_dict()
        return document


def _summary(document: layout.Document | None) -> ChatSummary | None:
    """Return a summary, or None if it is missing or of an unknown shape; it is then made again."""
    try:
        return ChatSummary.model_validate(document) if document else None
    except ValidationError:
        log("a summary is of a shape that this version does not know")
        return None


def _conversation(name: str, document: layout.Document) -> SpanConversation:
    return SpanConversation(
        id=name,
        title=str(document.get("title") or ""),
        abbreviation=str(document.get("abbreviation") or ""),
        holds_outside=bool(document.get("abbreviation_holds_outside")),
        entries=int(document.get("entries") or 0),
        updated_at=document["updated_at"],
    )
