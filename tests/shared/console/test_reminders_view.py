"""Reminders in the console."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from shared.chat.store import layout, paths
from shared.console.route import BadRequest, NotFound
from shared.console.views.reminders import change_reminder, list_history, list_reminders
from shared.reminders.store import encode_reminder
from shared.values.chat_key import ChatKey
from shared.values.reminder import Occurrence, OccurrenceState, Reminder, button_reference
from tests.shared.console.harness import ConsoleHarness
from tests.shared.examples import GROUP_KEY, NOW
from tests.shared.reminding import reminder

CLICK = "click-0001"


async def kept(console: ConsoleHarness, number: int, **fields: Any) -> Reminder:
    usual = {"chat": GROUP_KEY.id, "agent": "lull", "next_at": NOW + timedelta(hours=number)}
    one = reminder(id=f"{number:012d}", **usual | fields)
    await console.client.document(paths.event_path(one.id)).set(encode_reminder(one))
    return one


async def orders(console: ConsoleHarness, key: ChatKey = GROUP_KEY) -> list[tuple[str, str]]:
    inbox = await console.client.collection(paths.inbox_path(key)).order_by("received_at").get()
    told = [layout.decode_raw(one.to_dict() or {})["console_order"] for one in inbox]
    return [(one["command"], one["argument"]) for one in told]


async def test_reminders_are_listed_by_their_next_time_with_their_words(console: ConsoleHarness) -> None:
    await console.client.document(paths.chat_path(GROUP_KEY)).set({"title": "Garden"})
    await kept(console, 2, text="Water!", rule="FREQ=DAILY", start="2026-03-01T14:00:00", zone="Europe/Berlin")
    await kept(console, 1, text="Tea!")
    await kept(console, 3, agent="moss")
    await kept(console, 4, next_at=None)
    lost = Occurrence(due_at=NOW, state=OccurrenceState.FAILED, at=NOW, why="no answer")
    await kept(console, 5, next_at=None, last=lost, text="Milk!")
    shown = await list_reminders(console.services, console.request())
    assert [(one["text"], one["repeats"], one["chat_title"]) for one in shown["items"]] == [
        ("Tea!", False, "Garden"),
        ("Water!", True, "Garden"),
    ]
    assert "every day" in shown["items"][1]["when"]
    assert shown["items"][0]["times"] == []
    times = [datetime.fromisoformat(one) for one in shown["items"][1]["times"]]
    assert times[0] == NOW + timedelta(hours=2)
    assert len({one.astimezone(ZoneInfo("Europe/Berlin")).strftime("%H:%M") for one in times[1:]}) == 1
    assert len(times) == 10
    assert [(one["text"], one["last"]["why"]) for one in shown["lost"]] == [("Milk!", "no answer")]
    assert shown["later"] == {"later-t": 600, "later-u": 3600, "later-d": 86_400}


async def test_the_history_has_reminders_that_have_ended_with_how_they_ended(console: ConsoleHarness) -> None:
    sent = Occurrence(due_at=NOW, state=OccurrenceState.SENT, at=NOW)
    await kept(console, 1, text="Open.", set_at=NOW - timedelta(days=2))
    await kept(console, 2, text="Ended.", next_at=None, last=sent, set_at=NOW - timedelta(days=1))
    await kept(console, 3, text="Others'.", agent="moss", set_at=NOW)
    for number in range(4, 40):
        await kept(console, number, text="Old.", set_at=NOW - timedelta(days=number))
    page = await list_history(console.services, console.request())
    told = [(one["text"], one["last"] and one["last"]["state"], one["next_at"] is None) for one in page["items"]]
    assert told[:2] == [("Ended.", "sent", True), ("Open.", None, False)]
    rest = await list_history(console.services, console.request(query={"cursor": page["next"]}))
    assert len({one["id"] for one in (*page["items"], *rest["items"])}) == 38


async def test_many_reminders_have_pages(console: ConsoleHarness) -> None:
    for number in range(1, 36):
        await kept(console, number, agent="moss" if number % 7 == 0 else "lull")
    first = await list_reminders(console.services, console.request())
    rest = await list_reminders(console.services, console.request(query={"cursor": first["next"]}))
    ids = [int(one["id"]) for one in (*first["items"], *rest["items"])]
    assert ids == [number for number in range(1, 36) if number % 7]
    assert len(first["items"]) == 30
    for cursor in ("x", "WzEsMl0=", first["next"][:-6]):
        with pytest.raises(BadRequest):
            await list_reminders(console.services, console.request(query={"cursor": cursor}))


async def test_a_button_gives_an_order_to_the_reminders_chat(console: ConsoleHarness) -> None:
    one = await kept(console, 1)
    assert one.next_at is not None
    named = button_reference(one, one.next_at)
    for number, action in enumerate(("cancel", "now", "later-u")):
        path = {"reminder": one.id, "action": action}
        await change_reminder(console.services, console.request(path=path, body={"id": f"{CLICK}{number}"}))
        console.wait(seconds=1)
    assert await orders(console) == [
        ("reminders", f"c{one.id}"),
        ("reminders", f"n{named}"),
        ("reminders", f"u{named}"),
    ]


async def test_a_click_that_is_repeated_gives_one_order(console: ConsoleHarness) -> None:
    one = await kept(console, 1)
    for _ in range(2):
        path = {"reminder": one.id, "action": "cancel"}
        await change_reminder(console.services, console.request(path=path, body={"id": CLICK}))
    assert len(await orders(console)) == 1


async def test_what_is_not_the_owners_or_not_there_is_refused(console: ConsoleHarness) -> None:
    await kept(console, 1, agent="moss")
    ended = await kept(console, 2, next_at=None)
    for reminder_id, action in ((f"{1:012d}", "cancel"), ("none", "cancel"), (ended.id, "explode")):
        path = {"reminder": reminder_id, "action": action}
        with pytest.raises(NotFound):
            await change_reminder(console.services, console.request(path=path, body={"id": CLICK}))
    path = {"reminder": ended.id, "action": "now"}
    for body in ({"id": CLICK}, {}, {"id": 7}):
        with pytest.raises(BadRequest):
            await change_reminder(console.services, console.request(path=path, body=body))
