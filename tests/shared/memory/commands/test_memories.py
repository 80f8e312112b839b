"""Tests of /memories: it lists the memories that a prompt shows, and its buttons delete and share them."""

import re
from collections.abc import Sequence
from datetime import timedelta

import pytest

from shared.commands.pager import PAGES, Listing, SelectedEntry
from shared.memory.by_owner import MemoriesByOwner
from shared.memory.commands.memories import QUOTED, link_to, press, respond
from shared.memory.store import FirestoreMemories
from shared.memory.visible import MemoryAudience
from shared.telegram.markdown.render import render
from shared.values.agent import CuratedMemory
from shared.values.chat_key import ChatKey
from shared.values.memory import Memory, MemoryChange, MemoryScope, VisibleMemories
from shared.values.update import Json
from tests.shared.buttons import labels_of, place_of
from tests.shared.commands.requests import asked
from tests.shared.examples import GROUP_KEY
from tests.shared.kept_reminders import due_in
from tests.shared.memory.facts import fact, source
from tests.shared.turn.harness import ChatHarness

FORWARD = "a forwarded message"


async def keep(harness: ChatHarness, *memories: Memory, person: int = 0) -> None:
    """Store memories of the person, of the chat or for everyone, as their scopes say."""
    port = harness.tick_services.agents["lull"].runner.ports[FirestoreMemories]
    place = MemoryAudience(key=harness.key, people=(person or harness.person,))
    for one in memories:
        owners = {MemoryScope.CHAT: place.chats, MemoryScope.AGENT: (place.agents,)}
        owner = next(iter(owners.get(one.scope, (place.person(person or harness.person),))))
        await port.change([MemoryChange(owner=owner, kept=(one,))])


async def known(harness: ChatHarness) -> Sequence[str]:
    """Return the ids of the person's memories."""
    port = harness.tick_services.agents["lull"].runner.ports[FirestoreMemories]
    owner = MemoryAudience(key=harness.key, people=()).person(harness.person)
    return [one.id for one in MemoriesByOwner(await port.of([owner])).of(owner)]


async def shown(harness: ChatHarness, **more: object) -> Json:
    await harness.writes("/memories" if harness.key.is_private else f"/memories@{harness.backend.username}", **more)
    await due_in(harness, timedelta(minutes=1))
    return (await harness.messages())[-1]


async def presses(harness: ChatHarness, message: Json, label: str, **more: object) -> Json:
    await harness.presses(message, place_of(message, label), **more)
    await due_in(harness, timedelta(minutes=1))
    return next(m for m in await harness.messages() if m["message_id"] == message["message_id"])


async def test_shows_shares_and_deletes_a_memory(harness: ChatHarness) -> None:
    assert (await shown(harness))["text"] == "I don't remember anything here yet."
    await keep(harness, fact("Ann likes tea.", id="mtea", source=source(harness.key, harness.person)))
    listed = await shown(harness)
    assert "1. Ann likes tea. (1 March, a private chat)" in listed["text"]
    opened = await presses(harness, listed, "Ann likes tea.")
    assert labels_of(opened) == ["Forget it", "Use in groups", "‹ All memories"]
    assert "In groups, I use this only where it was said." in opened["text"]
    shared = await presses(harness, opened, "Use in groups")
    assert "I may use this in groups we're both in." in shared["text"]
    kept_back = await presses(harness, shared, "Don't use in groups")
    await harness.will_plan({"kind": "send", "text": "Yes."})
    await harness.writes("what do you know?")
    await due_in(harness, timedelta(minutes=1))
    assert "mtea" in (await harness.asked())[-1]
    forgotten = await presses(harness, kept_back, "Forget it")
    assert forgotten["text"] == "Forgotten: Ann likes tea.\n\nI don't remember anything here yet."
    await harness.will_plan({"kind": "send", "text": "No."})
    await harness.writes("and now?")
    await due_in(harness, timedelta(minutes=1))
    assert "mtea" not in (await harness.asked())[-1]
    assert await known(harness) == []


async def test_in_a_group_lists_what_the_prompt_shows(group: ChatHarness) -> None:
    me, other = group.person, group.others[0]
    harness, there = group.key, ChatKey(agent="lull", chat_id=-4_000)
    mine = [
        fact("said here", id="mhere", source=source(harness, me, title="A room")),
        fact("said there", id="mthere", source=source(there, me, title="Another")),
        fact("for all groups", id="mall", source=source(there, me), is_for_groups=True),
        fact("asked for here", id="mquoted", source=source(harness, me), outside=FORWARD),
    ]
    of_chat = fact("tea at five", id="mchat", scope=MemoryScope.CHAT, source=source(harness, other, title="A room"))
    await keep(group, *mine, of_chat)
    await keep(group, fact("of another", id="mother", source=source(harness, other)), person=other)
    text = (await shown(group))["text"]
    await group.will_plan({"kind": "send", "text": "Yes."})
    await group.writes(f"@{group.backend.username} what do you know?")
    await due_in(group, timedelta(minutes=1))
    prompt = (await group.asked())[-1]
    said = {one.text: one.id for one in (*mine, of_chat)} | {"of another": "mother"}
    listed = {name for words, name in said.items() if words in text}
    assert listed == {name for name in said.values() if f"- {name} (" in prompt} == {"mhere", "mall", "mchat"}
    assert "Memories from text by others (I use them only when you ask): 1." in text
    assert "(1 more is kept of what others' words asked to remember)" in prompt


async def test_other_peoples_buttons_change_nothing(group: ChatHarness) -> None:
    await keep(group, fact("said here", id="mhere", source=source(group.key, group.person, title="A room")))
    listed = await shown(group)
    await presses(group, listed, "said here", **{"from": group.others[0]})
    assert (await group.notices())[-1] == "I don't remember that anymore."
    assert await known(group) == ["mhere"]


def answer(
    known: VisibleMemories, argument: str = "", page: int = 0, *, is_quoted: bool = False
) -> tuple[str, list[str]]:
    """Return the text of the answer, and the actions of its buttons."""
    found = respond(asked(argument, result=Listing(known, page, QUOTED if is_quoted else PAGES)))
    return found.text, [button.data.rpartition(":")[2] for button in found.buttons]


def test_pages_hold_six_memories() -> None:
    known = VisibleMemories(personal=tuple(fact(f"fact {n}", id=f"m{n}") for n in range(8)))
    assert answer(known)[1] == [*(f"om{n}" for n in range(6)), "p1"]
    assert answer(known, page=9)[1] == ["om6", "om7", "p0"]


async def test_stays_on_the_page_after_a_deletion(harness: ChatHarness) -> None:
    facts = [fact(f"Ann likes tea {n}.", id=f"mtea{n}", source=source(harness.key, harness.person)) for n in range(9)]
    await keep(harness, *facts)
    older = await shown(harness)
    second = await presses(harness, older, "Later ›")
    assert "Page 2 of 2, 9 in total" in second["text"]
    back = await presses(harness, await presses(harness, second, "tea 7"), "‹ All memories")
    assert labels_of(back) == ["7", "8", "9", "‹ Earlier"]
    left = await presses(harness, await presses(harness, back, "tea 7"), "Forget it")
    assert left["text"].startswith("Forgotten: Ann likes tea 7.\n\n")
    assert labels_of(left) == ["7", "8", "‹ Earlier"]
    assert await known(harness) == [f"mtea{n}" for n in range(9) if n != 7]


def test_numbers_continue_over_pages_and_skip_entries_without_buttons() -> None:
    curated = (CuratedMemory(text="The cat is Mau."), CuratedMemory(text="The dog is Rex."))
    known = VisibleMemories(curated=curated, personal=tuple(fact(f"fact {n}", id=f"m{n}") for n in range(8)))
    pages = [respond(asked(result=Listing(known, page))) for page in (0, 1)]
    numbers = [[one.text for one in page.buttons if one.text.isdecimal()] for page in pages]
    assert numbers == [["1", "2", "3", "4"], ["5", "6", "7", "8"]]
    assert "5. fact 4" in pages[1].text


def test_shows_long_memories_in_full_on_one_message() -> None:
    known = VisibleMemories(personal=tuple(fact(f"{n} " + "word " * 55, id=f"m{n}") for n in range(6)))
    (part,) = render(respond(asked(result=Listing(known))).text)
    assert part.text.count("word") == 6 * 55
    assert len(part.text) < 4_096


@pytest.mark.parametrize("letter", ["x", "茶", "Ш"])
def test_cuts_very_long_memories_in_the_list_only(letter: str) -> None:
    known = VisibleMemories(personal=(fact(letter * 400, id="m1"),))
    listed = respond(asked(result=Listing(known))).text
    assert f"{letter * 299}… " in listed
    one = press(asked("om1", result=SelectedEntry(known.personal[0], may_change=True, listing=Listing(known)))).text
    assert f"{letter * 400} " in one


def test_lists_curated_memories_without_buttons() -> None:
    text, buttons = answer(VisibleMemories(curated=(CuratedMemory(text="The cat is Mau."),)))
    assert "📌 The cat is Mau\\. (I always know this)" in text
    assert buttons == []


def test_lists_quoted_memories_separately_as_outside_text() -> None:
    known = VisibleMemories(quoted=(fact("Bob owes Ann.", id="mq", outside=FORWARD),))
    text, buttons = answer(known)
    assert ("Bob" in text, "only when you ask): 1." in text, buttons) == (False, True, ["q0"])
    found = respond(asked(result=Listing(known, letter=QUOTED)))
    assert ("Bob owes Ann" in found.text, found.holds_outside) == (True, True)
    one = press(
        asked("omq", result=SelectedEntry(known.quoted[0], may_change=True, listing=Listing(known, letter=QUOTED)))
    )
    assert [button.data.rpartition(":")[2] for button in one.buttons] == ["dmq", "q0"]
    assert one.holds_outside


def test_answers_with_a_notice_for_missing_and_others_memories() -> None:
    assert press(asked("omx", result=None)).notice == "I don't remember that anymore."
    assert "or my owner" in press(asked("dm1", result=SelectedEntry(fact(id="m1")))).notice
    assert respond(asked()).text == "I don't remember anything here yet."


@pytest.mark.parametrize(
    ("key", "more", "link"),
    [
        (GROUP_KEY, {"message_id": 7}, "https://t.me/c/2000000001/7"),
        (GROUP_KEY, {"message_id": 7, "topic_id": 3}, "https://t.me/c/2000000001/3/7"),
        (GROUP_KEY, {"message_id": 0}, ""),
        (ChatKey(agent="lull", chat_id=-55), {}, ""),
        (ChatKey(agent="lull", chat_id=55), {}, ""),
    ],
)
def test_links_messages_of_supergroups(key: ChatKey, more: dict[str, int], link: str) -> None:
    memory = fact(id="m1", source=source(key, title="Garden [1]" if key.chat_id < 0 else "", **more))
    assert link_to(memory) == link
    text = respond(asked(result=Listing(VisibleMemories(personal=(memory,))))).text
    assert (f"]({link})" in text) is bool(link)
    assert re.search(r"Garden|a private chat", text)
