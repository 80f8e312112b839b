"""A second start during a pending greeting gets no other; a later start gets its own."""

import pytest

from shared.values.update import Json
from tests.shared.fixtures import OpenHarness
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.scenes import assert_at_rest
from tests.shared.turn.watched import Killed


def start(harness: ChatHarness) -> str:
    return "/start" if harness.key.is_private else f"/start@{harness.backend.username}"


async def is_held_back(harness: ChatHarness, kind: str = "429") -> list[int]:
    """Start the agent while Telegram refuses the greeting."""
    await harness.fault(kind=kind, method="sendMessage", times=1, retry_after=30)
    update_ids = await harness.writes(start(harness))
    await harness.next_tick()
    assert await harness.said() == []
    assert (await harness.document()).due_at is not None
    return update_ids


async def greets_once(harness: ChatHarness, update_ids: list[int]) -> None:
    await harness.rests()
    (said,) = await harness.said()
    assert "I'm lull" in said
    await assert_at_rest(harness, update_ids)


async def changes(harness: ChatHarness, *, is_there: bool) -> list[int]:
    """Block or remove the agent, or let it in again."""
    telegram, place = harness.backend.telegram, f"/world/chats/{harness.chat}"
    if harness.key.is_private:
        answer = await telegram.post(f"{place}/block", json={"blocked": not is_there})
    elif is_there:
        answer = await telegram.post(f"{place}/members", json={"bot_id": harness.backend.bot_id, "by": harness.person})
    else:
        answer = await telegram.request(
            "DELETE", f"{place}/members/{harness.backend.bot_id}", params={"by": harness.person}
        )
    answer.raise_for_status()
    return await harness.arrive()


@pytest.mark.parametrize("kind", ["429", "500"])
@pytest.mark.parametrize("times", [1, 3])
async def test_who_starts_again_while_the_greeting_has_to_wait_is_greeted_once(
    harness: ChatHarness, kind: str, times: int
) -> None:
    update_ids = await is_held_back(harness, kind)
    for _ in range(times):
        update_ids += await harness.writes("/start again")
        await harness.next_tick()
    await greets_once(harness, update_ids)


async def test_each_in_a_group_is_greeted_once(group: ChatHarness) -> None:
    first = await is_held_back(group)
    update_ids = (
        first + await group.writes(start(group)) + await group.writes(start(group), **{"from": group.others[0]})
    )
    await group.next_tick()
    update_ids += await group.writes(start(group), **{"from": group.others[0]})
    await group.rests()
    said = await group.said()
    assert len(said) == 2
    assert [("Guest 0" in text, "Guest 1" in text) for text in said] == [(True, False), (False, True)]
    await assert_at_rest(group, update_ids)


@pytest.mark.parametrize("people", [0, 2])
@pytest.mark.parametrize("ticks_between", [True, False])
async def test_who_sends_the_agent_away_and_has_it_back_is_greeted_once(
    open_harness: OpenHarness, people: int, ticks_between: bool
) -> None:
    harness = await open_harness(people=people)
    await is_held_back(harness)
    for is_there in (False, True):
        await changes(harness, is_there=is_there)
        if ticks_between:
            await harness.next_tick()
    await harness.writes(start(harness))
    await harness.rests()
    assert len(await harness.said()) == 1
    assert (await harness.document()).due_at is None
    assert await harness.backend.chats.unread_count(harness.key) == 0


async def test_another_conversation_between_the_two_has_no_greeting_of_its_own(harness: ChatHarness) -> None:
    await is_held_back(harness)
    await harness.writes("/new")
    await harness.next_tick()
    await harness.writes("/start")
    await harness.rests()
    assert sum("I'm lull" in text for text in await harness.said()) == 1


async def way(open_harness: OpenHarness) -> list[str]:
    """List the steps of a greeting."""
    harness = await open_harness()
    await harness.writes("/start")
    await harness.rests()
    return harness.steps.taken


async def test_who_starts_again_before_the_greeting_has_come_is_greeted_once(open_harness: OpenHarness) -> None:
    steps = await way(open_harness)
    for at in range(steps.index("before send") + 1):
        harness, again = await open_harness(), list[int]()

        async def starts_again(harness: ChatHarness = harness, again: list[int] = again) -> None:
            again += await harness.writes("/start")

        harness.steps.at, harness.steps.happens = at, starts_again
        update_ids = await harness.writes("/start")
        await harness.rests()
        assert len(again) == 1
        await greets_once(harness, update_ids + again)


async def test_the_same_greeting_answers_each_start_that_was_written_before_it(
    harness: ChatHarness, open_harness: OpenHarness
) -> None:
    late: list[Json] = []

    async def starts_twice() -> None:
        for _ in range(2):
            body = {"from": harness.person, "text": "/start"}
            (await harness.backend.telegram.post(f"/world/chats/{harness.chat}/messages", json=body)).raise_for_status()
        asked = {"offset": harness.backend.offset}
        found = await harness.backend.telegram.post(f"/bot{harness.backend.token}/getUpdates", json=asked)
        late.extend(found.raise_for_status().json()["result"])

    harness.steps.at, harness.steps.happens = (await way(open_harness)).index("before send"), starts_twice
    update_ids = await harness.writes("/start")
    await harness.rests()
    for update in late:
        await harness.take(update)
        update_ids.append(update["update_id"])
        await greets_once(harness, update_ids)
    assert len(update_ids) == 3
    await harness.backend.forget_updates()


async def test_who_starts_again_after_a_tick_died_is_greeted_once_from_then_on(open_harness: OpenHarness) -> None:
    async def dies() -> None:
        raise Killed

    steps = await way(open_harness)
    for at in range(len(steps)):
        harness = await open_harness()
        harness.steps.at, harness.steps.happens = at, dies
        update_ids = await harness.writes("/start")
        await harness.next_tick()
        had_come = bool(await harness.said())
        update_ids += await harness.writes("/start")
        await harness.rests()
        # a lost greeting may not have arrived, so a new request is answered
        assert len(await harness.said()) == 1 + had_come, steps[at]
        await assert_at_rest(harness, update_ids)


@pytest.mark.parametrize("at", range(12))
async def test_a_tick_that_dies_over_the_second_start_greets_nobody_twice(harness: ChatHarness, at: int) -> None:
    async def dies() -> None:
        raise Killed

    update_ids = await is_held_back(harness)
    harness.steps.at, harness.steps.happens = len(harness.steps.taken) + at, dies
    update_ids += await harness.writes("/start")
    await harness.rests()
    said = len(await harness.said())
    assert said == 1 or (said == 0 and len(await harness.incidents()) == 1)
    await assert_at_rest(harness, update_ids)


async def test_who_starts_again_after_the_greeting_is_greeted_again(harness: ChatHarness) -> None:
    update_ids = await harness.writes("/start")
    await harness.rests()
    update_ids += await harness.writes("/help") + await harness.writes("/start")
    await harness.rests()
    assert sum("I'm lull" in text for text in await harness.said()) == 2
    await assert_at_rest(harness, update_ids)


@pytest.mark.parametrize("command", ["/usage", "/privacy"])
async def test_what_anybody_may_ask_is_answered_once_to_who_asks_it_many_times_at_once(
    group: ChatHarness, command: str
) -> None:
    """Blocked people and strangers have these commands too, and must not fill a chat with answers."""
    asking = f"{command}@{group.backend.username}"
    for _ in range(5):
        await group.writes(asking)
    await group.writes(asking, **{"from": group.others[0]})
    await group.rests()
    assert len(await group.said()) == 2
