"""What a conversation is told of its plans."""

from shared.errors import OutcomeUnknown, Refused
from shared.executing.graph import dropped, with_task
from shared.executing.notes import DROPPED, note_of, stopped_note
from shared.executing.outcome import Retrying, attempted, failed, task_of, with_deliveries
from shared.models.plan import Plan
from shared.models.retry import Budget
from tests.shared.values import NOW, plan_of, react, send

RETRYING = Retrying(now=NOW, budget=Budget(tries=1))


def sending() -> Plan:
    plan = plan_of(send("1"), react("2")).model_copy(update={"answers": (4, 5)})
    return with_task(plan, attempted(with_deliveries(task_of(plan, "1"), 1), 0, NOW))


def test_what_could_not_be_sent_is_said_once() -> None:
    before = sending()
    after = failed(before, "1", 0, Refused("too long"), RETRYING)
    (note,) = note_of(before, after, NOW)
    assert (note.kind, note.note, note.updates) == (DROPPED, "the answer to message 4, 5 could not be sent", ())
    assert list(note_of(after, dropped(after, "x"), NOW)) == []


def test_what_may_have_arrived_is_not_said_to_be_lost() -> None:
    before = sending()
    assert list(note_of(before, failed(before, "1", 0, OutcomeUnknown("?"), RETRYING), NOW)) == []


def test_a_stop_is_said() -> None:
    assert stopped_note(plan_of(send()), NOW).note == "what was planned was stopped before it was whole"
