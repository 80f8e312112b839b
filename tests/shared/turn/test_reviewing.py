"""Replies that are sent back because of their memories, and replies that are not."""

from typing import Any

import pytest

from shared.memory.by_owner import MemoriesByOwner
from shared.memory.loaded import LoadedMemories
from shared.memory.tasks.forget import NO_SUCH as UNKNOWN
from shared.memory.tasks.forget import Forget
from shared.memory.tasks.remember import Remember
from shared.memory.upsert import FULL, NO_SUCH, OWNER_ALONE
from shared.planning.format.raw_task import ReplyProblem
from shared.planning.format.reply import ParsedReply
from shared.planning.guard.guard import leak_guard_for
from shared.planning.prompt.assemble import assemble_prompt
from shared.reminders.tasks.schedule import Schedule
from shared.tasks.react import NO_EMOJI, React
from shared.tasks.task import Task
from shared.turn.consulting import AGAIN, PROMISED, PlanReviewer
from shared.values.agent import RolePrompt
from shared.values.evolve import evolve
from tests.shared.examples import ANN, agent, said, send
from tests.shared.memory.facts import PRIVATE as HERE
from tests.shared.memory.facts import fact
from tests.shared.planning.prompt.scenes import PRIVATE, scene

PROMISE = send(text="I'll remember that.")
TEA_TOO = Remember(id="2", text="Ann grows tea.")
KINDS = ("send", "remember", "forget", "schedule")


def reviewed(
    *tasks: Task, kinds: tuple[str, ...] = KINDS, may_send_back: bool = True, most: int = 50
) -> ParsedReply | str:
    """Return the reviewed plan, or the hint for the model."""
    asked = said("I like tea")
    role = RolePrompt(name="r", text="Answer.", unlocks=kinds)
    given: dict[str, Any] = {"agent": agent(roles=(role,)), "chat": PRIVATE, "targets": [1]}
    found = scene(asked, **given)
    owned = MemoriesByOwner({HERE.person(ANN.id): (fact(id="mtea"),)})
    reviewer = PlanReviewer(
        guard=leak_guard_for(found, assemble_prompt(found)),
        scene=found,
        loaded_memories=LoadedMemories(here=HERE, before=owned, after=owned, most=most),
        answered=(asked,),
    )
    outcome = reviewer(ParsedReply(tasks, ()), may_send_back)
    return outcome.hint if isinstance(outcome, ReplyProblem) else outcome


def test_a_promise_for_which_there_is_no_room_is_sent_back_and_what_asks_is_taken() -> None:
    assert str(reviewed(TEA_TOO, PROMISE, most=1)).startswith(FULL)
    for fits in (reviewed(TEA_TOO, send("2", "There is no room for it."), most=1), reviewed(TEA_TOO, PROMISE, most=2)):
        assert isinstance(fits, ParsedReply)


def test_a_promise_that_nothing_keeps_is_sent_back_once() -> None:
    assert reviewed(PROMISE) == PROMISED
    assert reviewed(PROMISE, may_send_back=False) == ParsedReply((PROMISE,), ())


@pytest.mark.parametrize(
    "kept",
    [
        Remember(id="2", text="Ann likes tea."),
        Forget(id="2", memory="mtea"),
        Schedule(id="2", text="Tea!", after="1 hour"),
    ],
)
def test_a_promise_that_is_kept_is_not(kept: Task) -> None:
    assert isinstance(reviewed(PROMISE, kept), ParsedReply)


def test_an_agent_that_cannot_remember_is_not_asked_to() -> None:
    assert isinstance(reviewed(PROMISE, kinds=("send",)), ParsedReply)


def test_what_may_not_be_remembered_is_told_to_the_model() -> None:
    for_all = Remember(id="1", text="The shop is closed.", scope="agent")
    assert str(reviewed(for_all)).startswith(OWNER_ALONE)
    assert str(reviewed(Remember(id="1", text="x", memory="mnone"))).startswith(NO_SUCH)
    assert isinstance(reviewed(for_all, may_send_back=False), ParsedReply), "it is refused when the plan is taken"


def test_what_is_forgotten_is_named_with_its_words() -> None:
    outcome = reviewed(Forget(id="1", memory="MTEA"))
    assert isinstance(outcome, ParsedReply)
    assert outcome.tasks == (Forget(id="1", memory="MTEA", said="Ann likes tea."),)
    assert reviewed(Forget(id="1", memory="mnone"), may_send_back=False) == f"{UNKNOWN} {AGAIN}"


@pytest.mark.parametrize(
    "task",
    [
        Schedule(id="1", text="Tea!", at="12/06/2027"),
        Schedule(id="1", text="Tea!", at="soon"),
        Forget(id="1", memory="m"),
    ],
)
def test_what_cannot_be_resolved_is_asked_for_with_the_rest_of_the_plan(task: Task) -> None:
    assert str(reviewed(send("2", "I will."), task)).endswith(AGAIN)


def test_a_reaction_that_nobody_can_make_costs_no_answer() -> None:
    """An impossible reaction is dropped if other tasks have texts; alone, it is sent back to the model."""
    odd = React(id="2", depends_on=("1",), emoji="a big smile", message_id=1)
    outcome = reviewed(send("1", "Well done!"), odd, send("3", "Really.", after=("2",)), may_send_back=False)
    assert isinstance(outcome, ParsedReply)
    assert [(task.words, task.depends_on) for task in outcome.tasks] == [("Well done!", ()), ("Really.", ("1",))]
    assert reviewed(evolve(odd, depends_on=())) == f"{NO_EMOJI} {AGAIN}"
