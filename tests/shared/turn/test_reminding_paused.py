"""Frequent reminders have a daily budget: past it they pause until tomorrow, with one notice, and none ends."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest

from shared.chat.store.people import DailyCounter, DailyQuota, FirestorePeople
from shared.turn import reminding
from shared.values.reminder import OccurrenceState, Reminder
from tests.shared.kept_reminders import due_in, kept_now, promised
from tests.shared.own_words import ENGLISH
from tests.shared.turn.harness import ChatHarness

TOLD = "I've reminded you"
TEN_MINUTES = "FREQ=MINUTELY;INTERVAL=10"


def tomorrow(harness: ChatHarness) -> datetime:
    return datetime.combine(harness.clock.now.date() + timedelta(days=1), time(), UTC)


def budget_of(day: str, most: int = 5) -> DailyQuota:
    return DailyQuota(counted=DailyCounter.REMINDED, agent="lull", day=day, most=most)


async def spent(harness: ChatHarness, count: int) -> None:
    """Use so many of the person's reminders of today."""
    people = FirestorePeople(harness.backend.chats.client)
    budget = budget_of(harness.clock.now.date().isoformat(), reminding.MOST_A_DAY)
    assert await people.draw(harness.person, budget, count) == count


async def often(harness: ChatHarness, mark: str) -> Reminder:
    """Return a reminder for every ten minutes."""
    first = harness.clock.now + timedelta(minutes=10)
    start = first.replace(tzinfo=None).isoformat()
    return await promised(harness, mark, text=f"Stretch, {mark}.", rule=TEN_MINUTES, start=start, next_at=first)


@pytest.fixture
def morning(harness: ChatHarness) -> ChatHarness:
    harness.clock.now = harness.clock.now.replace(hour=9, minute=0, second=0) + timedelta(days=1)
    return harness


async def test_past_the_budget_it_pauses_until_tomorrow_and_that_is_told_once(morning: ChatHarness) -> None:
    harness = morning
    await spent(harness, reminding.MOST_A_DAY - 3)
    one, other = await often(harness, "one"), await often(harness, "other")
    began = tomorrow(harness)
    await due_in(harness, timedelta(hours=3))
    said = await harness.said()
    assert len([text for text in said if text.startswith("Stretch")]) == 3
    assert [text for text in said if text.startswith(TOLD)] == [ENGLISH.say("reminder.paused", most=200)]
    for reminder in (one, other):
        now = await kept_now(harness, reminder)
        assert now.next_at is not None
        assert began <= now.next_at < began + timedelta(minutes=10), "in its rhythm"
        assert now.last is not None
        assert (now.last.state, now.last.why) == (OccurrenceState.CANCELLED, reminding.PAUSED)
    await due_in(harness, began + timedelta(minutes=15) - harness.clock.now)
    assert {"Stretch, one.", "Stretch, other."} <= set((await harness.said())[len(said) :]), "it goes on"
    assert len([text for text in await harness.said() if text.startswith(TOLD)]) == 1


async def test_what_comes_once_a_day_or_once_at_all_is_never_paused(morning: ChatHarness) -> None:
    harness = morning
    await spent(harness, reminding.MOST_A_DAY)
    first = harness.clock.now + timedelta(minutes=10)
    start = first.replace(tzinfo=None).isoformat()
    await promised(harness, "daily", text="Take the pill.", rule="FREQ=DAILY", start=start, next_at=first)
    await promised(harness, "single", text="Call mum.", next_at=first)
    await due_in(harness, timedelta(minutes=20))
    assert sorted(await harness.said()) == ["Call mum.", "Take the pill."]


async def test_what_ends_today_says_its_last_word(morning: ChatHarness) -> None:
    harness = morning
    await spent(harness, reminding.MOST_A_DAY)
    first = harness.clock.now + timedelta(minutes=10)
    start = first.replace(tzinfo=None).isoformat()
    rule = f"{TEN_MINUTES};COUNT=4"
    one = await promised(harness, "short", text="Turn the bread.", rule=rule, start=start, next_at=first)
    await due_in(harness, timedelta(hours=1))
    assert [text for text in await harness.said() if not text.startswith(TOLD)] == ["Turn the bread."]
    assert (await kept_now(harness, one)).next_at is None


async def test_each_person_and_each_day_has_a_budget_of_its_own(harness: ChatHarness) -> None:
    people, other = FirestorePeople(harness.backend.chats.client), harness.person + 1_000_000_000
    today = budget_of("2026-11-28")
    assert [await people.draw(harness.person, today, 3) for _ in range(3)] == [3, 2, 0]
    assert await people.draw(harness.person, replace(today, agent="moss"), 3) == 3
    assert await people.draw(harness.person, replace(today, counted=DailyCounter.READ), 3) == 3
    assert await people.draw(other, today, 3) == 3
    await people.keep_zone(harness.person, "Asia/Tokyo", harness.clock.now)
    assert await people.draw(harness.person, budget_of("2026-11-29"), 9) == 5
    found = await harness.backend.chats.client.document(f"people/{harness.person}").get(["reminded"])
    assert (found.to_dict() or {})["reminded"]["lull"] == {"2026-11-29": 5}, "what is over is not kept"
    assert (await people.profile(harness.person)).zone == "Asia/Tokyo"
