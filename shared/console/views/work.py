"""Work: the chats with an active tick, unread updates or unfinished tasks, and what these wait for."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_query import FieldFilter
from ulid import ULID

from shared.base.errors import PlanUnreadable
from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.plans import decode_plan
from shared.chat.store.queries import OVERDUE, UNREAD_ANYWHERE
from shared.console.conversations.opened import pending_of
from shared.console.logs_link import logs_url
from shared.console.route import ConsoleRequest, ConsoleRoute
from shared.console.services import ConsoleServices
from shared.tasks.plan import Plan, PlannedTask
from shared.values.chat_key import ChatKey

#: unread updates, and chats with a plan, that are read at most
_MOST: Final = 50
_BEGIN: Final = datetime(2020, 1, 1, tzinfo=UTC)
_FIELDS: Final = ("title", "topic", "lease", "due_at", "conversation", "starts")


@dataclass(frozen=True, kw_only=True)
class ChatWork:
    """The unfinished work of one chat. `holder` is the id of the tick that is handling the chat. If there is none, it
    is "", and `held_since` and `held_until` are None.
    """

    key: ChatKey
    title: str
    conversation: str
    holder: str
    held_since: datetime | None
    held_until: datetime | None
    #: how many ticks in a row claimed the chat and wrote nothing
    starts: int
    unread: int
    oldest: datetime | None
    due_at: datetime | None
    trace: str
    tasks: Sequence[PlannedTask] = ()

    @property
    def since(self) -> datetime:
        """When the chat began to wait: the time of its oldest unread update, or else of its plan's next task."""
        return self.oldest or self.due_at or datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class WorkReader:
    """Reads the unfinished work of some agents. Raises StoreUnavailable or StoreRefused."""

    client: AsyncClient
    agents: Collection[str]

    async def read(self, now: datetime) -> Sequence[ChatWork]:
        """Return the chats with unfinished work, the longest waiting first. Costs at most 200 reads, usually a few.

        Chats that a tick is handling are included, since updates count as unread until the tick commits.
        """
        unread, due = await asyncio.gather(self._unread(), self._due())
        keys = {one.id: one for one in map(_key_of, {*unread, *due}) if one is not None and one.agent in self.agents}
        chats, plans = await asyncio.gather(
            self._documents([paths.chat_path(one) for one in keys.values()], _FIELDS),
            self._documents([paths.plan_path(keys[one]) for one in due if one in keys], None),
        )
        found = (
            _work_of(
                key, chats.get(paths.chat_path(key), {}), unread.get(name, []), plans.get(paths.plan_path(key)), now
            )
            for name, key in keys.items()
        )
        return sorted((one for one in found if one.held_until or one.unread or one.tasks), key=lambda one: one.since)

    async def _unread(self) -> Mapping[str, list[datetime]]:
        """Return the times of the unread updates by chat."""
        field = UNREAD_ANYWHERE.order[0].field
        query = UNREAD_ANYWHERE.on(self.client, False).select([field]).limit(_MOST)
        with translate_errors("find unread updates"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        known = dict[str, list[datetime]]()
        for one in found:
            known.setdefault(paths.chat_id_in(one.reference.path), []).append(one.get(field))
        return known

    async def _due(self) -> Sequence[str]:
        """Return the chats whose plans have tasks that are not done yet."""
        query = OVERDUE.on(self.client).where(filter=FieldFilter("due_at", ">", _BEGIN)).select([]).limit(_MOST)
        with translate_errors("find plans that go on"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return [one.id for one in found]

    async def _documents(self, names: Iterable[str], fields: Iterable[str] | None) -> Mapping[str, dict[str, Any]]:
        documents = [self.client.document(one) for one in names]
        if not documents:
            return {}
        with translate_errors("read the work of chats"):
            found = self.client.get_all(documents, fields, retry=RETRY, timeout=CALL_SECONDS)
            return {one.reference.path: one.to_dict() or {} async for one in found if one.exists}


def _key_of(chat: str) -> ChatKey | None:
    with suppress(ValueError):
        return ChatKey.from_id(chat)
    return None


def _work_of(key: ChatKey, chat: Mapping[str, Any], unread: Sequence[datetime], stored: Any, now: datetime) -> ChatWork:
    lease, plan = chat.get("lease") or {}, _plan_in(stored)
    until = lease.get("until")
    is_held = isinstance(until, datetime) and until > now
    holder = str(lease.get("owner") or "") if is_held else ""
    return ChatWork(
        key=key,
        title=" · ".join(filter(None, (chat.get("title"), chat.get("topic")))),
        conversation=str(chat.get("conversation") or ""),
        holder=holder,
        held_since=_began_at(holder),
        held_until=until if is_held else None,
        starts=int(chat.get("starts") or 0),
        unread=len(unread),
        oldest=min(unread, default=None),
        due_at=chat.get("due_at"),
        trace=plan.trace if plan is not None else "",
        tasks=[one for one in plan.tasks if one.is_open] if plan is not None else (),
    )


def _began_at(holder: str) -> datetime | None:
    """Return the time at which a tick began, read from the tick's id (a ULID); None if the id has another form."""
    with suppress(ValueError):
        return ULID.from_str(holder).datetime
    return None


def _plan_in(stored: Any) -> Plan | None:
    with suppress(PlanUnreadable):
        return decode_plan(stored)
    return None


async def read_work(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the chats with work to do, the longest waiting first."""
    now = services.clock()
    found = await WorkReader(services.client, frozenset(request.agents)).read(now)
    return {"at": now.isoformat(), "items": [_json(services, one) for one in found], "next": ""}


def _json(services: ConsoleServices, work: ChatWork) -> Mapping[str, Any]:
    link = None if services.is_local else logs_url(services.project, work.trace)
    return {
        "chat": work.key.id,
        "agent": work.key.agent,
        "chat_title": work.title,
        "conversation": work.conversation,
        "holder": work.holder,
        "held_since": work.held_since.isoformat() if work.held_since is not None else None,
        "held_until": work.held_until.isoformat() if work.held_until is not None else None,
        "starts": work.starts,
        "unread": work.unread,
        "oldest": work.oldest.isoformat() if work.oldest is not None else None,
        "due_at": work.due_at.isoformat() if work.due_at is not None else None,
        "logs": link or "",
        "tasks": [pending_of(one) for one in work.tasks],
    }


ROUTES = (ConsoleRoute("GET", "/api/work", read_work),)
