"""What an answer means for its task: sent once, never twice, and tried again only if it was certainly not sent."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import ChannelError, ChatMoved, NotDelivered, OutcomeUnknown, Refused, ReplyTargetGone, Unreachable
from shared.executing.graph import with_task
from shared.executing.outcome import (
    Retrying,
    attempted,
    confirmed,
    failed,
    next_part,
    task_of,
    with_deliveries,
    with_lost_answers,
)
from shared.models.delivery import DeliveryState
from shared.models.plan import Plan, TaskState
from tests.shared.values import NOW, PROPERTY, SECOND, plan_of, react, send, wait

RETRYING = Retrying(now=NOW, after=10 * SECOND, tries=3)


def sending(parts: int = 1, reply_to: int | None = None) -> Plan:
    """A plan whose first task is being sent: its first part has left."""
    plan = plan_of(send("1", reply_to=reply_to), send("2", after=("1",)), react("3"))
    task = with_deliveries(task_of(plan, "1"), parts)
    return with_task(plan, attempted(task, 0, NOW))


def states(plan: Plan, task_id: str = "1") -> list[DeliveryState]:
    return [d.state for d in task_of(plan, task_id).deliveries]


def test_a_task_has_a_delivery_for_each_part_and_is_done_when_all_are() -> None:
    plan = sending(2)
    assert states(plan) == [DeliveryState.ATTEMPTED, DeliveryState.PLANNED]
    plan = confirmed(plan, "1", 0, (7,))
    assert task_of(plan, "1").is_open
    assert next_part(task_of(plan, "1"), NOW) == 1
    plan = confirmed(with_task(plan, attempted(task_of(plan, "1"), 1, NOW)), "1", 1, (8,))
    assert task_of(plan, "1").state is TaskState.DONE
    assert [d.message_ids for d in task_of(plan, "1").deliveries] == [(7,), (8,)]
    assert next_part(task_of(plan, "1"), NOW) is None


def test_a_text_of_nothing_visible_is_done_without_a_call() -> None:
    task = with_deliveries(task_of(plan_of(send("1")), "1"), 0)
    assert (task.state, task.deliveries) == (TaskState.DONE, ())


def test_what_was_begun_is_not_cut_anew() -> None:
    task = task_of(sending(2), "1")
    assert with_deliveries(task, 5) == task


def test_a_reaction_has_its_own_method() -> None:
    plan = plan_of(react("1"))
    assert with_deliveries(task_of(plan, "1"), 1).deliveries[0].method == "setMessageReaction"


def test_an_unknown_outcome_is_final_and_the_next_part_goes_on() -> None:
    plan = failed(sending(2), "1", 0, OutcomeUnknown("no answer"), RETRYING)
    assert states(plan) == [DeliveryState.UNKNOWN, DeliveryState.PLANNED]
    assert next_part(task_of(plan, "1"), NOW) == 1
    assert task_of(failed(sending(), "1", 0, OutcomeUnknown("no answer"), RETRYING), "1").state is TaskState.DONE


def test_a_flood_wait_is_honoured_and_costs_no_try() -> None:
    plan = sending()
    for _ in range(20):
        plan = failed(plan, "1", 0, NotDelivered("slow down", 7 * SECOND), RETRYING)
    task = task_of(plan, "1")
    assert (task.tries, task.not_before, task.is_open) == (0, NOW + 7 * SECOND, True)
    assert next_part(task, NOW) is None
    assert next_part(task, NOW + 7 * SECOND) == 0


def test_what_was_not_sent_is_tried_again_and_then_the_whole_graph_is_given_up() -> None:
    plan = sending()
    for tries in (1, 2):
        plan = failed(plan, "1", 0, NotDelivered("no route"), RETRYING)
        task = task_of(plan, "1")
        assert (task.tries, task.not_before, states(plan)) == (tries, NOW + 10 * SECOND, [DeliveryState.PLANNED])
    plan = failed(plan, "1", 0, NotDelivered("no route"), RETRYING)
    assert [t.state for t in plan.tasks] == [TaskState.FAILED, TaskState.CANCELLED, TaskState.CANCELLED]
    assert task_of(plan, "1").why == "given up after 3 tries: no route"


def test_a_retry_resumes_at_the_part_that_failed() -> None:
    plan = confirmed(sending(3), "1", 0, (7,))
    plan = with_task(plan, attempted(task_of(plan, "1"), 1, NOW))
    plan = failed(plan, "1", 1, NotDelivered("no route"), RETRYING)
    assert states(plan) == [DeliveryState.CONFIRMED, DeliveryState.PLANNED, DeliveryState.PLANNED]
    assert next_part(task_of(plan, "1"), NOW + 10 * SECOND) == 1


def test_without_its_quote_it_is_sent_at_once() -> None:
    plan = failed(sending(reply_to=5), "1", 0, ReplyTargetGone("gone"), RETRYING)
    assert task_of(plan, "1").task == send("1")
    assert next_part(task_of(plan, "1"), NOW) == 0
    again = failed(plan, "1", 0, ReplyTargetGone("gone"), RETRYING)
    assert task_of(again, "1").state is TaskState.FAILED


@pytest.mark.parametrize(
    ("error", "rest"),
    [
        (Refused("too long"), [TaskState.CANCELLED, TaskState.PLANNED]),
        (ChatMoved("moved", -100), [TaskState.CANCELLED, TaskState.PLANNED]),
        (Unreachable("blocked"), [TaskState.CANCELLED, TaskState.CANCELLED]),
    ],
)
def test_a_refusal_ends_the_task_and_what_depends_on_it(error: Refused, rest: list[TaskState]) -> None:
    plan = failed(sending(2), "1", 0, error, RETRYING)
    assert task_of(plan, "1").state is TaskState.FAILED
    assert states(plan) == [DeliveryState.REFUSED, DeliveryState.PLANNED]
    assert [t.state for t in plan.tasks[1:]] == rest


def test_a_reaction_that_is_refused_takes_nothing_with_it() -> None:
    plan = plan_of(react("1"), send("2", after=("1",)))
    plan = with_task(plan, attempted(with_deliveries(task_of(plan, "1"), 1), 0, NOW))
    plan = failed(plan, "1", 0, Refused("no such emoji"), RETRYING)
    assert [t.state for t in plan.tasks] == [TaskState.FAILED, TaskState.PLANNED]


def test_a_call_without_an_answer_is_unknown_for_ever() -> None:
    lost = with_lost_answers(sending(2))
    assert states(lost) == [DeliveryState.UNKNOWN, DeliveryState.PLANNED]
    assert with_lost_answers(lost) == lost
    both = with_task(lost, attempted(task_of(lost, "1"), 1, NOW))
    assert task_of(with_lost_answers(both), "1").state is TaskState.DONE
    assert with_lost_answers(plan_of(send(), wait())) == plan_of(send(), wait())


ANSWERS = st.sampled_from([
    None, OutcomeUnknown("?"), NotDelivered("no"), NotDelivered("slow", SECOND), ReplyTargetGone("gone"),
    Refused("no"), Unreachable("gone"),
])  # fmt: skip


@PROPERTY
@given(st.integers(1, 4), st.lists(ANSWERS, min_size=30, max_size=30), st.none() | st.just(5))
def test_whatever_is_answered_no_part_is_sent_after_it_may_have_arrived(
    parts: int, answers: list[ChannelError | None], reply_to: int | None
) -> None:
    plan, now, left = plan_of(send("1", reply_to=reply_to)), NOW, list[int]()
    plan = with_task(plan, with_deliveries(task_of(plan, "1"), parts))
    for answer in answers:
        now += timedelta(minutes=1)
        part = next_part(task_of(plan, "1"), now)
        if part is None:
            break
        assert part not in left
        plan = with_task(plan, attempted(task_of(plan, "1"), part, now))
        if answer is None:
            plan = confirmed(plan, "1", part, (1,))
        else:
            plan = failed(plan, "1", part, answer, Retrying(now=now, after=SECOND, tries=3))
        if answer is None or isinstance(answer, OutcomeUnknown):
            left.append(part)
    assert left == sorted(left)
    task = task_of(plan, "1")
    if task.state is TaskState.DONE:
        assert left == list(range(parts))
