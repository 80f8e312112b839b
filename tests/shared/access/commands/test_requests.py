"""/requests: pages, messages, and decisions. Whole stories: tests/stories/test_access.py."""

from typing import Any

import pytest

from shared.access.commands.requests import COMMAND, RequestDecision, RequestDetails, act, press, read_page, respond
from shared.chat.store import paths
from shared.commands.command import Audience, CommandResponse
from shared.commands.pager import PAGE, Listing
from shared.llm.ports.world import PortRegistry
from shared.values.access_request import AccessRequest, RequestState
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.message import Author
from tests.shared.commands.requests import asked
from tests.shared.examples import GROUP_KEY
from tests.shared.fixtures import OpenHarness
from tests.shared.letting_in import access_list, close, own
from tests.shared.turn.harness import ChatHarness
from tests.shared.values.test_access_request import request


def waiting(count: int) -> list[AccessRequest]:
    keys = [ChatKey(agent="lull", chat_id=5 + n) for n in range(count)]
    return [request(key, name=f"Eve {n}", words=f"words {n}") for n, key in enumerate(keys)]


def of(result: Any, argument: str = "") -> CommandResponse:
    given = asked(result=result, argument=argument)
    return press(given) if argument else respond(given)


def test_it_is_the_owner_s_alone_and_apart_from_the_conversation() -> None:
    assert COMMAND.audience is Audience.OWNER
    for people in ([], waiting(1)):
        assert of(Listing(people)).is_apart


async def test_in_a_group_nothing_of_it_is_shown_or_decided() -> None:
    for argument in ("", f"i{'a' * 16}"):
        assert await read_page(asked(argument, kind=ChatKind.SUPERGROUP), PortRegistry({})) is None
        assert await act(asked(argument, kind=ChatKind.SUPERGROUP), PortRegistry({})) is None
    assert of(None).text == "Only my owner can use /requests, and only in our private chat."
    assert of(None).buttons == ()


def test_all_who_wait_are_listed_in_pages() -> None:
    everyone = waiting(PAGE + 2)
    first, second, beyond = (of(Listing(everyone, page)) for page in (0, 1, 99))
    assert [b.text for b in first.buttons] == [*(f"Eve {n}" for n in range(PAGE)), "Older ›"]
    assert [b.text for b in second.buttons] == ["Eve 6", "Eve 7", "‹ Newer"]
    assert second == beyond
    assert "`words 7`" in second.text
    assert "No requests" in of(Listing([])).text
    group = of(Listing([request(GROUP_KEY, title="Trip")]))
    assert [b.text for b in group.buttons] == ["Trip"]


def test_one_is_shown_with_all_that_they_wrote() -> None:
    (one,) = waiting(1)
    shown = of(RequestDetails(one, ["and **more**", " "]), "s1")
    assert shown.text.endswith("`words 0`\n\n`and **more**`")
    assert shown.text.count("words 0") == 1
    assert [b.text for b in shown.buttons] == ["Approve", "Answer once", "Block", "All requests"]


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (request(state=RequestState.LET_IN), "`Ann` is approved."),
        (request(state=RequestState.ONCE), "I'll answer `Ann` this once."),
        (request(state=RequestState.BLOCKED), "`Ann` is blocked. I won't answer them anywhere."),
        (request(GROUP_KEY, title="Trip", state=RequestState.LET_IN), "The group `Trip` is approved."),
        (request(GROUP_KEY, title="Trip", state=RequestState.LEFT), "I've left the group `Trip`."),
    ],
)
def test_reports_the_decision(one: AccessRequest, said: str) -> None:
    told = of(RequestDecision(one), "l1")
    ways = ["All requests"] if one.is_group or one.state is RequestState.ONCE else ["Show", "All requests"]
    assert (told.text, [b.text for b in told.buttons], told.is_apart) == (said, ways, True)


def test_shows_a_notice_for_lost_requests_and_full_lists() -> None:
    assert (
        of(RequestDetails(None), "s1").notice
        == of(RequestDecision(None), "l1").notice
        == "This button no longer works."
    )
    assert "That list is full" in of(RequestDecision(request(), has_room=False), "l1").notice


async def test_the_owner_decides_about_a_group_where_they_wrote_first_but_not_about_themselves(
    harness: ChatHarness, group: ChatHarness
) -> None:
    """An agent may be in a group before the agent has an owner, and its new owner may be the first to write there."""
    await own(harness)
    ports, client = harness.tick_services.agents["lull"].dispatcher.ports, harness.backend.chats.client
    owner = Author(id=harness.person, name="Olga")
    for key, is_decided in ((group.key, True), (harness.key, False)):
        one = request(key, person=harness.person, title="Trip" if is_decided else "")
        await client.document(paths.request_path(one.id)).set(one.model_dump())
        found = await act(asked(f"l{one.id}", key=harness.key, person=owner), ports)
        assert isinstance(found, RequestDecision)
        assert (found.request is not None) is is_decided
    assert list((await access_list(harness)).groups) == [group.key.chat_id]


async def test_blocks_deleted_people_by_the_same_button(harness: ChatHarness) -> None:
    await own(harness)
    owner, ports = Author(id=harness.person, name="Olga"), harness.tick_services.agents["lull"].dispatcher.ports
    for forged in (f"n{harness.person}", "n", "nx", "n0", "b77"):
        gone = await act(asked(forged, person=owner), ports)
        assert of(gone, forged).notice == "This button no longer works."
    assert (await access_list(harness)).blocked == {}
    told = of(await act(asked("n77", person=owner), ports), "n77")
    assert told.text == "77 is blocked. I won't answer them anywhere."
    assert (await access_list(harness)).blocked.keys() == {77}


async def test_answering_once_unblocks(harness: ChatHarness) -> None:
    await own(harness)
    ports, client = harness.tick_services.agents["lull"].dispatcher.ports, harness.backend.chats.client
    one = request(ChatKey(agent="lull", chat_id=harness.person + 1), person=harness.person + 1)
    await client.document(paths.request_path(one.id)).set(one.model_dump())
    for action, blocked in (("b", {one.person}), ("o", set[int]())):
        await act(asked(f"{action}{one.id}", key=harness.key, person=Author(id=harness.person, name="Olga")), ports)
        assert set((await access_list(harness)).blocked) == blocked


async def test_of_a_group_that_waits_nothing_that_is_said_there_is_shown(
    harness: ChatHarness, open_harness: OpenHarness
) -> None:
    await own(harness)
    group = await open_harness(people=2)
    close(group)
    await group.writes("The code is 4711.")
    await group.rests()
    ports, client = harness.tick_services.agents["lull"].dispatcher.ports, harness.backend.chats.client
    one = request(group.key, title="Trip")
    await client.document(paths.request_path(one.id)).set(one.model_dump())
    found = await act(asked(f"s{one.id}", key=harness.key, person=Author(id=harness.person, name="Olga")), ports)
    assert found == RequestDetails(one)
