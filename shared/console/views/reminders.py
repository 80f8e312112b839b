"""Reminders with their next times, and reminders that were not delivered."""

import base64
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from shared.chat.store.queries import Cursor
from shared.console.chat_names import chat_names
from shared.console.orders import give_order
from shared.console.posted import posted_click
from shared.console.reminders import ConsoleReminders, reminder_json
from shared.console.route import BadRequest, ConsoleRequest, ConsoleRoute, NotFound, OutdatedPage
from shared.console.services import ConsoleServices
from shared.console.views.status import forget_status
from shared.reminders.commands.reminders import CANCEL, NOW, PUT_OFF
from shared.values.console_order import ConsoleOrder
from shared.values.reminder import Reminder, button_reference

PAGE: Final = 30
#: lost reminders and notices that are shown
MOST_LOST: Final = 20
#: the letters of the buttons of /reminders, by the action's name in an address
_ACTIONS: Final = {"cancel": CANCEL, "now": NOW, **{f"later-{letter}": letter for letter in PUT_OFF}}


async def list_reminders(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return a page of open reminders, those due soonest first. The first page also has recent undelivered ones."""
    reminders, cursor = ConsoleReminders(services.client), _cursor(request.query.get("cursor", ""))
    page = await reminders.page(request.agents, cursor, PAGE)
    lost = await reminders.read_lost(request.agents, services.clock(), MOST_LOST) if cursor is None else ()
    names = await chat_names(services.client, [one.chat for one in (*page.items, *lost)])
    return {
        "items": [reminder_json(one, names, request.language) for one in page.items],
        "next": _cursor_text(page.next) if page.next is not None else "",
        "lost": [reminder_json(one, names, request.language) for one in lost],
        "later": {f"later-{letter}": int(span.total_seconds()) for letter, span in PUT_OFF.items()},
    }


async def list_history(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return a page of all reminders, whether open or ended, the newest first."""
    reminders, cursor = ConsoleReminders(services.client), _cursor(request.query.get("cursor", ""))
    page = await reminders.history(request.agents, cursor, PAGE)
    names = await chat_names(services.client, [one.chat for one in page.items])
    return {
        "items": [reminder_json(one, names, request.language) for one in page.items],
        "next": _cursor_text(page.next) if page.next is not None else "",
    }


async def change_reminder(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Have a tick cancel a reminder, send it now, or postpone its next time. Nothing is said in the reminder's chat."""
    letter = _ACTIONS.get(request.path["action"])
    reminder = await ConsoleReminders(services.client).find(request.path["reminder"])
    if letter is None or reminder is None or reminder.agent not in request.agents:
        raise NotFound
    async with services.record_change(request, f"{request.path['action']}_reminder", reminder.id) as click:
        if reminder.next_at is not None:
            order = ConsoleOrder(
                id=posted_click(request),
                owner=request.owner,
                command="reminders",
                argument=_argument(letter, reminder),
                is_press=True,
                language=request.language,
            )
            await give_order(services, reminder.key, order)
        elif not click.is_repeated:  # else a tick has carried out the order of the first request
            raise BadRequest("reminder_ended")
    forget_status(services)
    return {"is_done": True}


def _argument(letter: str, reminder: Reminder) -> str:
    """Return the data that a button of /reminders would have for an action (`letter`) on a reminder."""
    assert reminder.next_at is not None
    return f"{letter}{reminder.id if letter == CANCEL else button_reference(reminder, reminder.next_at)}"


def _cursor_text(cursor: Cursor) -> str:
    return base64.urlsafe_b64encode(json.dumps([cursor.at.isoformat(), cursor.path]).encode()).decode()


def _cursor(text: str) -> Cursor | None:
    if not text:
        return None
    try:
        at, path = json.loads(base64.urlsafe_b64decode(text))
        cursor = Cursor(at=datetime.fromisoformat(at), path=str(path))
    except (ValueError, TypeError):
        raise OutdatedPage("The list has changed. Open it again.") from None
    if cursor.path.count("/") != 1 or not cursor.path.startswith("events/"):
        raise OutdatedPage("The list has changed. Open it again.")
    return cursor


ROUTES = (
    ConsoleRoute("GET", "/api/reminders", list_reminders),
    ConsoleRoute("GET", "/api/reminders/history", list_history),
    ConsoleRoute("POST", "/api/reminders/{reminder}/{action}", change_reminder),
)
