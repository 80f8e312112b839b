"""Incidents of a plan: each thing once, under an id that can be stored."""

import pytest

from shared.base.errors import ChannelRefused, NotDelivered, OutcomeUnknown
from shared.tasks.graph import with_task
from shared.tasks.notice import Notice
from shared.tasks.outcome import RetryPolicy, fail_delivery, mark_attempted, task_of, with_deliveries
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.react import React
from shared.tasks.rewrite import Rewrite
from shared.tasks.task import Task
from shared.turn.losses import incidents_of
from shared.values.chat import Chat
from shared.values.evolve import evolve
from shared.values.incident import Incident, IncidentKind
from shared.values.retry import RetryBudget
from tests.shared.examples import KEY, NOW, SECOND, plan_of, send

CHAT = Chat(key=KEY, conversation="conv-1")
RETRYING = RetryPolicy(now=NOW, budget=RetryBudget(tries=1, after=SECOND))


def sending(task_id: str = "1") -> Plan:
    plan = plan_of(send(task_id), send("next", after=(task_id,)))
    return with_task(plan, mark_attempted(with_deliveries(task_of(plan, task_id), 1), 0, NOW))


def test_a_delivery_that_may_have_arrived_is_one() -> None:
    before = sending()
    after = fail_delivery(before, "1", 0, OutcomeUnknown("the answer was cut off"), RETRYING)
    (incident,) = incidents_of(before, after, CHAT, NOW)
    assert (incident.kind, incident.why) == (IncidentKind.UNKNOWN_DELIVERY, "the answer was cut off")
    assert (incident.agent, incident.chat, incident.conversation, incident.at) == ("lull", KEY.id, "conv-1", NOW)
    assert list(incidents_of(after, after, CHAT, NOW)) == []


def test_a_plan_that_was_given_up_is_one() -> None:
    before = sending()
    for error in (NotDelivered("no route"), ChannelRefused("too long")):
        (incident,) = incidents_of(before, fail_delivery(before, "1", 0, error, RETRYING), CHAT, NOW)
        assert incident.kind is IncidentKind.DROPPED_PLAN
        assert str(error) in incident.why


def test_a_refused_reaction_is_none_unless_the_plan_is_given_up_with_it() -> None:
    plan = plan_of(React(id="1", emoji="👍", message_id=5), send("next", after=("1",)))
    before = with_task(plan, mark_attempted(with_deliveries(task_of(plan, "1"), 1), 0, NOW))
    assert (
        list(
            incidents_of(before, fail_delivery(before, "1", 0, ChannelRefused("REACTION_INVALID"), RETRYING), CHAT, NOW)
        )
        == []
    )
    (incident,) = incidents_of(before, fail_delivery(before, "1", 0, NotDelivered("no route"), RETRYING), CHAT, NOW)
    assert incident.kind is IncidentKind.DROPPED_PLAN


def test_what_is_lost_of_one_plan_for_one_reason_is_one() -> None:
    plan, found = plan_of(*(send(str(number)) for number in range(10))), list[Incident]()
    for number in range(10):
        before = with_task(plan, mark_attempted(with_deliveries(task_of(plan, str(number)), 1), 0, NOW))
        why = "too long" if number < 9 else "not allowed"
        plan = fail_delivery(before, str(number), 0, ChannelRefused(why), RETRYING)
        found += incidents_of(before, plan, CHAT, NOW)
    assert [one.why for one in found] == ["too long", "not allowed"]


def test_the_same_cause_has_the_same_id_and_another_has_another() -> None:
    def incident_id(task_id: str) -> str:
        before = sending(task_id)
        (incident,) = incidents_of(before, fail_delivery(before, task_id, 0, OutcomeUnknown("?"), RETRYING), CHAT, NOW)
        return incident.id

    assert incident_id("1") == incident_id("1")
    assert len({incident_id("1"), incident_id("2"), incident_id("a/b")}) == 3
    assert "/" not in incident_id("a/b")


def test_what_went_well_is_none() -> None:
    before = sending()
    assert (
        list(incidents_of(before, fail_delivery(before, "1", 0, NotDelivered("wait", SECOND), RETRYING), CHAT, NOW))
        == []
    )


@pytest.mark.parametrize("task", [send("own"), Rewrite(id="own", message_id=5, text="x")])
def test_what_lull_itself_could_not_say_is_one(task: Task) -> None:
    own = mark_attempted(with_deliveries(PlannedTask(task=task, is_own=True), 1), 0, NOW)
    before = evolve(plan_of(), tasks=(own,))
    for error in (NotDelivered("no route"), ChannelRefused("too long")):
        (incident,) = incidents_of(before, fail_delivery(before, "own", 0, error, RETRYING), CHAT, NOW)
        assert incident.kind is IncidentKind.DROPPED_PLAN
        assert str(error) in incident.why


def test_nobody_misses_a_notice() -> None:
    notice = PlannedTask(task=Notice(id="n", query_id="q"), is_own=True)
    plan = evolve(plan_of(), tasks=(notice,))
    before = with_task(plan, mark_attempted(with_deliveries(notice, 1), 0, NOW))
    for error in (OutcomeUnknown("cut off"), ChannelRefused("query is too old"), NotDelivered("no route")):
        assert list(incidents_of(before, fail_delivery(before, "n", 0, error, RETRYING), CHAT, NOW)) == []
