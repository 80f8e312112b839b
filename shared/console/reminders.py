"""The reminders of an owner's agents, and the reminders and notices that did not arrive."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.async_query import AsyncQuery
from google.cloud.firestore_v1.base_query import FieldFilter
from pydantic import ValidationError

from shared.base.logs import log
from shared.base.wording.words import words_in
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.queries import FAILED_REMINDERS, NAME, REMINDERS_BY_DATE, REMINDERS_BY_SETTING, Cursor
from shared.reminders.store import decode_due
from shared.values.outbox import OutboxNotice
from shared.values.reminder import DueItem, Reminder

#: documents of one query
_AT_ONCE: Final = 60
#: documents that one page reads at most, if many belong to other owners' agents or are notices
_MOST_READ: Final = 300
#: how long a loss is shown
LATELY: Final = timedelta(days=7)
#: next times that are shown of a repeating reminder
SHOWN_TIMES: Final = 10
_BEGIN: Final = datetime(2020, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class DuePage:
    """A page of reminders. `next` is the cursor of the next page; None on the last page."""

    items: Sequence[Reminder]
    next: Cursor | None


@dataclass(frozen=True)
class ConsoleReminders:
    """Reads reminders. Every method may raise StoreUnavailable or StoreRefused."""

    client: AsyncClient

    async def page(self, agents: Collection[str], beyond: Cursor | None, limit: int) -> DuePage:
        """Return open reminders of these agents, in the order in which they are due."""
        field = REMINDERS_BY_DATE.order[0].field
        query = REMINDERS_BY_DATE.on(self.client).where(filter=FieldFilter(field, ">", _BEGIN)).order_by(NAME)
        return await self._page(query, field, agents, beyond, limit)

    async def history(self, agents: Collection[str], beyond: Cursor | None, limit: int) -> DuePage:
        """Return reminders of these agents, open or not, the newest first."""
        field = REMINDERS_BY_SETTING.order[0].field
        query = REMINDERS_BY_SETTING.on(self.client).order_by(NAME, direction=AsyncQuery.DESCENDING)
        return await self._page(query, field, agents, beyond, limit)

    async def _page(
        self, query: AsyncQuery, field: str, agents: Collection[str], beyond: Cursor | None, limit: int
    ) -> DuePage:
        items, read = list[Reminder](), 0
        while read < _MOST_READ:
            rest = query
            if beyond is not None:
                rest = query.start_after({field: beyond.at, NAME: self.client.document(beyond.path)})
            with translate_errors("list reminders"):
                found = await rest.limit(_AT_ONCE).get(retry=RETRY, timeout=CALL_SECONDS)
            read += len(found)
            for one in found:
                beyond = Cursor(at=one.get(field), path=one.reference.path)
                due = _decode(one.to_dict() or {})
                if isinstance(due, Reminder) and due.agent in agents:
                    items.append(due)
                if len(items) == limit:
                    return DuePage(items=items, next=beyond)
            if len(found) < _AT_ONCE:
                return DuePage(items=items, next=None)
        return DuePage(items=items, next=beyond)

    async def find(self, reminder_id: str) -> Reminder | None:
        """Return a reminder, open or not; None if there is none."""
        with translate_errors("read a reminder"):
            found = await self.client.document(paths.event_path(reminder_id)).get(retry=RETRY, timeout=CALL_SECONDS)
        due = _decode(found.to_dict() or {}) if found.exists else None
        return due if isinstance(due, Reminder) else None

    async def read_lost(self, agents: Collection[str], now: datetime, limit: int) -> Sequence[Reminder | OutboxNotice]:
        """Return the newest reminders and notices of the last week that could not be delivered."""
        field = FAILED_REMINDERS.order[0].field
        query = FAILED_REMINDERS.on(self.client).where(filter=FieldFilter(field, ">", now - LATELY)).limit(limit)
        with translate_errors("list lost reminders"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        due = (_decode(one.to_dict() or {}) for one in found)
        return [one for one in due if one is not None and one.agent in agents]


def reminder_json(due: DueItem, names: Mapping[str, str], language: str) -> Mapping[str, Any]:
    """Return a reminder or a notice as JSON for the page. `names`: titles of chats by document id."""
    last = due.last
    return {
        "id": due.id,
        "agent": due.agent,
        "chat": due.chat,
        "chat_title": names.get(due.chat, ""),
        "person": due.person,
        "text": due.text,
        "next_at": _moment(due.next_at),
        "set_at": _moment(due.set_at),
        "is_held": due.held_at is not None,
        "last": {"at": _moment(last.at), "due_at": _moment(last.due_at), "state": last.state.value, "why": last.why}
        if last is not None
        else None,
        **dict(_of_reminder(due, language)),
    }


def _of_reminder(due: DueItem, language: str) -> Iterator[tuple[str, Any]]:
    if not isinstance(due, Reminder):
        yield "is_notice", True
        return
    yield "name", due.name
    yield "instruction", due.instruction
    yield "zone", due.zone
    yield "repeats", bool(due.rule)
    yield "when", _when(due, language)
    yield "times", [at.isoformat() for at in next_times(due)]
    yield "conversation", due.conversation


def next_times(reminder: Reminder, count: int = SHOWN_TIMES) -> Sequence[datetime]:
    """Return the next times of a repeating reminder; () if it does not repeat, or if its rule cannot be read."""
    from shared.reminders.times.changes import next_occurrence  # loaded only when reminders are shown

    times, at = list[datetime](), reminder.next_at if reminder.rule else None
    with suppress(ValueError):
        while at is not None and len(times) < count:
            times.append(at)
            at = next_occurrence(reminder, at)
    return times


def _when(reminder: Reminder, language: str) -> str:
    """Return the next time and the repetition in words; "" if this version cannot read the rule."""
    from shared.reminders.times.reminder_text import next_time_text  # loaded only when reminders are shown

    try:
        return str(next_time_text(words_in(language), reminder))
    except ValueError:
        return ""


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at is not None else None


def _decode(document: layout.Document) -> Reminder | OutboxNotice | None:
    try:
        return decode_due(document)
    except ValidationError:
        log("this version cannot read a reminder")
        return None
