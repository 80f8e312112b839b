"""The memories of a reply are stored when it is accepted, even if its plan is replaced."""

from shared.memory.store import FirestoreMemories
from shared.memory.visible import MemoryAudience
from shared.tasks.plan import TaskState
from shared.turn.lookup import FRESH
from shared.values.memory import Memory, MemoryChange
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.watched import WatchedOwners
from tests.stories.play import Json

#: steps of a tick until the model has thought
THINKING = 4
SENDS: Json = {"kind": "send", "text": "Noted."}


def remember(text: str, **more: object) -> Json:
    return {"kind": "remember", "text": text, **more}


async def kept(harness: ChatHarness) -> list[Memory]:
    """List the memories about everybody in the room; forgotten ones have no text."""
    memories = harness.tick_services.agents["lull"].runner.ports[FirestoreMemories]
    place = MemoryAudience(key=harness.key, people=(harness.person, *harness.others))
    return [one for some in (await memories.of(place.owners)).values() for one in some if one.text]


async def test_it_is_kept_with_its_message_and_shown_to_the_next_prompt(harness: ChatHarness) -> None:
    await harness.will_plan(remember("Ann likes tea."), SENDS)
    await harness.writes("I like tea")
    await harness.rests()
    (memory,) = await kept(harness)
    said = next(entry for entry in await harness.transcript() if entry["seq"] == memory.source.seq)
    assert said["message_id"] == memory.source.message_id == harness.message_id
    assert memory.source.conversation == (await harness.document()).conversation
    assert [t.state for t in (await harness.plan()).tasks] == [TaskState.DONE] * 2
    await harness.will_plan({"kind": "forget", "memory": memory.id}, SENDS)
    await harness.writes("forget that")
    await harness.rests()
    assert f"{memory.id} (Guest 0" in (await harness.asked())[-1]
    assert await kept(harness) == []


async def test_the_plan_that_is_replaced_meanwhile_keeps_it(harness: ChatHarness) -> None:
    """A message comes while the model thinks, and the second plan does not mention the memory."""

    async def write() -> None:
        await harness.writes("and hello")

    await harness.will_plan(remember("Ann likes tea."), SENDS)
    await harness.will_plan(SENDS)
    await harness.writes("I like tea")
    harness.steps.at, harness.steps.happens = len(harness.steps.taken) + THINKING, write
    await harness.rests()
    (memory,) = await kept(harness)
    said = next(entry for entry in await harness.transcript() if entry["seq"] == memory.source.seq)
    assert (memory.text, said["text"]) == ("Ann likes tea.", "I like tea")
    assert await harness.said() == ["Noted."]
    assert "Ann likes tea." in (await harness.asked())[-1]
    assert "Ann likes tea." not in (await harness.asked())[0]


async def test_what_a_stopped_reply_wanted_is_not_kept(harness: ChatHarness) -> None:
    async def stop() -> None:
        await harness.writes("/stop")

    await harness.will_plan(remember("Ann likes tea."), SENDS)
    await harness.writes("I like tea")
    harness.steps.at, harness.steps.happens = len(harness.steps.taken) + THINKING, stop
    await harness.rests()
    assert await kept(harness) == []


async def test_of_two_people_answered_at_once_each_has_their_own(group: ChatHarness) -> None:
    bob = group.others[0]
    name = f"@house{group.backend.bot_id}_bot"
    await group.writes(f"{name} I like tea")
    tea = group.message_id
    await group.writes(f"{name} and I like rum", **{"from": bob})
    rum = group.message_id
    wishes = [remember("Ann likes tea.", message_id=tea), remember("Bob likes rum.", message_id=rum)]
    await group.will_plan(*wishes, SENDS)
    await group.rests()
    assert {(one.source.person, one.text) for one in await kept(group)} == {
        (group.person, "Ann likes tea."),
        (bob, "Bob likes rum."),
    }


async def test_only_the_owner_lets_everyone_know(harness: ChatHarness) -> None:
    owners, everyone = harness.tick_services.agents["lull"].owners, remember("The shop is closed.", scope="agent")
    assert isinstance(owners, WatchedOwners)
    await harness.will_plan(everyone, SENDS)
    await harness.will_plan(SENDS)
    await harness.writes("the shop is closed")
    await harness.rests()
    assert await kept(harness) == []
    assert "Write the whole plan again." in (await harness.asked())[-1]
    await owners.claim("lull", harness.person, harness.clock.now)
    harness.clock.now += FRESH
    await harness.will_plan(everyone, SENDS)
    await harness.writes("again: the shop is closed")
    await harness.rests()
    assert [(one.scope.value, one.text) for one in await kept(harness)] == [("agent", "The shop is closed.")]
    memories = harness.tick_services.agents["lull"].runner.ports[FirestoreMemories]
    agents = MemoryAudience(key=harness.key, people=()).agents
    await memories.change([MemoryChange(owner=agents, gone=tuple(one.id for one in await kept(harness)))])
