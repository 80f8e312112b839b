"""Tests of the task `remind`."""

from datetime import timedelta

import pytest

from shared.reminders.tasks.remind import Remind
from shared.tasks.registry import kinds, unlockable
from shared.tasks.task import DeliveryContext
from shared.values.channel import Recipient
from shared.values.reminder import ReminderRef
from shared.values.retry import FailedAttempt, Retry, decide_retry
from tests.shared.examples import ANN, ME, NOW
from tests.shared.turn.harness import ChatHarness


def task(**fields: object) -> Remind:
    said = ReminderRef(id="abc", person=ANN.id, due_at=NOW, language="en")
    return Remind(id="r", text="Time for **tea**!", reminder=said.model_copy(update=fields))


def test_is_not_planned_by_models_and_retried_for_a_day() -> None:
    assert kinds()["remind"] is Remind
    assert "remind" not in unlockable()
    budget = Remind.traits.on_failure.budget
    assert budget is not None
    waited, tries = timedelta(), 1
    while isinstance(again := decide_retry(FailedAttempt(why="x", tries=tries), budget, NOW), Retry):
        assert again.at - NOW <= timedelta(minutes=10)
        waited, tries = waited + (again.at - NOW), tries + 1
    assert timedelta(hours=23) < waited < timedelta(hours=26)


@pytest.mark.parametrize(
    ("late", "fields", "said"),
    [
        (timedelta(seconds=59), {}, "Time for tea!"),
        (timedelta(minutes=65), {}, "Time for tea!\n\n(This is 1 h 5 min late.)"),
        (timedelta(minutes=65), {"language": "de"}, "Time for tea!\n\n(Das kommt 1 Std. 5 Min. zu spät.)"),
        (timedelta(minutes=65), {"is_notice": True}, "Time for tea!"),
    ],
)
async def test_a_late_reminder_says_how_late(
    harness: ChatHarness, late: timedelta, fields: dict[str, object], said: str
) -> None:
    to = harness.tick_services.agents["lull"].runner.channel
    context = DeliveryContext(
        channel=to,
        to=Recipient(chat_id=harness.key.chat_id),
        author=ME,
        clock=lambda: NOW + late,
        entries=(),
        plan_id="p",
    )
    (entry,) = (await task(**fields).deliver(0, context)).entries
    assert getattr(entry, "text", "") == said
    assert await harness.said() == [said]
