"""The console's view of memories, over the emulator."""

from typing import Any

import pytest

from shared.chat.store import paths
from shared.console.memories import name_of_owner, seal_undo
from shared.console.route import BadRequest, NotFound
from shared.console.views import memories as view
from shared.memory.owner_changes import KNOWN_ALREADY, NOT_SAID_THERE, NOT_TO_SHARE, NOT_YOUR_WORDS
from shared.memory.store import FirestoreMemories
from shared.memory.visible import MemoryAudience
from shared.values.chat import Chat, CurrentConversation
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.evolve import evolve
from shared.values.keyboard import Keyboard
from shared.values.memory import Memory, MemoryChange, MemoryOwner, MemoryScope
from tests.shared.console.harness import OTHER, OWNER, ConsoleHarness
from tests.shared.examples import NOW, SECOND
from tests.shared.memory.facts import fact, source

PRIVATE = ChatKey(agent="lull", chat_id=OWNER)
GROUP = ChatKey(agent="lull", chat_id=-100_500)
HERE = MemoryAudience(key=GROUP, people=(OWNER, OTHER))
YOURS, ANNS, THE_GROUP, EVERYONE = HERE.person(OWNER), HERE.person(OTHER), HERE.chats[0], HERE.agents
TEA = fact("Ann likes tea.", id="mtea", source=source(ChatKey(agent="lull", chat_id=OTHER), person=OTHER))


async def remember(console: ConsoleHarness, owner: MemoryOwner, *memories: Memory) -> None:
    await FirestoreMemories(console.client).change([MemoryChange(owner=owner, kept=memories)])


async def kept(console: ConsoleHarness, owner: MemoryOwner) -> list[Memory]:
    found = (await FirestoreMemories(console.client).of([owner]))[owner]
    return [one for one in found if one.forgotten_at is None]


async def shown(console: ConsoleHarness, owner: MemoryOwner) -> dict[str, Any]:
    path = {"owner": name_of_owner(owner)}
    return dict(await view.read_memories(console.services, console.request(path=path)))


async def change(console: ConsoleHarness, what: Any, owner: MemoryOwner, memory: str, **more: Any) -> dict[str, Any]:
    body = {"owner": name_of_owner(owner), "memory": memory, **more}
    return dict(await what(console.services, console.request(body=body)))


@pytest.fixture(autouse=True)
async def _claimed(console: ConsoleHarness) -> None:
    await console.claim()


async def test_lists_whose_memories_there_are_of_the_owner_s_agents(console: ConsoleHarness) -> None:
    await remember(console, ANNS, TEA, evolve(TEA, id="mq", text="Ann lives in Rome.", outside="a forward"))
    await remember(console, EVERYONE, fact("We close at nine.", id="mnine", scope=MemoryScope.AGENT))
    await remember(console, evolve_agent(ANNS), TEA)
    listed = await view.list_memories(console.services, console.request())
    told = {one["owner"]: (one["scope"], one["name"], one["count"], one["quoted"]) for one in listed["items"]}
    assert told == {"person:701:lull": ("person", "Ann", 1, 1), "agent:lull": ("agent", "", 1, 0)}
    assert listed["next"] == ""


def evolve_agent(owner: MemoryOwner) -> MemoryOwner:
    return MemoryOwner(scope=owner.scope, agent="moss", person=owner.person)


async def test_shows_where_a_fact_was_said_and_keeps_quoted_and_curated_ones_apart(console: ConsoleHarness) -> None:
    said = source(GROUP, person=OTHER, title="Friends", conversation="conv-1", seq=4, message_id=9)
    nuts = evolve(TEA, id="mnuts", text="Ann is allergic to nuts.", source=said)
    await remember(console, ANNS, TEA, nuts, evolve(TEA, id="mq", text="Ann lives in Rome.", outside="a forward"))
    found = await shown(console, ANNS)
    assert [(one["id"], one["said_in"], one["is_private"]) for one in found["items"]] == [
        ("mtea", "", True),
        ("mnuts", "Friends", False),
    ]
    assert [(one["id"], one["outside"]) for one in found["quoted"]] == [("mq", "a forward")]
    nuts_shown = next(one for one in found["items"] if one["id"] == "mnuts")
    assert (nuts_shown["conversation"], nuts_shown["seq"]) == ("conv-1", 4)
    assert [one["owner"] for one in nuts_shown["moves"]] == [name_of_owner(THE_GROUP)], "only where it was said"
    assert (found["most"], found["is_you"]) == (50, False)


async def test_edits_and_undoes(console: ConsoleHarness) -> None:
    await remember(console, ANNS, TEA, evolve(TEA, id="mnuts", text="Ann is allergic to nuts."))
    console.now += SECOND
    answer = await change(console, view.edit, ANNS, "mtea", text="Ann likes  green tea.")
    assert [one.text for one in await kept(console, ANNS) if one.id == "mtea"] == ["Ann likes green tea."]
    with pytest.raises(BadRequest, match=KNOWN_ALREADY):
        await change(console, view.edit, ANNS, "mtea", text="Ann is allergic to nuts.")
    await view.undo(console.services, console.request(body=answer["undo"]))
    assert TEA in await kept(console, ANNS)


async def test_deletes_so_that_it_is_not_learnt_again_and_undoes(console: ConsoleHarness) -> None:
    await remember(console, ANNS, TEA)
    answer = await change(console, view.delete, ANNS, "mtea")
    stored = (await console.client.document(paths.memories_path(ANNS)).get()).to_dict() or {}
    assert stored["memories"] == {}
    assert "tea" not in str(stored["forgotten"]).replace("mtea", "")
    assert (await shown(console, ANNS))["forgotten"] == 1
    await view.undo(console.services, console.request(body=answer["undo"]))
    assert await kept(console, ANNS) == [TEA]
    assert (await shown(console, ANNS))["forgotten"] == 0


async def test_moves_only_where_the_rules_allow(console: ConsoleHarness) -> None:
    yours = fact("We close at nine.", id="mnine", source=source(PRIVATE, person=OWNER))
    await remember(console, YOURS, yours)
    await remember(console, ANNS, TEA)
    for target, why in ((EVERYONE, NOT_YOUR_WORDS), (THE_GROUP, NOT_SAID_THERE)):
        with pytest.raises(BadRequest, match=why):
            await change(console, view.move, ANNS, "mtea", to=name_of_owner(target))
    answer = await change(console, view.move, YOURS, "mnine", to=name_of_owner(EVERYONE))
    assert ([one.scope for one in await kept(console, EVERYONE)], await kept(console, YOURS)) == (["agent"], [])
    await view.undo(console.services, console.request(body=answer["undo"]))
    assert (await kept(console, EVERYONE), await kept(console, YOURS)) == ([], [yours])


async def test_lets_groups_see_own_facts_and_only_takes_back_what_others_allowed(console: ConsoleHarness) -> None:
    yours = fact("We close at nine.", id="mnine", source=source(PRIVATE, person=OWNER))
    await remember(console, YOURS, yours)
    await remember(console, ANNS, evolve(TEA, is_for_groups=True))
    assert [one["may_share"] for owner in (YOURS, ANNS) for one in (await shown(console, owner))["items"]] == [True] * 2
    await change(console, view.share, YOURS, "mnine", is_shared=True)
    answer = await change(console, view.share, ANNS, "mtea", is_shared=False)
    assert [one.is_for_groups for owner in (YOURS, ANNS) for one in await kept(console, owner)] == [True, False]
    assert [one["may_share"] for one in (await shown(console, ANNS))["items"]] == [False]
    with pytest.raises(BadRequest, match=NOT_TO_SHARE):
        await change(console, view.share, ANNS, "mtea", is_shared=True)
    await view.undo(console.services, console.request(body=answer["undo"]))
    assert [one.is_for_groups for one in await kept(console, ANNS)] == [True]


async def test_adopts_what_a_forward_asked_to_remember(console: ConsoleHarness) -> None:
    await remember(console, ANNS, evolve(TEA, outside="a forward"))
    await change(console, view.adopt, ANNS, "mtea")
    assert [one.outside for one in await kept(console, ANNS)] == [""]


def offer(*effects: dict[str, Any], person: int = OTHER) -> Keyboard:
    return Keyboard(
        id="kkkkkkkkkkkkkkkk", choices=("Remember",) * len(effects), people=(person,), effects=effects, seq=3, at=NOW
    )


async def test_adopts_an_offer_that_waits_for_a_tap(console: ConsoleHarness) -> None:
    key = ChatKey(agent="lull", chat_id=OTHER)
    keyboard = offer(
        {"kind": "remember", "id": "1", "text": "Ann is vegan."}, {"kind": "block", "id": "2", "person": 5}
    )
    chat = Chat(key=key, kind=ChatKind.PRIVATE, conversation="conv-9", talk=CurrentConversation(keyboards=(keyboard,)))
    await console.client.document(paths.chat_path(key)).set(chat.model_dump())
    (waiting,) = (await shown(console, ANNS))["offers"]
    assert (waiting["text"], waiting["place"], waiting["chat"]) == ("Ann is vegan.", 0, key.id)
    body = {name: waiting[name] for name in ("chat", "keyboard", "place")}
    for _ in range(2):  # a repeated click changes nothing
        await view.take_offer(console.services, console.request(body=body))
    (vegan,) = await kept(console, ANNS)
    assert (vegan.text, vegan.source.person, vegan.source.place) == ("Ann is vegan.", OTHER, f"lull.{OTHER}")
    assert (await shown(console, ANNS))["offers"] == []
    console.wait(days=2)
    with pytest.raises(BadRequest):
        await view.take_offer(console.services, console.request(body=body))


async def test_nothing_of_other_agents_is_read_or_changed(console: ConsoleHarness) -> None:
    other = evolve_agent(ANNS)
    await remember(console, other, TEA)
    with pytest.raises(NotFound):
        await shown(console, other)
    with pytest.raises(NotFound):
        await change(console, view.delete, other, "mtea")
    with pytest.raises(NotFound):
        await change(console, view.move, ANNS, "mtea", to=name_of_owner(other))
    for name in ("person:x:lull", "person:7", "chat:1:lull", "nobody:lull", "person:07:lull"):
        with pytest.raises(NotFound):
            await view.read_memories(console.services, console.request(path={"owner": name}))
    assert await kept(console, other) == [TEA]


async def test_only_what_the_console_signed_is_put_back(console: ConsoleHarness) -> None:
    await remember(console, ANNS, TEA)
    undo = (await change(console, view.delete, ANNS, "mtea"))["undo"]
    invented = {"owner": name_of_owner(ANNS), "moved_to": "", "memory": TEA.model_dump(mode="json")}
    with pytest.raises(BadRequest):
        await view.undo(console.services, console.request(body=invented))
    sealed_elsewhere = seal_undo("another secret", invented)
    for body in ({"sealed": f"{undo['sealed']}x"}, {"sealed": ""}, {"sealed": 7}, {}, sealed_elsewhere):
        with pytest.raises(BadRequest):
            await view.undo(console.services, console.request(body=body))
    assert await kept(console, ANNS) == []
    await view.undo(console.services, console.request(body=undo))
    assert await kept(console, ANNS) == [TEA]


async def test_changes_are_recorded_without_words(console: ConsoleHarness) -> None:
    await remember(console, ANNS, TEA)
    await change(console, view.delete, ANNS, "mtea")
    records = [one.to_dict() or {} async for one in console.client.collection("console_records").stream()]
    assert [(one["action"], one["about"], one["person"]) for one in records] == [("memory.delete", "mtea", OWNER)]
