"""The work of the owner's agents that waits in queues. Waiting ticks are listed chat by chat in `views/work.py`.

Cloud Tasks reports a queue's length only in a beta version of its API, only to accounts that may read the queue, and
only for all agents together. So the work is counted in Firestore, where it is stored before its task is created.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.async_query import AsyncQuery
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.base_query import FieldFilter

from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.queries import (
    CONVERSATIONS_DUE,
    DELETIONS_DUE,
    EXPORTS_DUE,
    OPEN_REFERENCES,
    REMINDERS_BY_DATE,
)
from shared.values.wake import Queue

#: documents of each kind that are looked at, the oldest
MOST_LOOKED_AT: Final = 50
_BEGINNING: Final = datetime(2020, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class WaitingWork:
    """Waiting work of one kind: `count` files or conversations, of which the first has waited since `since`.

    `is_more`: there may be more, as not all documents were read.
    """

    kind: str
    queue: Queue
    count: int
    since: datetime | None
    is_more: bool

    def to_json(self, now: datetime) -> Mapping[str, Any]:
        """Return the work as the page shows it."""
        age_s = round((now - self.since).total_seconds()) if self.since is not None else None
        return {
            "kind": self.kind,
            "queue": self.queue.value,
            "count": self.count,
            "is_more": self.is_more,
            "age_s": age_s,
        }


async def waiting_work(client: AsyncClient, agents: Collection[str], now: datetime) -> Sequence[WaitingWork]:
    """Return the waiting work of these agents. Costs at most `MOST_LOOKED_AT` reads for each of the two kinds of work.

    Raises StoreUnavailable or StoreRefused.
    """
    queries: Sequence[tuple[str, Queue, AsyncQuery, Sequence[str]]] = (
        ("files", Queue.MEDIA, OPEN_REFERENCES.on(client, True), ("at", "agent", "ref.unique_id")),
        (
            "notes",
            Queue.BACKGROUND,
            CONVERSATIONS_DUE.on(client).where(filter=FieldFilter("due_at", "<=", now)),
            ("due_at", "agent"),
        ),
    )
    found = await asyncio.gather(*(_oldest(query, fields) for _, _, query, fields in queries))
    return [
        _work_in(documents, kind, queue, fields[0], agents)
        for (kind, queue, _, fields), documents in zip(queries, found, strict=True)
    ]


async def _oldest(query: AsyncQuery, fields: Sequence[str]) -> Sequence[DocumentSnapshot[Any]]:
    with translate_errors("look for work that waits"):
        return await query.select(fields).limit(MOST_LOOKED_AT).get(retry=RETRY, timeout=CALL_SECONDS)


def _work_in(
    documents: Sequence[DocumentSnapshot[Any]], kind: str, queue: Queue, since: str, agents: Collection[str]
) -> WaitingWork:
    first = dict[str, datetime]()
    for agent, name, at in (_waiting_in(one, since) for one in documents):
        if agent in agents and at is not None:
            first[name] = min(at, first.get(name, at))
    is_more = len(documents) == MOST_LOOKED_AT
    return WaitingWork(
        kind=kind, queue=queue, count=len(first), since=min(first.values(), default=None), is_more=is_more
    )


def _waiting_in(document: DocumentSnapshot[Any], since: str) -> tuple[str, str, datetime | None]:
    """Return a document's agent, the id of the waiting file or conversation, and the time when it began to wait."""
    fields = document.to_dict() or {}
    at, file = fields.get(since), (fields.get("ref") or {}).get("unique_id")
    return str(fields.get("agent") or ""), str(file or document.id), at if isinstance(at, datetime) else None


async def count_later_work(client: AsyncClient) -> Mapping[str, int]:
    """Return the numbers of future reminders, deletions and exports of all agents. Costs one read for each thousand.

    Raises StoreUnavailable or StoreRefused.
    """
    queries = {
        "reminders": REMINDERS_BY_DATE.on(client).where(filter=FieldFilter("next_at", ">", _BEGINNING)),
        "deletions": DELETIONS_DUE.on(client).where(filter=FieldFilter("due_at", ">", _BEGINNING)),
        "exports": EXPORTS_DUE.on(client).where(filter=FieldFilter("due_at", ">", _BEGINNING)),
    }
    counts = await asyncio.gather(*map(_count, queries.values()))
    return dict(zip(queries, counts, strict=True))


async def _count(query: Any) -> int:
    with translate_errors("count the work that waits"):
        ((counted,),) = await query.count().get(retry=RETRY, timeout=CALL_SECONDS)
    return int(counted.value)
