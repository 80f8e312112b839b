"""The results of calls: nothing is sent twice, and a call is tried again only if it certainly was not sent."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.errors import (
    ChannelError,
    ChannelRefused,
    ChatMoved,
    ChatUnreachable,
    FileUnknown,
    NotDelivered,
    OutcomeUnknown,
    ReplyTargetGone,
    TopicGone,
)
from shared.base.model_call import ModelCall
from shared.base.wording.words import words_in
from shared.chat.store.calls import CALL_SECONDS
from shared.media.tasks.draw import Draw
from shared.media.tasks.send_media import SendMedia
from shared.media.tasks.sticker import Sticker
from shared.media.tasks.voice import Voice
from shared.tasks.graph import origin_of, with_task
from shared.tasks.notice import Notice
from shared.tasks.outcome import (
    LONGEST_CALL,
    SORRY,
    RetryPolicy,
    calls_for_message,
    confirm_delivery,
    fail_delivery,
    is_under_way,
    mark_attempted,
    newly_unknown,
    next_part,
    task_of,
    unmark_attempted,
    with_deliveries,
    with_lost_answers,
)
from shared.tasks.plan import DeliveryState, Plan, PlannedTask, TaskOrigin, TaskState
from shared.tasks.rewrite import Rewrite
from shared.tasks.send import Send
from shared.tasks.task import Task
from shared.telegram.outbound.client import WHOLE_SECONDS
from shared.values.evolve import evolve
from shared.values.retry import RetryBudget
from shared.wiring.settings.model_functions import TickSettings
from tests.shared.examples import NOW, PROPERTY, SECOND, plan_of, react, send, wait
from tests.shared.own_words import NOT_SENT

RETRYING = RetryPolicy(now=NOW, budget=RetryBudget(tries=3, after=10 * SECOND))


def sending(parts: int = 1, reply_to: int | None = None) -> Plan:
    """Make a plan in which the first part of the first task was sent."""
    plan = plan_of(send("1", reply_to=reply_to), send("2", after=("1",)), react("3"))
    task = with_deliveries(task_of(plan, "1"), parts)
    return with_task(plan, mark_attempted(task, 0, NOW))


def states(plan: Plan, task_id: str = "1") -> list[DeliveryState]:
    return [d.state for d in task_of(plan, task_id).deliveries]


def test_a_task_has_a_delivery_for_each_part_and_is_done_when_all_are() -> None:
    plan = sending(2)
    assert states(plan) == [DeliveryState.ATTEMPTED, DeliveryState.PLANNED]
    assert next_part(task_of(plan, "1"), NOW) == 1
    assert next_part(task_of(sending(1), "1"), NOW) is None
    plan = confirm_delivery(plan, "1", 0, (7,))
    assert task_of(plan, "1").is_open
    assert next_part(task_of(plan, "1"), NOW) == 1
    plan = confirm_delivery(with_task(plan, mark_attempted(task_of(plan, "1"), 1, NOW)), "1", 1, (8,))
    assert task_of(plan, "1").state is TaskState.DONE
    assert [d.message_ids for d in task_of(plan, "1").deliveries] == [(7,), (8,)]
    assert next_part(task_of(plan, "1"), NOW) is None


def test_a_text_of_nothing_visible_is_done_without_a_call() -> None:
    task = with_deliveries(task_of(plan_of(send("1")), "1"), 0)
    assert (task.state, task.deliveries) == (TaskState.DONE, ())


def test_reports_an_unknown_delivery_once() -> None:
    before = sending(2)
    after = fail_delivery(before, "1", 0, OutcomeUnknown("cut off"), RETRYING)
    ((planned, delivery),) = newly_unknown(before, after)
    assert (planned.task.id, delivery.part, delivery.why) == ("1", 0, "cut off")
    assert list(newly_unknown(after, after)) == []
    notice = mark_attempted(with_deliveries(PlannedTask(task=Notice(id="n", query_id="q"), is_own=True), 1), 0, NOW)
    pressed = evolve(before, tasks=(notice,))
    assert list(newly_unknown(pressed, with_lost_answers(pressed))) == []


def test_lulls_own_messages_outlast_a_failed_plan() -> None:
    own = PlannedTask(task=send("own"), is_own=True, not_before=NOW + SECOND)
    before = sending()
    before = evolve(before, tasks=(own, *before.tasks))
    after = fail_delivery(before, "1", 0, NotDelivered("no route"), RetryPolicy(now=NOW, budget=RetryBudget(tries=1)))
    assert [t.task.id for t in after.tasks if t.is_open] == ["own", SORRY]


def test_does_not_cut_a_begun_text_again() -> None:
    task = task_of(sending(2), "1")
    assert with_deliveries(task, 5) == task


def owned(task: Task) -> Plan:
    """Make a plan with two tasks: the first, lull's own words, has been sent; the second is by the model."""
    own = with_deliveries(PlannedTask(task=task, is_own=True), 1)
    plan = plan_of(send())
    return with_task(evolve(plan, tasks=(own, *plan.tasks)), mark_attempted(own, 0, NOW))


@pytest.mark.parametrize("task", [send("own"), Rewrite(id="own", message_id=5, text="x")])
def test_retries_lulls_own_messages_and_fails_them_alone(task: Task) -> None:
    plan = owned(task)
    for tries in (1, 2):
        plan = fail_delivery(plan, "own", 0, NotDelivered("Bad Gateway"), RETRYING)
        own = task_of(plan, "own")
        assert (own.is_open, own.tries, own.not_before) == (True, tries, NOW + 10 * SECOND)
    plan = fail_delivery(plan, "own", 0, NotDelivered("Bad Gateway"), RETRYING)
    assert [t.state for t in plan.tasks] == [TaskState.FAILED, TaskState.PLANNED]


def test_a_notice_is_tried_once_since_nobody_looks_for_it_later() -> None:
    plan = fail_delivery(owned(Notice(id="own", query_id="q")), "own", 0, NotDelivered("Bad Gateway"), RETRYING)
    assert [t.state for t in plan.tasks] == [TaskState.FAILED, TaskState.PLANNED]


@pytest.mark.parametrize(
    ("task", "method"),
    [
        (Notice(id="1", query_id="q"), "answerCallbackQuery"),
        (Rewrite(id="1", message_id=5, text="x"), "editMessageText"),
    ],
)
def test_buttons_have_methods_of_their_own(task: Notice | Rewrite, method: str) -> None:
    assert [d.method for d in with_deliveries(PlannedTask(task=task), 1).deliveries] == [method]


CALLS = (ModelCall(model="m", prompt_tokens=5),)


def test_only_a_plans_first_message_has_its_usage() -> None:
    own = PlannedTask(task=send("0"), is_own=True)
    plan = plan_of(react("1"), send("2"), send("3", after=("2",)))
    plan = evolve(plan, calls=CALLS, tasks=(own, *plan.tasks))
    assert [calls_for_message(plan, name) for name in ("0", "1", "2", "3")] == [(), (), CALLS, CALLS]
    for name in ("0", "1"):
        plan = with_task(plan, with_deliveries(task_of(plan, name), 1))
        plan = confirm_delivery(plan, name, 0, (1,))
    assert calls_for_message(plan, "2") == CALLS
    plan = confirm_delivery(with_task(plan, with_deliveries(task_of(plan, "2"), 2)), "2", 0, (2,))
    assert [calls_for_message(plan, name) for name in ("2", "3")] == [(), ()]


def test_a_message_of_which_nobody_knows_whether_it_came_tells_nothing() -> None:
    plan = evolve(sending(2), calls=CALLS)
    lost = fail_delivery(plan, "1", 0, OutcomeUnknown("?"), RETRYING)
    assert calls_for_message(lost, "1") == CALLS


def test_a_reaction_has_its_own_method() -> None:
    plan = plan_of(react("1"))
    assert with_deliveries(task_of(plan, "1"), 1).deliveries[0].method == "setMessageReaction"


def test_after_a_part_that_was_refused_the_rest_of_a_text_is_not_sent() -> None:
    plan = fail_delivery(sending(3), "1", 0, ChannelRefused("too long"), RETRYING)
    assert states(plan) == [DeliveryState.REFUSED, DeliveryState.PLANNED, DeliveryState.PLANNED]
    assert next_part(task_of(plan, "1"), NOW) is None


def test_an_unknown_outcome_is_final_and_the_next_part_goes_on() -> None:
    plan = fail_delivery(sending(2), "1", 0, OutcomeUnknown("no answer"), RETRYING)
    assert states(plan) == [DeliveryState.UNKNOWN, DeliveryState.PLANNED]
    assert next_part(task_of(plan, "1"), NOW) == 1
    assert task_of(fail_delivery(sending(), "1", 0, OutcomeUnknown("no answer"), RETRYING), "1").state is TaskState.DONE


def test_a_file_that_telegram_does_not_know_is_looked_up_anew_once_and_then_said_in_words() -> None:
    plan = plan_of(Sticker(id="1", sticker="😂", set="Moods_by_lull"))
    for is_anew in (False, True):
        assert task_of(plan, "1").is_anew is is_anew
        plan = with_task(plan, mark_attempted(with_deliveries(task_of(plan, "1"), 1), 0, NOW))
        plan = fail_delivery(plan, "1", 0, FileUnknown("wrong file identifier"), RETRYING)
        assert (task_of(plan, "1").deliveries, task_of(plan, "1").is_open) == ((), True)
    assert (task_of(plan, "1").task.kind, task_of(plan, "1").why) == ("send", "wrong file identifier")


@pytest.mark.parametrize("first", [DeliveryState.CONFIRMED, DeliveryState.UNKNOWN])
def test_of_what_may_have_arrived_in_part_nothing_is_said_in_words(first: DeliveryState) -> None:
    plan = plan_of(Voice(id="1", text="Good morning."))
    plan = with_task(plan, mark_attempted(with_deliveries(task_of(plan, "1"), 2), 0, NOW))
    if first is DeliveryState.CONFIRMED:
        plan = confirm_delivery(plan, "1", 0, (7,))
    else:
        plan = fail_delivery(plan, "1", 0, OutcomeUnknown("cut off"), RETRYING)
    plan = fail_delivery(
        with_task(plan, mark_attempted(task_of(plan, "1"), 1, NOW)), "1", 1, ChannelRefused("no"), RETRYING
    )
    assert (task_of(plan, "1").state, states(plan)) == (TaskState.FAILED, [first, DeliveryState.REFUSED])


def test_a_flood_wait_is_honoured_and_costs_no_try() -> None:
    plan = sending()
    for _ in range(20):
        plan = fail_delivery(plan, "1", 0, NotDelivered("slow down", 7 * SECOND), RETRYING)
    task = task_of(plan, "1")
    assert (task.tries, task.not_before, task.is_open) == (0, NOW + 7 * SECOND, True)
    assert next_part(task, NOW) is None
    assert next_part(task, NOW + 7 * SECOND) == 0


def test_retries_what_was_not_sent_and_then_gives_the_plan_up() -> None:
    plan = sending()
    for tries in (1, 2):
        plan = fail_delivery(plan, "1", 0, NotDelivered("no route"), RETRYING)
        task = task_of(plan, "1")
        assert (task.tries, task.not_before, states(plan)) == (tries, NOW + 10 * SECOND, [DeliveryState.PLANNED])
    plan = fail_delivery(plan, "1", 0, NotDelivered("no route"), RETRYING)
    assert [t.state for t in plan.tasks[:3]] == [TaskState.FAILED, TaskState.CANCELLED, TaskState.CANCELLED]
    (sorry,) = plan.tasks[3:]
    assert (sorry.task, sorry.is_own) == (send(SORRY, NOT_SENT), True)
    assert task_of(plan, "1").why == "given up after 3 tries: no route"


def test_the_apology_is_in_the_language_of_who_waits() -> None:
    plan = evolve(sending(), language="uk")
    for _ in range(3):
        plan = fail_delivery(plan, "1", 0, NotDelivered("no route"), RETRYING)
    assert plan.tasks[-1].task == send(SORRY, words_in("uk").say("apology.not_sent"))


def test_a_retry_resumes_at_the_part_that_failed() -> None:
    plan = confirm_delivery(sending(3), "1", 0, (7,))
    plan = with_task(plan, mark_attempted(task_of(plan, "1"), 1, NOW))
    plan = fail_delivery(plan, "1", 1, NotDelivered("no route"), RETRYING)
    assert states(plan) == [DeliveryState.CONFIRMED, DeliveryState.PLANNED, DeliveryState.PLANNED]
    assert next_part(task_of(plan, "1"), NOW + 10 * SECOND) == 1


def test_without_its_quote_it_is_sent_at_once() -> None:
    plan = fail_delivery(sending(reply_to=5), "1", 0, ReplyTargetGone("gone"), RETRYING)
    assert task_of(plan, "1").task == send("1")
    assert next_part(task_of(plan, "1"), NOW) == 0
    again = fail_delivery(plan, "1", 0, ReplyTargetGone("gone"), RETRYING)
    assert task_of(again, "1").state is TaskState.FAILED


def lost(plan: Plan, *errors: ChannelError) -> list[tuple[bool, int, int | None]]:
    """Return for each failing try: whether it names the topic, the thread, and the quote of the first task."""
    tries = []
    for error in errors:
        plan = fail_delivery(with_task(plan, mark_attempted(task_of(plan, "1"), 0, NOW)), "1", 0, error, RETRYING)
        planned = task_of(plan, "1")
        if not planned.is_open or not planned.deliveries:  # the task failed, or a text replaced it
            break
        assert next_part(planned, NOW) == 0
        quoted = getattr(planned.task, "reply_to", None)
        tries.append((not plan.is_out_of_topic, origin_of(plan, planned).thread, quoted))
    return tries


CLOSED, GONE = TopicGone("closed"), ReplyTargetGone("gone")
TASKS: list[Task] = [
    send("1"),
    Sticker(id="1", sticker="🙂", set="Moods"),
    Voice(id="1", text="Hello."),
    Draw(id="1", prompt="a fox"),
    SendMedia(id="1", media="fox"),
]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.kind)
def test_outside_of_a_topic_that_is_gone_it_quotes_what_is_answered(task: Task) -> None:
    plan = evolve(plan_of(task), answers=(7, 8, -3))
    plan = with_task(plan, with_deliveries(plan.tasks[0], 1))
    assert lost(plan, CLOSED, GONE, GONE) == [(False, 8, None), (False, 0, None)]
    assert lost(plan, CLOSED, CLOSED, CLOSED) == [(False, 8, None), (False, 0, None)]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.kind)
def test_in_a_thread_whose_first_message_is_gone_it_quotes_none(task: Task) -> None:
    plan = evolve(plan_of(task.replying_to(9)), thread=55)
    plan = with_task(plan, with_deliveries(plan.tasks[0], 1))
    assert lost(plan, GONE, GONE, GONE) == [(True, 55, None), (True, 0, None)]


@pytest.mark.parametrize("error", [CLOSED, GONE])
def test_sends_promises_of_a_lost_topic_outside(error: ChannelError) -> None:
    promised = with_deliveries(
        PlannedTask(task=send("1"), is_own=True, kept_from=TaskOrigin(plan="before", task="k", thread=55)), 1
    )
    plan = evolve(plan_of(send("2")), tasks=(promised,), thread=4)
    assert lost(plan, *[error] * 5)[-1][1] == 0
    assert fail_delivery(plan, "1", 0, GONE, RETRYING).thread == 4


def test_the_rest_of_a_plan_goes_where_its_first_message_went() -> None:
    plan = evolve(plan_of(send("1"), send("2")), answers=(7,))
    plan = fail_delivery(with_task(plan, with_deliveries(plan.tasks[0], 1)), "1", 0, CLOSED, RETRYING)
    assert (plan.is_out_of_topic, origin_of(plan, plan.tasks[1]).thread) == (True, 7)


def test_where_a_group_is_closed_as_a_whole_the_plan_ends() -> None:
    plan = plan_of(send("1"), send("2"))
    plan = with_task(plan, with_deliveries(plan.tasks[0], 1))
    for _ in range(2):
        plan = fail_delivery(plan, "1", 0, CLOSED, RETRYING)
    assert [t.state for t in plan.tasks] == [TaskState.FAILED, TaskState.CANCELLED]


@pytest.mark.parametrize(
    ("error", "rest"),
    [
        (ChannelRefused("too long"), [TaskState.CANCELLED, TaskState.PLANNED]),
        (ChatUnreachable("blocked"), [TaskState.CANCELLED, TaskState.CANCELLED]),
    ],
)
def test_a_refusal_ends_the_task_and_what_depends_on_it(error: ChannelRefused, rest: list[TaskState]) -> None:
    plan = fail_delivery(sending(2), "1", 0, error, RETRYING)
    assert task_of(plan, "1").state is TaskState.FAILED
    assert states(plan) == [DeliveryState.REFUSED, DeliveryState.PLANNED]
    assert [t.state for t in plan.tasks[1:3]] == rest
    assert [t.task.id for t in plan.tasks[3:]] == ([] if isinstance(error, ChatUnreachable) else [SORRY])


def test_the_apology_is_tried_as_often_as_anything_and_never_apologised_for() -> None:
    plan = fail_delivery(sending(), "1", 0, ChannelRefused("too long"), RETRYING)
    plan = with_task(plan, mark_attempted(with_deliveries(task_of(plan, SORRY), 1), 0, NOW))
    count = len(plan.tasks)
    for _ in range(2):
        plan = fail_delivery(plan, SORRY, 0, NotDelivered("no route"), RETRYING)
        assert (task_of(plan, SORRY).is_open, task_of(plan, SORRY).not_before) == (True, NOW + 10 * SECOND)
    plan = fail_delivery(plan, SORRY, 0, NotDelivered("no route"), RETRYING)
    assert task_of(plan, SORRY).state is TaskState.FAILED
    assert len(plan.tasks) == count


def test_an_apology_quotes_what_was_asked() -> None:
    plan = fail_delivery(evolve(sending(), answers=(5, 6)), "1", 0, ChannelRefused("too long"), RETRYING)
    task = task_of(plan, SORRY).task
    assert isinstance(task, Send)
    assert task.reply_to == 6


def test_under_an_old_id_nothing_was_sent_and_nothing_is_lost() -> None:
    plan = fail_delivery(sending(2), "1", 0, ChatMoved("moved", -100), RETRYING)
    assert states(plan) == [DeliveryState.PLANNED, DeliveryState.PLANNED]
    assert task_of(plan, "1").tries == 0


def test_an_attempt_that_was_not_written_did_not_happen() -> None:
    plan = sending(2)
    assert next_part(unmark_attempted(task_of(plan, "1"), 0), NOW) == 0


def test_a_call_is_under_way_while_its_answer_may_come() -> None:
    assert is_under_way(sending(), NOW + SECOND)
    assert not is_under_way(sending(), NOW + LONGEST_CALL)
    assert not is_under_way(confirm_delivery(sending(), "1", 0, (7,)), NOW)


def test_a_call_counts_as_under_way_for_as_long_as_it_may_take() -> None:
    recorded = 2 * CALL_SECONDS  # the commit; and if its answer is lost, a read to see whether it was written
    assert LONGEST_CALL.total_seconds() >= recorded + WHOLE_SECONDS
    assert timedelta(seconds=TickSettings.model_fields["lease_s"].default) > LONGEST_CALL


def test_a_reaction_that_is_refused_takes_nothing_with_it() -> None:
    plan = plan_of(react("1"), send("2", after=("1",)))
    plan = with_task(plan, mark_attempted(with_deliveries(task_of(plan, "1"), 1), 0, NOW))
    plan = fail_delivery(plan, "1", 0, ChannelRefused("no such emoji"), RETRYING)
    assert [t.state for t in plan.tasks] == [TaskState.FAILED, TaskState.PLANNED]


def test_a_call_without_an_answer_is_unknown_for_ever() -> None:
    lost = with_lost_answers(sending(2))
    assert states(lost) == [DeliveryState.UNKNOWN, DeliveryState.PLANNED]
    assert with_lost_answers(lost) == lost
    both = with_task(lost, mark_attempted(task_of(lost, "1"), 1, NOW))
    assert task_of(with_lost_answers(both), "1").state is TaskState.DONE
    assert with_lost_answers(plan_of(send(), wait())) == plan_of(send(), wait())


ANSWERS = st.sampled_from([
    None, OutcomeUnknown("?"), NotDelivered("no"), NotDelivered("slow", SECOND), ReplyTargetGone("gone"),
    ChannelRefused("no"), ChatUnreachable("gone"), TopicGone("closed"),
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
        plan = with_task(plan, mark_attempted(task_of(plan, "1"), part, now))
        if answer is None:
            plan = confirm_delivery(plan, "1", part, (1,))
        else:
            plan = fail_delivery(
                plan, "1", part, answer, RetryPolicy(now=now, budget=RetryBudget(tries=3, after=SECOND))
            )
        if answer is None or isinstance(answer, OutcomeUnknown):
            left.append(part)
    assert left == sorted(left)
    task = task_of(plan, "1")
    if task.state is TaskState.DONE:
        assert left == list(range(parts))
