"""Tests that a plan's memory tasks are carried out when the plan is accepted, and written in the same commit."""

import pytest

from shared.memory.by_owner import MemoriesByOwner
from shared.memory.loaded import LoadedMemories, PlanContext
from shared.memory.store import FirestoreMemories, MemoryChangeRecord
from shared.memory.tasks.forget import Forget
from shared.memory.tasks.remember import Remember
from shared.memory.upsert import NO_SUCH, OWNER_ALONE
from shared.memory.visible import MemoryAudience
from shared.memory.wishes import apply_memory_wishes, note_memories
from shared.tasks.plan import PlannedTask, TaskState
from shared.values.evolve import evolve
from shared.values.memory import MemoryChange
from tests.shared.examples import ANN, NOW, plan_of, said, send
from tests.shared.memory.facts import PRIVATE, fact
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.test_runner import claimed_session, runner_of

TOLD = PlanContext(plan="p1", now=NOW)


def test_each_wish_succeeds_or_fails_and_the_plan_continues() -> None:
    plan = plan_of(Remember(id="1", text="Ann likes tea."), Forget(id="2", memory="mnone"), send("3", "Noted.", ("2",)))
    plan, found = apply_memory_wishes(plan, LoadedMemories(here=PRIVATE), (said("tea!"),), TOLD)
    assert [(t.state, t.why) for t in plan.tasks] == [
        (TaskState.DONE, ""),
        (TaskState.FAILED, NO_SUCH),
        (TaskState.PLANNED, ""),
    ]
    assert list(found.texts.values()) == ["Ann likes tea."]
    assert apply_memory_wishes(plan, found, (said("tea!"),), TOLD) == (plan, found), "what is done is done"


def test_a_task_from_a_button_waits_for_its_turn() -> None:
    own = PlannedTask(task=Forget(id="1", memory="m1"), is_own=True)
    plan = evolve(plan_of(), tasks=(own,))
    assert apply_memory_wishes(plan, LoadedMemories(here=PRIVATE), (said("x"),), TOLD)[0] == plan


async def test_a_change_refers_to_its_transcript_entry(harness: ChatHarness) -> None:
    hold = await claimed_session(harness)
    author = evolve(ANN, id=harness.person)
    await hold.note_entries([said("hi", author, 7), said("tea!", author, 8)])
    place = MemoryAudience(key=harness.key, people=(harness.person,))
    found = apply_memory_wishes(
        plan_of(Remember(id="1", text="x")), LoadedMemories(here=place), (said("tea!", author, 8),), TOLD
    )[1]
    await note_memories(hold, None)
    await note_memories(hold, found)
    (noted,) = [one.change for one in hold._records if isinstance(one, MemoryChangeRecord)]
    source = noted.kept[0].source
    assert (source.conversation, source.seq, source.message_id) == (hold.chat.conversation, 2, 8)
    await hold.commit()
    memories = runner_of(harness).ports[FirestoreMemories]
    assert (await memories.of([noted.owner]))[noted.owner] == noted.kept


async def test_a_tap_forgets_only_the_pressers_memory(harness: ChatHarness) -> None:
    memories, hold = runner_of(harness).ports[FirestoreMemories], await claimed_session(harness)
    await hold.note_entries([said("forget that", evolve(ANN, id=harness.person), 7)])
    place = MemoryAudience(key=harness.key, people=(harness.person,))
    mine, others = place.person(harness.person), place.person(harness.person + 10**9)
    await memories.change([MemoryChange(owner=mine, kept=(fact(id="mtea"),))])
    await memories.change([MemoryChange(owner=others, kept=(fact(id="mrum"),))])
    for name, state in (("mtea", TaskState.DONE), ("mrum", TaskState.DONE)):
        own = PlannedTask(task=Forget(id="1", memory=name), is_own=True, people=(harness.person,))
        plan = evolve(plan_of(), tasks=(own,))
        done = await runner_of(harness).run(hold, plan, is_final_plan=False)
        assert done.plan.tasks[0].state is state
    await hold.commit()
    found = await memories.of([mine, others])
    owned = MemoriesByOwner(found)
    assert [one.id for owner in found for one in owned.of(owner)] == ["mrum"]
    assert [one.id for one in owned.forgotten_marks(mine)] == ["mtea"]


async def test_a_tap_stores_a_fact_about_the_presser(harness: ChatHarness) -> None:
    memories, hold = runner_of(harness).ports[FirestoreMemories], await claimed_session(harness)
    author = evolve(ANN, id=harness.person)
    await hold.note_entries([said("nuts are bad for me", author, 7), said("chose: Remember", author, -8)])
    task = Remember(id="1", text="Ann is allergic to nuts.", message_id=7)
    plan = evolve(plan_of(), tasks=(PlannedTask(task=task, is_own=True, people=(harness.person,)),))
    done = (await runner_of(harness).run(hold, plan, is_final_plan=False)).plan
    assert [t.state for t in done.tasks] == [TaskState.DONE, TaskState.DONE]
    await hold.commit()
    mine = MemoryAudience(key=harness.key, people=(harness.person,)).person(harness.person)
    ((kept,),) = (await memories.of([mine])).values()
    assert (kept.text, kept.outside, kept.source.message_id) == ("Ann is allergic to nuts.", "", 7)
    assert (await harness.said())[-1] == "Done: Remember: Ann is allergic to nuts."


@pytest.mark.parametrize("is_owner", [True, False])
async def test_only_the_owners_tap_stores_a_fact_for_everyone(harness: ChatHarness, is_owner: bool) -> None:
    hold, owners = await claimed_session(harness), harness.tick_services.agents["lull"].owners
    assert owners is not None
    await owners.claim("lull", harness.person if is_owner else harness.person + 1, harness.clock.now)
    await hold.note_entries([said("the shop is closed", evolve(ANN, id=harness.person), 7)])
    task = Remember(id="1", text="The shop is closed.", scope="agent", message_id=7)
    plan = evolve(plan_of(), tasks=(PlannedTask(task=task, is_own=True, people=(harness.person,)),))
    done = (await runner_of(harness).run(hold, plan, is_final_plan=False)).plan.tasks[0]
    assert (done.state, done.why) == ((TaskState.DONE, "") if is_owner else (TaskState.FAILED, OWNER_ALONE))
    memories, agents = runner_of(harness).ports[FirestoreMemories], MemoryAudience(key=harness.key, people=()).agents
    told = (await memories.of([agents]))[agents]
    assert [one.text for one in told] == (["The shop is closed."] if is_owner else [])
    # the tests share this agent
    await memories.change([MemoryChange(owner=agents, gone=tuple(one.id for one in told))])


def test_a_task_stays_open_for_a_tap_unless_impossible_or_known() -> None:
    tasks = (
        Remember(id="1", text="Ann likes tea."),
        Forget(id="2", memory="mnone"),
        Remember(id="3", text="Ann likes rum."),
    )
    plan = plan_of(*tasks)
    plan = evolve(plan, tasks=tuple(evolve(t, saw_outside=True) for t in plan.tasks))
    mine = PRIVATE.person(PRIVATE.people[0])
    known = LoadedMemories(here=PRIVATE, after=MemoriesByOwner({mine: (fact(id="mrum", text="Ann likes rum."),)}))
    plan, found = apply_memory_wishes(plan, known, (said("hi"),), TOLD)
    assert [t.state for t in plan.tasks] == [TaskState.PLANNED, TaskState.FAILED, TaskState.DONE]
    assert found == known
