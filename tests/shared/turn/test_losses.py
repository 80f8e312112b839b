"""Entries in a conversation about losses of its plans."""

import pytest

from shared.base.errors import ChannelRefused, NotDelivered, OutcomeUnknown
from shared.tasks.graph import cancel_all, with_task
from shared.tasks.notice import Notice
from shared.tasks.outcome import (
    SORRY,
    RetryPolicy,
    fail_delivery,
    mark_attempted,
    task_of,
    with_deliveries,
    with_lost_answers,
)
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.rewrite import Rewrite
from shared.tasks.task import Task
from shared.turn.losses import DROPPED, IN_DOUBT, incidents_of, loss_events, stopped_event
from shared.values.chat import Chat
from shared.values.evolve import evolve
from shared.values.message import EXCERPT_CHARACTERS
from shared.values.retry import RetryBudget
from tests.shared.examples import KEY, NOW, plan_of, react, send

CHAT = Chat(key=KEY)
RETRYING = RetryPolicy(now=NOW, budget=RetryBudget(tries=1))


def sending() -> Plan:
    plan = evolve(plan_of(send("1"), react("2")), answers=(4, 5))
    return with_task(plan, mark_attempted(with_deliveries(task_of(plan, "1"), 1), 0, NOW))


def test_what_could_not_be_sent_is_said_once() -> None:
    before = sending()
    after = fail_delivery(before, "1", 0, ChannelRefused("too long"), RETRYING)
    (note,) = loss_events(before, after, NOW)
    assert (note.kind, note.note, note.updates) == (DROPPED, "the answer to message 4, 5 could not be sent", ())
    (apology,) = loss_events(after, cancel_all(after, "x"), NOW)
    assert apology.note == "nobody could be told that the answer to message 4, 5 could not be sent"


def test_one_loss_is_one_incident_even_if_nobody_can_be_told() -> None:
    before = sending()
    after = fail_delivery(before, "1", 0, ChannelRefused("too long"), RETRYING)
    (incident,) = incidents_of(before, after, CHAT, NOW)
    assert incident.id.endswith("-1")
    untold = with_task(after, mark_attempted(with_deliveries(task_of(after, SORRY), 1), 0, NOW))
    for error in (ChannelRefused("too long"), OutcomeUnknown("?"), NotDelivered("no route")):
        assert list(incidents_of(untold, fail_delivery(untold, SORRY, 0, error, RETRYING), CHAT, NOW)) == []


def test_what_may_have_arrived_is_said_to_be_in_doubt_once() -> None:
    before = sending()
    after = fail_delivery(before, "1", 0, OutcomeUnknown("?"), RETRYING)
    (note,) = loss_events(before, after, NOW)
    assert (note.kind, note.note) == (IN_DOUBT, 'a message of yours may or may not have arrived: "Hello."')
    assert list(loss_events(after, after, NOW)) == []
    assert list(loss_events(before, with_lost_answers(before), NOW)) == [note]


def test_of_a_long_text_the_part_in_doubt_is_told_by_its_beginning() -> None:
    text = "\n\n".join(f"part {n} " + "x" * 3000 for n in range(3))
    plan = plan_of(send("1", text))
    before = with_task(plan, mark_attempted(with_deliveries(task_of(plan, "1"), 3), 1, NOW))
    (note,) = loss_events(before, with_lost_answers(before), NOW)
    _, _, told = note.note.partition(': "')
    assert told.startswith("part 1 xxx")
    assert told.endswith('x…"')
    assert len(told) == EXCERPT_CHARACTERS + 1


@pytest.mark.parametrize(
    ("task", "notes"),
    [
        (
            Rewrite(id="own", message_id=5, text="**x**"),
            ['a message of yours may or may not have been changed to: "x"'],
        ),
        (react("own"), []),
        (Notice(id="own", query_id="q", text="done"), []),
    ],
)
def test_only_what_people_may_have_read_is_in_doubt(task: Task, notes: list[str]) -> None:
    own = mark_attempted(with_deliveries(PlannedTask(task=task, is_own=True), 1), 0, NOW)
    before = evolve(plan_of(), tasks=(own,))
    assert [found.note for found in loss_events(before, with_lost_answers(before), NOW)] == notes


@pytest.mark.parametrize(
    ("task", "note"),
    [
        (send("own"), "the answer to a command could not be sent"),
        (send(SORRY), "nobody could be told that the answer to message 4 could not be sent"),
        (Rewrite(id="own", message_id=5, text="x"), "what was chosen with a button could not be shown below it"),
    ],
)
def test_what_lull_itself_could_not_say_is_said(task: Task, note: str) -> None:
    own = mark_attempted(with_deliveries(PlannedTask(task=task, is_own=True), 1), 0, NOW)
    before = evolve(plan_of(), tasks=(own,), answers=(4,))
    after = fail_delivery(before, task.id, 0, NotDelivered("no route"), RETRYING)
    assert [found.note for found in loss_events(before, after, NOW)] == [note]


def test_a_stop_is_said() -> None:
    assert stopped_event(plan_of(send()), NOW).note == "what was planned was stopped before it was whole"
