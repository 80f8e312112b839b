"""/people: pages of the access list, single entries, and the actions of buttons."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.access.commands.people import AccessListView, act, press, respond
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.commands.pager import PAGE
from shared.spending.statement import statement_of
from shared.values.message import Author
from shared.values.money import AgentLimits, SpendingLimits
from shared.values.trust import AccessList, AdmittedGroup, AdmittedPerson, AgentSilence, BlockedPerson
from tests.shared.commands.requests import asked
from tests.shared.examples import NOW
from tests.shared.fixtures import OpenHarness
from tests.shared.letting_in import access_list, answer, own
from tests.shared.letting_in import press as pressed
from tests.shared.turn.harness import ChatHarness

OWNER = 1


def person(number: int, name: str = "") -> AdmittedPerson:
    return AdmittedPerson(id=number, name=name or f"Guest {number}", since=NOW - timedelta(days=number), by=OWNER)


def known(people: int | dict[int, AdmittedPerson] = 0, **fields: object) -> AccessList:
    some = {number: person(number) for number in range(2, 2 + people)} if isinstance(people, int) else people
    return AccessList.model_validate({"agent": "lull", "owner": OWNER, "people": some} | fields)


def test_people_are_paged_the_newest_first() -> None:
    first = respond(asked(result=AccessListView(known(PAGE + 1))))
    assert first.text.startswith("Approved people: 7")
    texts = [button.text for button in first.buttons]
    assert texts[:PAGE] == [str(number) for number in range(1, PAGE + 1)]
    assert "1. Guest 2: Approved on 27 February.\n2. Guest 3: " in first.text
    assert "Page 1 of 2, 7 in total" in first.text
    assert texts[PAGE:] == ["Older ›", "Approved groups: 0", "Blocked: 0", "Invitations"]
    second = press(asked(result=AccessListView(known(PAGE + 1), "p", 1)))
    assert [button.text for button in second.buttons][:2] == ["7", "‹ Newer"]
    assert "7. Guest 8: " in second.text
    assert first.is_apart
    assert second.is_apart


@pytest.mark.parametrize("what", ["p", "g", "x"])
def test_every_one_is_reached_page_by_page_and_back(what: str) -> None:
    numbers = range(100, 100 + 3 * PAGE)
    full = known(
        people={number: person(number) for number in numbers},
        groups={-n: AdmittedGroup(chat_id=-n, title=f"Guest {n}", since=NOW, by=OWNER) for n in numbers},
        blocked={number: BlockedPerson(id=number, name=f"Guest {number}", since=NOW) for number in numbers},
    )
    pages = [press(asked(result=AccessListView(full, what, page))) for page in range(3)]
    text = "\n".join(page.text for page in pages)
    assert all(f". Guest {number}: " in text for number in numbers)
    seen = [button.text for page in pages for button in page.buttons if button.text.isdecimal()]
    assert seen == [str(number) for number in range(1, 3 * PAGE + 1)]
    steps = [{b.text: b.data[-2:] for b in page.buttons if b.text in {"Older ›", "‹ Newer"}} for page in pages]
    older, newer = (f"{what}{page}" for page in (1, 0))
    assert steps[0] == {"Older ›": older}
    assert steps[1] == {"Older ›": f"{what}2", "‹ Newer": newer}
    assert steps[2] == {"‹ Newer": older}


def test_a_page_that_there_is_not_any_more_is_the_last_one() -> None:
    assert "1. Guest 2: " in respond(asked(result=AccessListView(known(1), "p", 9))).text


def test_groups_and_the_blocked_have_pages_too_and_silence_is_told() -> None:
    group = AdmittedGroup(chat_id=-1001, title="Trip", since=NOW, by=OWNER)
    blocked = BlockedPerson(id=-55, name="A channel", since=NOW)
    full = known(0, groups={-1001: group}, blocked={-55: blocked}, silenced=AgentSilence(since=NOW))
    groups = respond(asked(result=AccessListView(full, "g")))
    assert groups.text.startswith("Approved groups: 1\n\n1. Trip: Approved on 1 March.\n\nI'm not answering anyone")
    assert groups.buttons[0].data.endswith(":qn1001")
    assert respond(asked(result=AccessListView(full, "x"))).buttons[0].data.endswith(":on55")


@pytest.mark.parametrize(
    ("found", "standing", "acts"),
    [
        (AccessListView(known(1), "o", OWNER), "This is you", []),
        (AccessListView(known(1), "o", 2), "Approved on 27 February.", ["Remove access", "Block"]),
        (AccessListView(known(), "o", 9), "Not approved.", ["Approve", "Block"]),
        (
            AccessListView(known(1, blocked={2: BlockedPerson(id=2, since=NOW)}), "o", 2),
            "Blocked on 1 March",
            ["Remove access", "Unblock"],
        ),
        (AccessListView(known(), "o", -9), "Not approved.", ["Block"]),
        (AccessListView(known(), "q", -9), "Not approved.", ["Approve"]),
    ],
)
def test_one_is_shown_with_what_can_be_done(found: AccessListView, standing: str, acts: list[str]) -> None:
    response = respond(asked(result=found))
    assert standing in response.text
    assert [button.text for button in response.buttons] == [*acts, "‹ Back"]
    assert all(len(button.data.encode()) <= 64 for button in response.buttons)


def test_beside_somebody_stands_what_they_may_use_and_used() -> None:
    limits = AgentLimits(
        known=SpendingLimits(day_usd=0.5, day_messages=300),
        stranger=SpendingLimits(day_usd=0.1),
        chat=SpendingLimits(day_messages=9),
    )
    used = statement_of([], NOW.date())
    shown = respond(asked(result=AccessListView(known(1), "o", 2, used=used), limits=limits)).text
    assert "- Daily limit: $0.50 · answers: 300\n- Today: $0.00 · calls: 0\n" in shown
    assert "Daily limit: $0.10" in respond(asked(result=AccessListView(known(), "o", 9), limits=limits)).text
    for nothing in (
        AccessListView(known(), "o", OWNER),
        AccessListView(known(1, blocked={2: BlockedPerson(id=2, since=NOW)}), "o", 2),
    ):
        assert "limit" not in respond(asked(result=nothing, limits=limits)).text
    group = AdmittedGroup(chat_id=-1001, title="Trip", since=NOW, by=OWNER)
    assert (
        "Daily limit: answers: 9"
        in respond(asked(result=AccessListView(known(groups={-1001: group}), "q", -1001), limits=limits)).text
    )


def test_somebody_else_sees_nothing() -> None:
    assert respond(asked()).text == "Only my owner can use /people, and only in our private chat."
    assert press(asked()).text == ""


async def test_the_owner_blocks_and_unblocks_lets_in_and_shuts_out(harness: ChatHarness) -> None:
    await own(harness)
    access_lists = harness.tick_services.agents["lull"].dispatcher.ports[FirestoreAccessLists]
    await access_lists.let_in("lull", AdmittedPerson(id=5, name="*Ann*", since=harness.clock.now, by=harness.person))
    await access_lists.let_group_in(
        "lull", AdmittedGroup(chat_id=-1005, title="Trip", since=harness.clock.now, by=harness.person)
    )
    listed = await answer(harness, "/people")
    shown = await pressed(harness, listed, "*Ann*")
    assert shown["text"].startswith("*Ann* (5)")
    blocked = await pressed(harness, shown, "Block")
    assert "Blocked on" in blocked["text"]
    assert (await access_list(harness)).blocked[5].name == "*Ann*"
    assert "Approved on" in (await pressed(harness, blocked, "Unblock"))["text"]
    groups = await pressed(harness, await answer(harness, "/people"), "Approved groups: 1")
    group = await pressed(harness, await pressed(harness, groups, "Trip"), "Remove access")
    assert (await access_list(harness)).groups == {}
    await pressed(harness, group, "Approve")
    assert set((await access_list(harness)).groups) == {-1005}
    assert (await answer(harness, "/people -1005"))["text"].startswith("-1005 (-1005)"), "nobody was there"
    channel = await pressed(harness, await answer(harness, "/people -1009"), "Block")
    assert (await access_list(harness)).blocked.keys() == {-1009}
    assert (await pressed(harness, channel, "Unblock"))["text"].startswith("-1009 (-1009)\n\nNot approved.")
    await access_lists.let_group_in(
        "lull", AdmittedGroup(chat_id=-1005, title="Trip", since=harness.clock.now, by=harness.person)
    )
    assert (await answer(harness, "/people -1005"))["text"].startswith("Trip (-1005)")
    by_number = await answer(harness, "/people 77")
    await pressed(harness, by_number, "Approve")
    assert set((await access_list(harness)).people) == {5, 77}
    assert (await answer(harness, "/people ann"))["text"].startswith("*Ann*")
    assert (await answer(harness, "/people nobody"))["text"].startswith("I don't know anyone called")
    assert "Ann" not in str([e for e in await harness.transcript() if e["author"]["is_agent"]])


async def test_names_unlisted_people_from_their_own_chat(open_harness: OpenHarness) -> None:
    harness, eve = await open_harness(), await open_harness()
    await own(harness)
    await eve.writes("/start")
    await eve.rests()
    ports = harness.tick_services.agents["lull"].dispatcher.ports
    asks = asked(f"o{eve.person}", person=Author(id=harness.person, name="Olga"), now=harness.clock.now)
    found = await act(asks, ports)
    assert isinstance(found, AccessListView)
    assert found.name.startswith("Guest ")
    await act(replace(asks, argument=f"b{eve.person}"), ports)
    assert (await access_list(harness)).blocked[eve.person].name == found.name


async def test_of_the_owner_nothing_can_be_taken(harness: ChatHarness) -> None:
    await own(harness)
    me = Author(id=harness.person, name="Guest 0")
    ports = harness.tick_services.agents["lull"].dispatcher.ports
    for forged in (f"b{harness.person}", f"s{harness.person}", "b", "bx", "i0", "z9"):
        found = await act(asked(forged, person=me), ports)
        assert isinstance(found, AccessListView)
        assert (found.access_list.blocked, found.access_list.people) == ({}, {})
    assert await act(asked("b5", person=Author(id=9, name="Eve")), ports) is None, "who is not the owner does nothing"
    assert (await access_list(harness)).blocked == {}
