"""Waiting messages are answered after a person is let in by a link or /people. (By a request:
tests/stories/test_access.py.)
"""

import pytest

from shared.access.commands.waiting import answer_waiting_chat
from shared.access.store.requests import FirestoreAccessRequests
from shared.chat.store import paths
from shared.values.access_request import ADMITTED, RequestState, request_id
from tests.shared.fixtures import OpenHarness
from tests.shared.letting_in import access_list, answer, close, own, press
from tests.shared.turn.harness import ChatHarness
from tests.shared.values.test_access_request import request


@pytest.mark.parametrize("is_by_link", [True, False])
async def test_answers_what_waits_whichever_way_somebody_comes_in(
    open_harness: OpenHarness, *, is_by_link: bool
) -> None:
    owner, guest = [await open_harness(bot=f"waited for {is_by_link}") for _ in range(2)]
    await own(owner)
    close(guest)
    assert (await answer(guest, "What is the capital of Peru?"))["text"].startswith("I only answer people")
    await guest.will_plan({"kind": "send", "text": "Lima."})
    if is_by_link:
        link = (await answer(owner, "/invite"))["text"].rsplit("=", 1)[1]
        await guest.writes(f"/start {link}")
        await guest.rests()
    else:
        await press(owner, await answer(owner, f"/people {guest.person}"), "Approve")
    assert set((await access_list(owner)).people) == {guest.person}
    assert (await guest.said())[-1] == "Lima."
    assert (await guest.document()).access.asked_access_at is None
    found = (
        await owner.tick_services.agents["lull"].dispatcher.ports[FirestoreAccessRequests].find(request_id(guest.key))
    )
    assert found is not None
    assert found.state is RequestState.LET_IN


async def test_sends_nothing_more_to_a_greeted_person_without_messages(harness: ChatHarness) -> None:
    ports, now = harness.tick_services.agents["lull"].dispatcher.ports, harness.clock.now

    async def told(state: RequestState, words: str, *, is_greeted: bool) -> list[str]:
        one = request(harness.key, state=state, words=words)
        await harness.backend.chats.client.document(paths.request_path(one.id)).set(one.model_dump())
        await answer_waiting_chat(harness.key, ports, now, is_greeted=is_greeted)
        return [one.envelope.kind for one in await harness.backend.chats.unread(harness.key, 9)]

    await answer_waiting_chat(harness.key, ports, now)
    assert await told(RequestState.BLOCKED, "Hello?", is_greeted=False) == []
    assert await told(RequestState.WAITING, "", is_greeted=True) == []
    assert await told(RequestState.WAITING, "", is_greeted=False) == [ADMITTED]


async def test_the_owner_is_asked_again_about_who_is_blocked_no_more(open_harness: OpenHarness) -> None:
    owner, guest = [await open_harness(bot="unblocked") for _ in range(2)]
    await own(owner)
    close(guest)

    async def asks(text: str) -> bool:
        """Return whether the owner is asked."""
        before = len(await owner.messages())
        await guest.writes(text)
        await guest.rests()
        return len(await owner.messages()) > before

    assert await asks("Hello?")
    await press(owner, (await owner.messages())[-1], "Block")
    assert not await asks("Hello again?")
    await press(owner, await answer(owner, f"/people {guest.person}"), "Unblock")
    assert await asks("And now?")
    assert not await asks("Well?")
