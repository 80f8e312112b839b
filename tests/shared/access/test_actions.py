"""Access actions of plans: the people whom a plan may block, the chats in which it silences the agent, and the owner's
notices.
"""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from shared.access import actions
from shared.access.tasks.block import BlockPerson
from shared.access.tasks.clear_conversation import ClearConversation
from shared.access.tasks.shutdown import Shutdown
from shared.access.tasks.unblock import UnblockPerson
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.reminders.store import FirestoreReminders
from shared.tasks.plan import Plan, PlannedTask, TaskState
from shared.tasks.task import Task
from shared.turn import effects
from shared.turn.effects import TOO_FAR
from shared.values.access_action import ASKED_OWNER, FOREVER, NOT_ALLOWED, NOT_BLOCKED, NOT_OWNERS
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.message import Event
from shared.values.outbox import OutboxNotice
from shared.values.trust import AdmittedPerson, BlockedPerson
from tests.shared.examples import plan_of, send
from tests.shared.letting_in import access_list, own
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.test_runner import claimed_session, runner_of

#: the owner of the agent, if the owner is not the person in the test's chat
SOMEBODY = 7_100_000_001
UNDONE = "I couldn't do that."
OWNERS_ALONE = "Only my owner can ask me to do that, in our private chat."


def planned(task: Task, people: tuple[int, ...], **fields: object) -> Plan:
    """Make a plan with an access action and an independent message."""
    plan = plan_of(task, send("2", "Noted.", ()))
    tasks = tuple(PlannedTask(task=t.task, people=people).model_copy(update=fields) for t in plan.tasks)
    return evolve(plan, tasks=tasks)


async def owned_by(harness: ChatHarness, person: int) -> None:
    await own(replace(harness, person=person))


async def carried_out(harness: ChatHarness, task: Task, people: tuple[int, ...] = (), **fields: object) -> PlannedTask:
    """Carry out a plan with one task, by default about the person of the chat, and return the task."""
    session = await claimed_session(harness)
    plan = planned(task, people or (harness.person,), **fields)
    return (await runner_of(harness).run(session, plan, is_final_plan=False)).plan.tasks[0]


def access_lists_of(harness: ChatHarness) -> FirestoreAccessLists:
    return runner_of(harness).ports[FirestoreAccessLists]


async def told(harness: ChatHarness, owner: int) -> Sequence[OutboxNotice]:
    """List the owner's pending notices."""
    reminders = FirestoreReminders(harness.backend.chats.client)
    found = await reminders.to_come([ChatKey(agent="lull", chat_id=owner).id], 9)
    return [one for one in found if isinstance(one, OutboxNotice)]


async def test_blocks_only_answered_people_and_the_owner_can_undo_it(harness: ChatHarness) -> None:
    owner = SOMEBODY + harness.person
    await owned_by(harness, owner)
    done = await carried_out(harness, BlockPerson(id="1", person=harness.person, why="insults *me*"))
    assert done.state is TaskState.DONE
    blocked = (await access_list(harness)).blocked[harness.person]
    assert (blocked.by, blocked.why) == (0, "insults *me*")
    (word,) = await told(harness, owner)
    assert word.text.startswith(f"I blocked {harness.person} (`{harness.person}`), who wrote in")
    assert "insults \\*me\\*" in word.text
    assert [(one.command, one.argument) for one in word.offers] == [("people", f"u{harness.person}")]
    assert (word.is_apart, word.person) == (True, harness.person)


@pytest.mark.parametrize("who", [0, 5])
async def test_nobody_else_is_blocked_and_never_the_owner(harness: ChatHarness, who: int) -> None:
    await own(harness)
    found = await carried_out(harness, BlockPerson(id="1", person=who or harness.person))
    assert (found.state, found.why) == (TaskState.FAILED, actions.NOT_ANSWERED if who else actions.OWNER)
    assert (await access_list(harness)).blocked == {}
    assert (await harness.said())[-1] == "Noted.", "the rest of the plan goes on"


async def test_one_of_several_that_it_answers_has_none_of_them_blocked(harness: ChatHarness) -> None:
    await own(harness)
    found = await carried_out(harness, BlockPerson(id="1", person=5), people=(harness.person, 5))
    assert (found.state, found.why) == (TaskState.FAILED, actions.NOT_ANSWERED)
    assert (await access_list(harness)).blocked == {}


async def test_after_text_from_outside_nothing_is_done(harness: ChatHarness) -> None:
    for task in (UnblockPerson(id="1", person=5), Shutdown(id="1"), ClearConversation(id="1")):
        found = await carried_out(harness, task, saw_outside=True)
        assert (found.state, found.why) == (TaskState.FAILED, TOO_FAR)
    found = await carried_out(harness, BlockPerson(id="1", person=harness.person), saw_outside=True)
    assert (found.state, found.why) == (TaskState.FAILED, actions.NO_OWNER)
    assert (await access_list(harness)).blocked == {}
    assert (await harness.document()).access.muted_until is None


async def test_after_text_from_outside_the_owner_is_asked_whom_to_block(harness: ChatHarness) -> None:
    owner = SOMEBODY + harness.person
    await owned_by(harness, owner)
    done = await carried_out(harness, BlockPerson(id="1", person=harness.person, why="insults"), saw_outside=True)
    assert (done.state, done.why) == (TaskState.DONE, ASKED_OWNER)
    assert (await access_list(harness)).blocked == {}
    (word,) = await told(harness, owner)
    assert "I'd like to block them" in word.text
    assert [(one.text, one.command, one.argument) for one in word.offers] == [("Block", "people", f"b{harness.person}")]
    for person in (5, owner):
        found = await carried_out(harness, BlockPerson(id="1", person=person), saw_outside=True)
        assert found.why == (actions.OWNER if person == owner else actions.NOT_ANSWERED)


async def noted(harness: ChatHarness, task: Task) -> str:
    """Carry out a task and return the note about it for the model."""
    session = await claimed_session(harness)
    await runner_of(harness).run(session, planned(task, (harness.person,)), is_final_plan=False)
    return next(e.note for e in reversed(await session.window()) if isinstance(e, Event) and e.kind == effects.EFFECT)


@pytest.mark.parametrize(
    ("task", "note", "said"),
    [
        (Shutdown(id="1", everywhere=True), f"your `shutdown` was not done: {NOT_OWNERS}", OWNERS_ALONE),
        (UnblockPerson(id="1", person=5), f"your `unblock` was not done: {NOT_OWNERS}", OWNERS_ALONE),
        (Shutdown(id="1"), "you answer nothing here until somebody ends that", ""),
        (BlockPerson(id="1", person=5), f"your `block` was not done: {actions.NOT_ANSWERED}", UNDONE),
    ],
)
async def test_the_model_knows_what_became_of_a_measure_and_whoever_waits_hears_of_it(
    harness: ChatHarness, task: Task, note: str, said: str
) -> None:
    assert await noted(harness, task) == note
    told = await harness.said()
    assert [one for one in (OWNERS_ALONE, UNDONE) if one in told] == ([said] if said else [])


async def test_where_a_group_was_told_of_a_block_that_failed_it_is_told_so_and_else_not(group: ChatHarness) -> None:
    session = await claimed_session(group)
    silent = planned(BlockPerson(id="1", person=5), (group.person,))
    await runner_of(group).run(session, evolve(silent, tasks=silent.tasks[:1]), is_final_plan=False)
    assert UNDONE not in await group.said()
    assert (await carried_out(group, BlockPerson(id="1", person=5))).state is TaskState.FAILED
    assert UNDONE in await group.said()


async def test_nobody_is_said_to_be_unblocked_who_was_not_blocked(harness: ChatHarness) -> None:
    await own(harness)
    found = await carried_out(harness, UnblockPerson(id="1", person=5))
    assert (found.state, found.why) == (TaskState.FAILED, NOT_BLOCKED)
    said = await harness.said()
    assert "5 is not blocked." in said
    assert "5 is no longer blocked." not in said


async def test_the_model_knows_whom_it_blocked(harness: ChatHarness) -> None:
    assert await noted(harness, BlockPerson(id="1", person=harness.person)) == f"you blocked (user_id {harness.person})"


async def test_a_refused_measure_alone_leaves_nobody_in_private_without_an_answer(harness: ChatHarness) -> None:
    session = await claimed_session(harness)
    plan = planned(BlockPerson(id="1", person=5), (harness.person,))
    alone = evolve(plan, tasks=plan.tasks[:1])
    await runner_of(harness).run(session, alone, is_final_plan=False)
    assert (await harness.said())[-1] == "I couldn't do that."


async def test_in_a_group_its_administrators_alone_begin_another_conversation(group: ChatHarness) -> None:
    found = await carried_out(group, ClearConversation(id="1"), (group.others[0],))
    assert (found.state, found.why) == (TaskState.FAILED, NOT_ALLOWED)
    assert "Only administrators of this group can ask me to do that." in await group.said()
    assert (await carried_out(group, ClearConversation(id="1"))).state is TaskState.DONE


async def test_an_administrator_who_stays_anonymous_is_one(group: ChatHarness) -> None:
    for task in (ClearConversation(id="1"), Shutdown(id="1")):
        assert (await carried_out(group, task, (group.key.chat_id,))).state is TaskState.DONE
    channel = group.key.chat_id - 1
    assert (await carried_out(group, ClearConversation(id="1"), (channel,))).why == NOT_ALLOWED


async def test_only_the_owner_alone_in_private_has_somebody_unblocked(harness: ChatHarness) -> None:
    await access_lists_of(harness).block("lull", BlockedPerson(id=5, since=harness.clock.now))
    found = await carried_out(harness, UnblockPerson(id="1", person=5))
    assert (found.state, found.why) == (TaskState.FAILED, NOT_OWNERS)
    await own(harness)
    assert (await carried_out(harness, UnblockPerson(id="1", person=5), (harness.person, 6))).why == NOT_OWNERS
    assert (await carried_out(harness, UnblockPerson(id="1", person=5))).state is TaskState.DONE
    assert (await access_list(harness)).blocked == {}
    assert "5 is no longer blocked." in await harness.said()


async def test_deletes_notices_about_a_person_with_their_data(harness: ChatHarness) -> None:
    owner = SOMEBODY + harness.person
    await owned_by(harness, owner)
    assert (await carried_out(harness, Shutdown(id="1"))).state is TaskState.DONE
    (word,) = await told(harness, owner)
    assert (word.is_apart, word.person) == (True, harness.person)


async def test_in_private_whoever_asks_has_it_silent_there_and_the_owner_everywhere(harness: ChatHarness) -> None:
    assert (await carried_out(harness, Shutdown(id="1", everywhere=True))).why == NOT_OWNERS
    assert (await carried_out(harness, Shutdown(id="1"))).state is TaskState.DONE
    assert (await harness.document()).access.muted_until == FOREVER
    assert (await harness.said())[-2].startswith("I've stopped answering here until")
    await own(harness)
    assert (await access_list(harness)).silenced is None
    assert (await carried_out(harness, Shutdown(id="1", everywhere=True))).state is TaskState.DONE
    silenced = (await access_list(harness)).silenced
    assert silenced is not None
    assert silenced.by == harness.person


async def test_in_a_group_its_administrators_alone_have_it_silent(group: ChatHarness) -> None:
    owner = SOMEBODY + group.person
    await owned_by(group, owner)
    found = await carried_out(group, Shutdown(id="1"), (group.others[0],))
    assert (found.state, found.why) == (TaskState.FAILED, NOT_ALLOWED)
    assert (await carried_out(group, Shutdown(id="1"), (group.person, group.others[0]))).why == NOT_ALLOWED
    assert await told(group, owner) == []
    assert (await carried_out(group, Shutdown(id="1"))).state is TaskState.DONE
    assert (await group.document()).access.muted_until == FOREVER
    (word,) = await told(group, owner)
    assert "I was asked to stop answering" in word.text


async def test_another_conversation_is_told_to_an_owner_who_is_elsewhere(harness: ChatHarness) -> None:
    owner = SOMEBODY + harness.person
    await owned_by(harness, owner)
    await carried_out(harness, ClearConversation(id="1"))
    (word,) = await told(harness, owner)
    assert "start a new conversation" in word.text
    await own(harness)


@pytest.mark.parametrize("bans", [False, True])
async def test_in_a_group_a_persona_that_bans_does_so_where_it_administers(group: ChatHarness, bans: bool) -> None:
    guest, key = group.others[0], group.key.chat_id
    await owned_by(group, SOMEBODY + group.person)
    runner = runner_of(group)
    front = evolve(runner.agent.front, bans=bans)
    runner = replace(runner, agent=evolve(runner.agent, front=front))
    for is_administrator in (False, True):
        if is_administrator:
            admins = f"/world/chats/{group.chat}/admins"
            await group.backend.telegram.post(admins, json={"id": group.backend.bot_id})
        session = await claimed_session(group)
        done = await runner.run(session, planned(BlockPerson(id="1", person=guest), (guest,)), is_final_plan=False)
        assert done.plan.tasks[0].state is TaskState.DONE
        assert await group.backend.channel.is_member(key, guest) is not (bans and is_administrator)
    assert guest in (await access_list(group)).blocked


async def test_a_full_list_blocks_nobody(harness: ChatHarness, caplog: pytest.LogCaptureFixture) -> None:
    many = {str(n): AdmittedPerson(id=n, since=harness.clock.now, by=1).model_dump() for n in range(2_000)}
    bot = (await access_list(harness)).agent
    await harness.backend.chats.client.document(f"bots/{bot}").set({"blocked": many}, merge=True)
    assert (await carried_out(harness, BlockPerson(id="1", person=harness.person))).why == actions.FULL
    assert str(harness.person) not in caplog.text
