"""Lists: the entries, numbers and buttons of pages. Buttons of earlier lists still work."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from shared.access.commands import invite, people, requests
from shared.base.wording.words import plain_phrase
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.commands import conversations
from shared.commands.command import CommandResponse
from shared.commands.pager import (
    PAGE,
    Listing,
    ListPage,
    ListRow,
    ListView,
    Pager,
    SelectedEntry,
    page_of,
    selected_entry,
    short_day,
)
from shared.commands.parse import command_pressed
from shared.memory.commands import memories
from shared.memory.store import FirestoreMemories
from shared.memory.visible import MemoryAudience
from shared.reminders.commands import reminders
from shared.values.chat import ConversationInfo
from shared.values.chat_key import ChatKey
from shared.values.invitation import Invitation
from shared.values.memory import MemoryChange, VisibleMemories
from shared.values.message import Author, ButtonPress
from shared.values.trust import AccessList, AdmittedGroup, AdmittedPerson, BlockedPerson
from tests.shared.commands.requests import CONVERSATION, asked
from tests.shared.examples import ANN, KEY, NOW
from tests.shared.kept_reminders import kept_now, promised
from tests.shared.letting_in import access_list, own
from tests.shared.memory.facts import fact, source
from tests.shared.own_words import NEWER, OLDER
from tests.shared.reminding import reminder
from tests.shared.turn.harness import ChatHarness
from tests.shared.values.test_access_request import request as access_request

PAGER = Pager(command="model", request=asked(), back=NEWER, onward=OLDER)


@pytest.mark.parametrize(
    ("total", "wanted", "number", "last", "shown"),
    [
        (0, 0, 0, 0, []),
        (0, 7, 0, 0, []),
        (1, 0, 0, 0, [1]),
        (PAGE, 0, 0, 0, list(range(1, PAGE + 1))),
        (PAGE, 1, 0, 0, list(range(1, PAGE + 1))),
        (PAGE + 1, 1, 1, 1, [PAGE + 1]),
        (3 * PAGE, 1, 1, 2, list(range(PAGE + 1, 2 * PAGE + 1))),
        (3 * PAGE, 99, 2, 2, list(range(2 * PAGE + 1, 3 * PAGE + 1))),
        (3 * PAGE, -1, 0, 2, list(range(1, PAGE + 1))),
    ],
)
def test_a_page_is_some_of_the_list(total: int, wanted: int, number: int, last: int, shown: list[int]) -> None:
    page = page_of(list(range(1, total + 1)), wanted)
    assert (page.number, page.last, page.total, list(page.shown)) == (number, last, total, shown)


def view(page: ListPage[int], **fields: Any) -> CommandResponse:
    """Make a page of numbered lines."""
    rows = [ListRow(line=plain_phrase(f"no {one}"), data=PAGER.data(f"o{one}")) for one in page.shown]
    return PAGER.response(page, ListView(**{"title": plain_phrase("All"), "rows": rows} | fields))


def test_lines_and_buttons_have_the_numbers_of_the_whole_list() -> None:
    found = view(page_of(range(1, 2 * PAGE + 1), 1))
    assert found.text.startswith("All\n\n7. no 7\n8. no 8\n")
    assert [button.text for button in found.buttons[:PAGE]] == ["7", "8", "9", "10", "11", "12"]


def test_where_there_are_several_pages_it_is_told_which_and_how_many() -> None:
    assert "Page" not in view(page_of(range(PAGE), 0)).text
    assert view(page_of(range(24), 1)).text.endswith("\n\nPage 2 of 4, 24 in total")


def test_a_page_is_turned_where_there_is_another() -> None:
    turned = [
        [
            (one.text, one.data.rpartition(":")[2])
            for one in view(page_of(range(3 * PAGE), n), letter="q").buttons[PAGE:]
        ]
        for n in range(3)
    ]
    assert turned == [[(OLDER, "q1")], [(NEWER, "q0"), (OLDER, "q2")], [(NEWER, "q1")]]


def test_rows_without_buttons_come_first_without_numbers() -> None:
    rows = [ListRow(line=plain_phrase("always")), ListRow(line=plain_phrase("once"), data="x", is_outside=True)]
    found = view(page_of(range(2), 0), rows=rows, unnumbered=1)
    assert found.text == "All\n\n- always\n\n1. once"
    assert [button.text for button in found.buttons] == ["1"]
    assert found.holds_outside


def test_a_list_whose_buttons_have_labels_has_no_numbers() -> None:
    page = page_of(range(2 * PAGE), 0)
    found = view(
        page, rows=[ListRow(line=plain_phrase("Ann asks"), data="x", label="Ann")], below=[plain_phrase("That is all.")]
    )
    assert (found.text, found.buttons[0].text) == ("All\n\n- Ann asks\n\nThat is all\\.", "Ann")


def test_a_button_of_what_is_gone_or_others_says_so_for_a_moment() -> None:
    gone, others = plain_phrase("gone"), plain_phrase("others")
    assert selected_entry(None, gone, others) == CommandResponse(notice=gone)
    assert selected_entry(SelectedEntry(5), gone, others) == CommandResponse(notice=others)
    assert selected_entry(SelectedEntry(5, may_change=True), gone, others) == SelectedEntry(5, may_change=True)


def test_a_day_is_told_by_the_clock_of_who_asks() -> None:
    assert short_day(NOW, asked()) == f"{NOW.day} {NOW:%B}"


def data_of(response: CommandResponse) -> list[str]:
    """List the data of all buttons."""
    return [button.data for button in response.buttons]


def carried(command: str, *choices: str) -> list[str]:
    """List the data of a command's buttons in existing chats."""
    return [f"{command}:{CONVERSATION}:{choice}" for choice in choices]


INVITATION = Invitation(id="i" * 16, by=1, made_at=NOW, until=NOW + timedelta(days=1), most=2)
REMINDERS = [reminder(id=f"{number:x<12}", next_at=NOW + timedelta(days=1 + number)) for number in range(PAGE + 1)]
ACCESS_LIST = AccessList(
    agent="lull",
    owner=1,
    people={number: AdmittedPerson(id=number, name="Ann", since=NOW, by=1) for number in (5, *range(20, 26))},
    groups={-1001: AdmittedGroup(chat_id=-1001, title="Trip", since=NOW, by=1)},
    blocked={-55: BlockedPerson(id=-55, since=NOW)},
)
WAITING = [access_request(ChatKey(agent="lull", chat_id=5 + n), id=f"{n:a<16}") for n in range(PAGE + 1)]


def test_buttons_carry_what_they_carried_in_chats_of_before() -> None:
    """Messages in chats are never rewritten: any change of this data would break their buttons."""
    known = VisibleMemories(
        personal=tuple(fact(f"fact {n}", id=f"m{n}") for n in range(7)), quoted=(fact(id="mq", outside="x"),)
    )
    paged = [f"o{one.id}0" for one in REMINDERS[:PAGE]]
    assert data_of(reminders.respond(asked(result=Listing(reminders.ReminderList(REMINDERS))))) == carried(
        "reminders", *paged, "p1"
    )
    assert data_of(memories.respond(asked(result=Listing(known)))) == carried(
        "memories", *(f"om{n}" for n in range(6)), "p1", "q0"
    )
    assert data_of(memories.respond(asked(result=Listing(known, 0, "q")))) == carried("memories", "omq", "p0")
    one = SelectedEntry(known.personal[6], may_change=True, listing=Listing(known, 1))
    assert data_of(memories.press(asked("om6", result=one))) == carried("memories", "dm6", "gm6", "p1")
    assert data_of(requests.respond(asked(result=Listing(WAITING)))) == carried(
        "requests", *(f"s{one.id}" for one in WAITING[:PAGE]), "p1"
    )
    assert data_of(requests.press(asked("sx", result=requests.RequestDetails(WAITING[0])))) == carried(
        "requests", f"l{WAITING[0].id}", f"o{WAITING[0].id}", f"n{WAITING[0].person}", "p0"
    )
    people_found = people.AccessListView(ACCESS_LIST)
    assert data_of(people.respond(asked(result=people_found)))[PAGE:] == [
        *carried("people", "p1", "g0", "x0"),
        *carried("invite", "l"),
    ]
    assert (
        data_of(people.respond(asked(result=people.AccessListView(ACCESS_LIST, "g"))))[0]
        == carried("people", "qn1001")[0]
    )
    assert (
        data_of(people.respond(asked(result=people.AccessListView(ACCESS_LIST, "x"))))[0]
        == carried("people", "on55")[0]
    )
    assert data_of(people.respond(asked(result=people.AccessListView(ACCESS_LIST, "o", 5)))) == carried(
        "people", "s5", "b5", "p0"
    )
    assert data_of(people.respond(asked(result=people.AccessListView(ACCESS_LIST, "q", -9)))) == carried(
        "people", "jn9", "g0"
    )
    assert data_of(invite.press(asked(result=invite.OpenInvitations((INVITATION,))))) == carried(
        "invite", f"r{INVITATION.id}"
    )
    kept = ConversationInfo(id="conv-01HQXK5J7G8M3N4P5R6S7T8V9X", chat=KEY.id, title="Tea")
    assert data_of(conversations.respond(asked(result=ListPage(1, [kept], 13)))) == [
        f"resume:{kept.id}:go",
        *carried("conversations", "0", "2"),
    ]


async def pressed(harness: ChatHarness, choice: str, command: str) -> CommandResponse:
    """Press an earlier button as the person of a room, and return the response."""
    (data,) = carried(command, choice)
    press = ButtonPress(at=NOW, message_id=5, author=ANN, query_id="q", data=data)
    person, now = Author(id=harness.person, name="Olga"), harness.clock.now
    request = asked(key=harness.key, person=person, now=now, remembers=True)
    dispatcher, invocation = harness.tick_services.agents["lull"].dispatcher, command_pressed(press)
    result = await dispatcher.effect_of(invocation, request)
    return dispatcher.response_to(invocation, replace(request, result=result))


async def test_buttons_of_reminders_of_before_still_work(harness: ChatHarness) -> None:
    one = await promised(harness, is_armed=False, next_at=harness.clock.now + timedelta(days=2))
    for page in ("p0", "p9"):
        assert "Time for tea" in (await pressed(harness, page, "reminders")).text
    for choice in (f"o{one.id}0", f"o{one.id}"):
        assert len((await pressed(harness, choice, "reminders")).buttons) == 5
    cancelled = [(await pressed(harness, f"c{one.id}{page}", "reminders")) for page in ("0", "")]
    assert [response.reminders[0].next_at for response in cancelled] == [None, None]
    assert [response.text.count("\n\n") for response in cancelled] == [1, 0], "where it stood in a list, that follows"
    assert (await kept_now(harness, one)).next_at is not None, "the response is not carried out here"
    assert (await pressed(harness, "ounknown0000", "reminders")).notice == "This reminder is already over."


async def test_buttons_of_memories_of_before_still_work(harness: ChatHarness) -> None:
    port = harness.tick_services.agents["lull"].runner.ports[FirestoreMemories]
    memory, quoted = (
        fact(text, id=name, source=source(harness.key, harness.person), outside=outside)
        for text, name, outside in (("Ann likes tea.", "mtea", ""), ("Bob owes Ann.", "mbob", "a forwarded message"))
    )
    owner = MemoryAudience(key=harness.key, people=()).person(harness.person)
    await port.change([MemoryChange(owner=owner, kept=(memory, quoted))])
    assert "Ann likes tea" in (await pressed(harness, "p0", "memories")).text
    assert "Bob owes Ann" in (await pressed(harness, "q0", "memories")).text
    assert data_of(await pressed(harness, "omtea", "memories")) == carried("memories", "dmtea", "gmtea", "p0")
    assert data_of(await pressed(harness, "gmtea", "memories")) == carried("memories", "dmtea", "kmtea", "p0")
    assert data_of(await pressed(harness, "kmtea", "memories")) == carried("memories", "dmtea", "gmtea", "p0")
    assert (await pressed(harness, "dmtea", "memories")).text.startswith("Forgotten: Ann likes tea")
    assert (await pressed(harness, "dmtea", "memories")).notice == "I don't remember that anymore."


async def test_the_owner_s_buttons_of_before_still_work(harness: ChatHarness) -> None:
    await own(harness)
    access_lists = harness.tick_services.agents["lull"].dispatcher.ports[FirestoreAccessLists]
    await access_lists.let_in("lull", AdmittedPerson(id=5, name="Ann", since=harness.clock.now, by=harness.person))
    assert "Ann" in (await pressed(harness, "p0", "people")).text
    for choice in ("s5", "i5", "b5", "jn1005", "g0", "x0"):
        assert (await pressed(harness, choice, "people")).is_apart
    after = await access_list(harness)
    assert (set(after.people), set(after.blocked), set(after.groups)) == ({5}, {5}, {-1005})
    for choice in ("u5", "tn1005", "qn1005", "o5"):
        assert (await pressed(harness, choice, "people")).text
    after = await access_list(harness)
    assert (after.blocked, after.groups) == ({}, {})
    assert (await pressed(harness, "p0", "requests")).text.startswith("No requests")
    for choice in (f"s{'a' * 16}", f"l{'a' * 16}", "n0"):
        assert (await pressed(harness, choice, "requests")).notice == "This button no longer works."
    assert (await pressed(harness, "n77", "requests")).text == "77 is blocked. I won't answer them anywhere."
    assert (await pressed(harness, "l", "invite")).text.startswith("There are no open invitations")
    assert (await pressed(harness, f"r{'a' * 16}", "invite")).text.startswith("That link no longer lets anyone in.")
