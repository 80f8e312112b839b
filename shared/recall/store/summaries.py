"""The summaries of chats in Firestore: a document for each summary, and one per chat with those that prompts show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from google.cloud.firestore_v1.base_query import FieldFilter
from pydantic import ValidationError

from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, FirestoreStore, translate_errors
from shared.chat.store.queries import CONVERSATIONS_BY_DATE, NEWEST_PAGES
from shared.chat.store.transcripts import readable
from shared.values.chat import Chat
from shared.values.evolve import FrozenModel
from shared.values.message import AnyEntry


class SummarySpan(StrEnum):
    """The period that a summary is about: the last 7 or 30 days."""

    WEEK = "7day"
    MONTH = "30day"

    @property
    def length(self) -> timedelta:
        """The length of the period: 7 or 30 days."""
        return _LENGTHS[self]


_LENGTHS: Final = {SummarySpan.WEEK: timedelta(days=7), SummarySpan.MONTH: timedelta(days=30)}


class EntryRange(FrozenModel):
    """The entries of a conversation from which a summary was made."""

    conversation: str
    first_seq: int
    last_seq: int
    #: whether the conversation's abbreviation was used instead of the entries
    is_abbreviated: bool = False


class ChatSummary(FrozenModel):
    """A chat's summary of the last 7 or 30 days, with the entries that it was made from."""

    #: the summary; "" if none was made yet, and `made_at` is then the time when the chat began
    text: str = ""
    #: when the text was made; the summary is about the days before
    made_at: datetime
    #: when a run last found no new messages; None if no run has checked
    looked_at: datetime | None = None
    ranges: tuple[EntryRange, ...] = ()
    #: whether the summary was made from text that is partly from outside
    holds_outside: bool = False
    #: when the owner asked for another summary; None if nobody did
    asked_at: datetime | None = None

    @property
    def is_asked(self) -> bool:
        """Whether the owner asked for another summary, and none was made since."""
        return self.asked_at is not None and self.asked_at >= self.counts_from

    @property
    def counts_from(self) -> datetime:
        """The start of the interval after which the next summary is due."""
        return self.looked_at or self.made_at

    def is_due(self, now: datetime, every: timedelta) -> bool:
        """Return whether the interval has passed, or the owner asked for another summary."""
        return self.is_asked or now - self.counts_from >= every


@dataclass(frozen=True, kw_only=True)
class SpanConversation:
    """A conversation in which something was said in the last 7 or 30 days, with its notes and newest entries."""

    id: str
    title: str = ""
    abbreviation: str = ""
    holds_outside: bool = False
    #: the number of the conversation's entries, and the time of the last one
    entries: int = 0
    updated_at: datetime
    #: the newest entries, if they were read
    newest: Sequence[AnyEntry] = ()


#: the number of pages that are read of a transcript, the newest ones
PAGES: Final = 60
_TOLD: Final = ("title", "abbreviation", "abbreviation_holds_outside", "entries", "updated_at")


class FirestoreSummaries(FirestoreStore):
    """The summaries of chats. Create one per instance, inside the running loop.

    Every method may raise StoreUnavailable or StoreRefused.
    """

    async def chat(self, chat: str) -> Chat | None:
        """Return the chat with this document id; None if it is missing or has an unknown form."""
        document = await self._document(paths.chat_path_of(chat))
        try:
            return Chat.model_validate(document) if document else None
        except ValidationError:
            log("a chat has a form that this version does not know")
            return None

    async def last_summaries(self, chat: str) -> Mapping[SummarySpan, ChatSummary]:
        """Return the newest stored summary of a chat for each span, without missing and unreadable ones."""
        found = {span: await self._document(paths.summary_path(chat, span)) for span in SummarySpan}
        return {span: summary for span, document in found.items() if (summary := _summary(document)) is not None}

    async def keep(self, chat: str, span: SummarySpan, summary: ChatSummary) -> None:
        """Store a summary. Until `show` is called, prompts show the previous one."""
        with translate_errors("store a summary"):
            document = self.client.document(paths.summary_path(chat, span))
            await document.set(summary.model_dump(), retry=RETRY, timeout=CALL_SECONDS)

    async def ask_again(self, chat: str, span: SummarySpan, now: datetime) -> None:
        """Record that the owner asked for a new summary, so that the next run makes one before it is due."""
        kept = (await self.last_summaries(chat)).get(span)
        if kept is None:
            await self.keep(chat, span, ChatSummary(made_at=now, asked_at=now))
            return
        with translate_errors("ask for a summary"):
            document = self.client.document(paths.summary_path(chat, span))
            await document.set({"asked_at": now}, merge=True, retry=RETRY, timeout=CALL_SECONDS)

    async def shown_summaries(self, chat: str) -> Mapping[SummarySpan, ChatSummary]:
        """Return the summaries that prompts show. Costs one read. Raises StoreUnavailable or StoreRefused."""
        shown = (await self._document(paths.shown_summaries_path(chat)) or {}).get("shown")
        found = {span: _summary(shown.get(span.value)) for span in SummarySpan if isinstance(shown, Mapping)}
        return {span: summary for span, summary in found.items() if summary is not None}

    async def show(self, chat: str, span: SummarySpan, summary: ChatSummary) -> None:
        """Make prompts show this summary in place of the previous one."""
        fields = {"shown": {span.value: summary.model_dump(exclude={"ranges"})}}
        with translate_errors("store the shown summary"):
            document = self.client.document(paths.shown_summaries_path(chat))
            await document.set(fields, merge=True, retry=RETRY, timeout=CALL_SECONDS)

    async def conversations(self, chats: Sequence[str], since: datetime, limit: int) -> Sequence[SpanConversation]:
        """Return the conversations of these chats in which something was said at or after `since`, the newest first."""
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
    """Return a summary; None if it is missing or has an unknown form. It is then made again."""
    try:
        return ChatSummary.model_validate(document) if document else None
    except ValidationError:
        log("a summary has a form that this version does not know")
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
