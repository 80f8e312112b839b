"""Usage records in Firestore: a document for each lease that has ended, and for each job.

The usage of open leases is in the chats' documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from google.cloud.firestore_v1.async_query import AsyncQuery
from pydantic import ValidationError

from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, FirestoreStore, translate_errors
from shared.chat.store.queries import (
    BUDGETS_OF_MONTH,
    USAGE_OF_AGENT,
    USAGE_OF_ALL,
    USAGE_OF_CHAT,
    USAGE_OF_PERSON,
)
from shared.chat.store.usage import encode_usage
from shared.values.budget import ChatBudget, UsageRecord, usage_record
from shared.values.chat_key import ChatKey


@dataclass(frozen=True, kw_only=True)
class UsageQuery:
    """A query for the usage in a month: of one agent or, if `agent` is empty, of all.

    It may be limited to one day, person or chat.
    """

    agent: str
    #: as 2026-11, and the day as 2026-11-25
    month: str
    day: str = ""
    person: int = 0
    #: the ids of a chat's documents, including those of earlier chat ids; empty for all chats
    chats: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class UsageRead:
    """Usage records, and the number of documents read to find them."""

    usage: Sequence[UsageRecord]
    read: int

    def __iter__(self) -> Iterator[UsageRecord]:
        return iter(self.usage)


class FirestoreUsages(FirestoreStore):
    """The usage records. Every call may raise StoreUnavailable or StoreRefused."""

    async def of(self, query: UsageQuery, limit: int = 2_000) -> UsageRead:
        """Return stored usage, the newest first.

        There is a document for each lease (about 20 answers) and for each job. At most `limit` documents are read; each
        costs one read.
        """
        with translate_errors("read usage"):
            found = await self._query_for(query).limit(limit).get(retry=RETRY, timeout=CALL_SECONDS)
        usage = [one for one in _readable(one.to_dict() for one in found) if _fits(one, query)]
        return UsageRead(usage, len(found))

    async def open(self, query: UsageQuery, limit: int = 300) -> UsageRead:
        """Return usage that has no usage document yet. At most `limit` chats' documents, which contain it, are read."""
        asked = BUDGETS_OF_MONTH.on(self.client, query.month).select(["purse"]).limit(limit)
        with translate_errors("read budgets"):
            found = await asked.get(retry=RETRY, timeout=CALL_SECONDS)
        used = [usage for one in found for usage in usage_in_budget(one.id, one.to_dict() or {})]
        return UsageRead([one for one in used if _fits(one, query)], len(found))

    async def keep(self, usage: UsageRecord) -> None:
        """Store the usage of a job. Storing it again changes nothing."""
        document = self.client.document(paths.usage_path(usage.id))
        with translate_errors("keep usage"):
            await document.set(encode_usage(usage), retry=RETRY, timeout=CALL_SECONDS)

    def _query_for(self, query: UsageQuery) -> AsyncQuery:
        if query.chats:
            return USAGE_OF_CHAT.on(self.client, list(query.chats), query.month)
        if query.person:
            return USAGE_OF_PERSON.on(self.client, query.agent, query.person, query.month)
        if query.agent:
            return USAGE_OF_AGENT.on(self.client, query.agent, query.month)
        return USAGE_OF_ALL.on(self.client, query.month)


def usage_in_budget(chat: str, document: layout.Document) -> Iterable[UsageRecord]:
    """Return the usage in a chat's document, of leases that have no usage document yet. `chat` is the chat's id."""
    try:
        budget, key = ChatBudget.model_validate(document.get("purse") or {}), ChatKey.from_id(chat)
    except ValueError:
        return
    for one in (*budget.open, *budget.closed):
        yield usage_record(one, key.agent, chat, one.until)


def _fits(usage: UsageRecord, query: UsageQuery) -> bool:
    wanted = {
        "agent": query.agent or usage.agent,
        "month": query.month,
        "day": query.day or usage.day,
        "person": query.person or usage.person,
    }
    fits = all(getattr(usage, name) == value for name, value in wanted.items())
    return fits and (not query.chats or usage.chat in query.chats)


def _readable(documents: Iterable[layout.Document | None]) -> Iterable[UsageRecord]:
    for document in documents:
        with suppress(ValidationError):
            yield UsageRecord.model_validate(document or {})
