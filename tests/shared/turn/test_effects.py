"""Effects that need a press after text from outside; the tests of measures show the notes about them."""

import pytest

from shared.access.tasks.block import BlockPerson
from shared.access.tasks.clear_conversation import ClearConversation
from shared.memory.tasks.remember import Remember
from shared.reminders.tasks.schedule import Schedule
from shared.tasks.plan import PlannedTask
from shared.tasks.task import Task
from shared.turn.effects import reaches_too_far, refused_event
from shared.values.evolve import evolve
from tests.shared.examples import NOW, send

FURTHER = (Remember(text="x"), ClearConversation(), Schedule(instruction="x", after="1 day"))


@pytest.mark.parametrize("task", FURTHER)
def test_what_reaches_further_is_done_by_a_tap_or_where_nothing_from_outside_was_seen(task: Task) -> None:
    planned = PlannedTask(task=task, saw_outside=True)
    assert reaches_too_far(planned)
    assert not reaches_too_far(evolve(planned, is_own=True))
    assert not reaches_too_far(evolve(planned, saw_outside=False))


@pytest.mark.parametrize("task", [send(), Schedule(text="Tea!", after="1 day"), BlockPerson(person=7)])
def test_the_rest_goes_on(task: Task) -> None:
    assert not reaches_too_far(PlannedTask(task=task, saw_outside=True))


def test_a_refusal_says_what_and_why() -> None:
    event = refused_event(PlannedTask(task=ClearConversation(), why="no administrator"), NOW)
    assert event.note == "your `clear-conversation` was not done: no administrator"
