"""A greeting that waits or is under way greets whoever starts the agent again; a later start has one of its own."""

import pytest

from shared.values.update import Json
from tests.shared.fixtures import OpenRoom
from tests.shared.turn.room import Room
from tests.shared.turn.scenes import assert_at_rest
from tests.shared.turn.watched import Killed


def start(here: Room) -> str:
    return "/start" if here.key.is_private else f"/start@{here.house.username}"


async def is_held_back(here: Room, kind: str = "429") -> list[int]:
    """Somebody starts the agent, and Telegram does not take the greeting yet."""
    await here.fault(kind=kind, method="sendMessage", times=1, retry_after=30)
    update_ids = await here.writes(start(here))
    await here.next_tick()
    assert await here.said() == []
    assert (await here.document()).due_at is not None
    return update_ids


async def greets_once(here: Room, update_ids: list[int]) -> None:
    await here.rests()
    (said,) = await here.said()
    assert "I am lull" in said
    await assert_at_rest(here, update_ids)


async def changes(here: Room, *, is_there: bool) -> list[int]:
    """The agent is blocked or removed, or let in again."""
    telegram, place = here.house.telegram, f"/world/chats/{here.chat}"
    if here.key.is_private:
        answer = await telegram.post(f"{place}/block", json={"blocked": not is_there})
    elif is_there:
        answer = await telegram.post(f"{place}/members", json={"bot_id": here.house.bot_id, "by": here.person})
    else:
        answer = await telegram.request("DELETE", f"{place}/members/{here.house.bot_id}", params={"by": here.person})
    answer.raise_for_status()
    return await here.arrive()


@pytest.mark.parametrize("kind", ["429", "500"])
@pytest.mark.parametrize("times", [1, 3])
async def test_who_starts_again_while_the_greeting_has_to_wait_is_greeted_once(
    here: Room, kind: str, times: int
) -> None:
    update_ids = await is_held_back(here, kind)
    for _ in range(times):
        update_ids += await here.writes("/start again")
        await here.next_tick()
    await greets_once(here, update_ids)


async def test_each_in_a_group_is_greeted_once(group: Room) -> None:
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
    rooms: OpenRoom, people: int, ticks_between: bool
) -> None:
    here = await rooms(people=people)
    await is_held_back(here)
    for is_there in (False, True):
        await changes(here, is_there=is_there)
        if ticks_between:
            await here.next_tick()
    await here.writes(start(here))
    await here.rests()
    assert len(await here.said()) == 1
    assert (await here.document()).due_at is None
    assert await here.house.chats.unread_count(here.key) == 0


async def test_another_conversation_between_the_two_has_no_greeting_of_its_own(here: Room) -> None:
    await is_held_back(here)
    await here.writes("/new")
    await here.next_tick()
    await here.writes("/start")
    await here.rests()
    assert sum("I am lull" in text for text in await here.said()) == 1


async def way(rooms: OpenRoom) -> list[str]:
    """The steps of a greeting."""
    here = await rooms()
    await here.writes("/start")
    await here.rests()
    return here.steps.taken


async def test_who_starts_again_before_the_greeting_has_come_is_greeted_once(rooms: OpenRoom) -> None:
    steps = await way(rooms)
    for at in range(steps.index("before send") + 1):
        here, again = await rooms(), list[int]()

        async def starts_again(here: Room = here, again: list[int] = again) -> None:
            again += await here.writes("/start")

        here.steps.at, here.steps.happens = at, starts_again
        update_ids = await here.writes("/start")
        await here.rests()
        assert len(again) == 1
        await greets_once(here, update_ids + again)


async def test_the_same_greeting_answers_each_start_that_was_written_before_it(here: Room, rooms: OpenRoom) -> None:
    late: list[Json] = []

    async def starts_twice() -> None:
        for _ in range(2):
            body = {"from": here.person, "text": "/start"}
            (await here.house.telegram.post(f"/world/chats/{here.chat}/messages", json=body)).raise_for_status()
        asked = {"offset": here.house.offset}
        found = await here.house.telegram.post(f"/bot{here.house.token}/getUpdates", json=asked)
        late.extend(found.raise_for_status().json()["result"])

    here.steps.at, here.steps.happens = (await way(rooms)).index("before send"), starts_twice
    update_ids = await here.writes("/start")
    await here.rests()
    for update in late:
        await here.take(update)
        update_ids.append(update["update_id"])
        await greets_once(here, update_ids)
    assert len(update_ids) == 3
    await here.house.forget_updates()


async def test_who_starts_again_after_a_tick_died_is_greeted_once_from_then_on(rooms: OpenRoom) -> None:
    async def dies() -> None:
        raise Killed

    steps = await way(rooms)
    for at in range(len(steps)):
        here = await rooms()
        here.steps.at, here.steps.happens = at, dies
        update_ids = await here.writes("/start")
        await here.next_tick()
        had_come = bool(await here.said())
        update_ids += await here.writes("/start")
        await here.rests()
        # nobody knows of a lost one whether it came, so who asks again is answered
        assert len(await here.said()) == 1 + had_come, steps[at]
        await assert_at_rest(here, update_ids)


@pytest.mark.parametrize("at", range(12))
async def test_a_tick_that_dies_over_the_second_start_greets_nobody_twice(here: Room, at: int) -> None:
    async def dies() -> None:
        raise Killed

    update_ids = await is_held_back(here)
    here.steps.at, here.steps.happens = len(here.steps.taken) + at, dies
    update_ids += await here.writes("/start")
    await here.rests()
    said = len(await here.said())
    assert said == 1 or (said == 0 and len(await here.incidents()) == 1)
    await assert_at_rest(here, update_ids)


async def test_who_starts_again_after_the_greeting_is_greeted_again(here: Room) -> None:
    update_ids = await here.writes("/start")
    await here.rests()
    update_ids += await here.writes("/help") + await here.writes("/start")
    await here.rests()
    assert sum("I am lull" in text for text in await here.said()) == 2
    await assert_at_rest(here, update_ids)


@pytest.mark.parametrize("command", ["/usage", "/privacy"])
async def test_what_anybody_may_ask_is_answered_once_to_who_asks_it_many_times_at_once(
    group: Room, command: str
) -> None:
    """The blocked and strangers have these, too: whoever repeats one fills no chat with answers."""
    asking = f"{command}@{group.house.username}"
    for _ in range(5):
        await group.writes(asking)
    await group.writes(asking, **{"from": group.others[0]})
    await group.rests()
    assert len(await group.said()) == 2
