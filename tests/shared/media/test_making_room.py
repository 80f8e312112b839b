"""Full memory: the model is asked what to forget, and nothing new is stored before."""

from dataclasses import replace

from shared.base.wording.words import words_in
from shared.memory.by_owner import MemoriesByOwner
from shared.memory.loaded import LoadedMemories, PlanContext
from shared.memory.store import FirestoreMemories
from shared.memory.tasks.forget import Forget
from shared.memory.tasks.remember import Remember
from shared.memory.upsert import FULL
from shared.memory.visible import MemoryAudience
from shared.memory.wishes import ASKED, MOST_ASKED, MOST_OFFERED, apply_memory_wishes, with_room_questions
from shared.tasks.ask import Ask
from shared.tasks.plan import Plan, PlannedTask, TaskState
from shared.tasks.registry import stored_task
from shared.tasks.task import Task
from shared.values.evolve import evolve
from shared.values.memory import MemoryChange
from tests.shared.examples import ANN, GROUP_KEY, NOW, SECOND, plan_of, said, send
from tests.shared.memory.facts import GROUP, PRIVATE, fact
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.test_runner import claimed_session, runner_of

EN = words_in("en")
FACTS = tuple(fact(f"Ann owns boat {n}.", id=f"m{n}", changed_at=NOW + n * SECOND) for n in range(8))
FULL_UP = LoadedMemories(here=PRIVATE, before=MemoriesByOwner({PRIVATE.person(ANN.id): FACTS}), most=len(FACTS))
KNOWN = replace(FULL_UP, after=FULL_UP.before)
TOLD = PlanContext(plan="p1", now=NOW)
KEEP_ALL = "Keep everything and don't remember this"


async def asked(harness: ChatHarness, known: LoadedMemories, *tasks: Task) -> tuple[Plan, LoadedMemories]:
    hold = await claimed_session(harness)
    plan, after = apply_memory_wishes(plan_of(*tasks), known, (said("I own a kite"),), TOLD)
    return with_room_questions(hold, plan, after, (said("I own a kite"),), EN), after


async def test_who_tells_more_than_has_room_is_asked_what_goes(harness: ChatHarness) -> None:
    plan, after = await asked(harness, KNOWN, Remember(id="1", text="Ann owns a kite."), send("2", "Let me see."))
    assert after == KNOWN
    wish, talk, ask = plan.tasks
    assert (wish.state, wish.why, talk.state) == (TaskState.FAILED, ASKED, TaskState.PLANNED)
    assert isinstance(ask.task, Ask)
    assert (ask.is_own, ask.people) == (True, (ANN.id,))
    oldest = [f"Forget: Ann owns boat {n}." for n in range(MOST_OFFERED)]
    assert ask.task.labels == (*oldest, KEEP_ALL)
    assert "Ann owns a kite" in ask.task.words
    acts = [stored_task({**act, "id": "9", "depends_on": ()}) for act in ask.task.effects]
    given_up = [one.instead_of for one in acts if isinstance(one, Remember)]
    assert given_up == [*(f"m{n}" for n in range(MOST_OFFERED)), ""]


async def test_what_the_same_plan_forgets_makes_room(harness: ChatHarness) -> None:
    plan, after = await asked(harness, KNOWN, Remember(id="1", text="Ann owns a kite."), Forget(id="2", memory="m3"))
    assert [t.state for t in plan.tasks] == [TaskState.DONE, TaskState.DONE]
    assert "Ann owns a kite." in after.texts.values()


async def test_of_many_facts_only_some_are_asked_for(harness: ChatHarness) -> None:
    wishes = [Remember(id=str(n), text=f"Ann owns kite {n}.") for n in range(MOST_ASKED + 1)]
    plan, _ = await asked(harness, KNOWN, *wishes)
    assert [t.why for t in plan.tasks[: len(wishes)]] == [ASKED] * MOST_ASKED + [FULL]
    assert sum(isinstance(t.task, Ask) for t in plan.tasks) == MOST_ASKED


async def test_in_a_group_nothing_is_named_that_it_does_not_know(harness: ChatHarness) -> None:
    known = replace(KNOWN, here=GROUP)
    plan, _ = await asked(harness, known, Remember(id="1", text="Ann owns a kite."))
    assert [(t.task.kind, t.people) for t in plan.tasks[1:]] == [("send", (ANN.id,))]
    assert "/memories" in plan.tasks[1].task.words
    both = (*FACTS[:-1], fact("Ann rows.", GROUP_KEY, id="mrow"))
    known = replace(known, after=MemoriesByOwner({GROUP.person(ANN.id): both}))
    plan, _ = await asked(harness, known, Remember(id="1", text="Ann owns a kite."))
    assert isinstance(plan.tasks[1].task, Ask)
    assert plan.tasks[1].task.labels == ("Forget: Ann rows.", KEEP_ALL)


async def test_a_press_forgets_the_one_and_keeps_the_other_or_nothing(harness: ChatHarness) -> None:
    memories, hold = runner_of(harness).ports[FirestoreMemories], await claimed_session(harness)
    await hold.note_entries([said("I own a kite", evolve(ANN, id=harness.person), 7)])
    mine = MemoryAudience(key=harness.key, people=(harness.person,)).person(harness.person)
    await memories.change([MemoryChange(owner=mine, kept=FACTS[:2])])
    kite = Remember(id="1", text="Ann owns a kite.")
    exchange, given_up = Ask.for_room(kite, kite.text, FACTS[:1], EN, id="r").effects
    for task in (stored_task({**act, "id": "1", "depends_on": ()}) for act in (given_up, exchange)):
        assert isinstance(task, Task)
        plan = evolve(plan_of(), tasks=(PlannedTask(task=task, is_own=True, people=(harness.person,)),))
        done = (await runner_of(harness).run(hold, plan, is_final_plan=False)).plan
        assert done.tasks[0].state is TaskState.DONE
        await hold.commit()
    kept = MemoriesByOwner(await memories.of([mine])).of(mine)
    assert [one.text for one in kept] == ["Ann owns boat 1.", "Ann owns a kite."]
    assert (await harness.said())[-2:] == [
        f"Done: {KEEP_ALL}",
        "Done: Remember: Ann owns a kite. (instead of: Ann owns boat 0.)",
    ]


async def test_what_is_offered_once_may_find_no_room_when_it_is_pressed(harness: ChatHarness) -> None:
    memories, hold = runner_of(harness).ports[FirestoreMemories], await claimed_session(harness)
    await hold.note_entries([said("I own a kite", evolve(ANN, id=harness.person), 7)])
    mine = MemoryAudience(key=harness.key, people=(harness.person,)).person(harness.person)
    many = tuple(fact(f"Ann owns boat {n}.", id=f"m{n}") for n in range(50))
    await memories.change([MemoryChange(owner=mine, kept=many)])
    own = PlannedTask(task=Remember(id="1", text="Ann owns a kite."), is_own=True, people=(harness.person,))
    plan = evolve(plan_of(), tasks=(own,))
    done = (await runner_of(harness).run(hold, plan, is_final_plan=False)).plan
    assert [(t.task.kind, t.state) for t in done.tasks] == [
        ("remember", TaskState.FAILED),
        ("ask", TaskState.DONE),
    ]
    assert len((await memories.of([mine]))[mine]) == 50
