"""Claims of the agent: who owns it afterwards, and what is asked for."""

import logging

import pytest

from shared.chat.store.bots import FirestoreOwners
from shared.values.registration import claim_code
from shared.values.update import Json
from tests.shared.fixtures import OpenRoom
from tests.shared.own_words import HAS_ANOTHER, IS_OWNER, NOT_HERE, NOT_TOLD, WRONG_CODE
from tests.shared.turn.room import SECRET, Room
from tests.shared.turn.scenes import assert_at_rest
from tests.shared.turn.watched import Killed


def code(here: Room) -> str:
    return claim_code(SECRET, "lull", here.house.bot_id)


async def owner(here: Room) -> int | None:
    return await here.tick_services.agents["lull"].dispatcher.ports[FirestoreOwners].owner("lull")


async def identities(here: Room) -> int:
    found: list[Json] = (await here.house.telegram.get("/world/calls", params={"after": 0})).json()["calls"]
    return sum(call["method"] == "getMe" and call["bot_id"] == here.house.bot_id for call in found)


async def dies() -> None:
    raise Killed


@pytest.mark.parametrize("way", ["/start claim_{}", "/claim {}"])
async def test_with_the_code_somebody_becomes_the_owner(here: Room, way: str) -> None:
    update_ids = await here.writes(way.format(code(here)))
    await here.rests()
    (said,) = await here.said()
    assert said.startswith(IS_OWNER)
    assert "Privacy mode is off: " in said
    assert await owner(here) == here.person
    assert await here.asked() == []
    await assert_at_rest(here, update_ids)


@pytest.mark.parametrize("at", range(8))
async def test_a_tick_that_dies_changes_neither_the_owner_nor_the_answer(here: Room, at: int) -> None:
    here.steps.at, here.steps.happens = at, dies
    update_ids = await here.writes(f"/claim {code(here)}")
    await here.rests()
    assert here.steps.happens is None
    assert await owner(here) == here.person
    assert "after owning" in here.steps.taken
    said = await here.said()
    assert len(said) <= 1, "never twice"
    assert all(text.startswith(IS_OWNER) for text in said)
    assert said or here.steps.taken[at] in {"before send", "after commit"}
    await assert_at_rest(here, update_ids)


async def test_only_the_first_is_the_owner(rooms: OpenRoom) -> None:
    one, other = await rooms(bot="wanted"), await rooms(bot="wanted")
    for there, said in ((one, IS_OWNER), (other, HAS_ANOTHER), (one, IS_OWNER)):
        await there.writes(f"/claim {code(there)}")
        await there.rests()
        assert (await there.said())[-1].startswith(said)
    assert await owner(other) == one.person
    for there, trust in ((one, "you're my owner"), (other, "nothing set for you")):
        await there.writes("/whoami")
        await there.rests()
        assert f"Access: {trust}" in (await there.said())[-1]


async def test_a_wrong_code_is_no_code(here: Room, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "lull"):
        await here.writes("/claim nearly")
        await here.writes(f"/claim {code(here)}")
        await here.rests()
    first, second = await here.said()
    assert (first, second.startswith(IS_OWNER)) == (WRONG_CODE, True)
    logged = "\n".join(str(vars(record)) for record in caplog.records)
    assert "a claim of the agent has a wrong code" in logged
    assert "nearly" not in logged
    assert code(here) not in logged
    assert code(here) not in repr(here.tick_services.agents["lull"])


async def test_in_a_group_nobody_becomes_the_owner(group: Room) -> None:
    for way in ("/start@{} claim_{}", "/claim@{} {}"):
        await group.writes(way.format(group.house.username, code(group)))
    await group.rests()
    assert await group.said() == [NOT_HERE, NOT_HERE]
    assert await owner(group) is None


async def test_a_telegram_that_does_not_say_who_the_bot_is_does_not_matter(here: Room) -> None:
    fault = {"method": "getMe", "bot_id": here.house.bot_id, "kind": "502", "times": 1}
    (await here.house.telegram.post("/world/faults", json=fault)).raise_for_status()
    await here.writes(f"/claim {code(here)}")
    await here.rests()
    assert await here.said() == [f"{IS_OWNER} {NOT_TOLD}"]


async def test_other_commands_ask_nobody_anything(here: Room) -> None:
    before = await identities(here)
    for text in ("/help", "/title", "/claim", "/start", "/start from_a_friend"):
        await here.writes(text)
        await here.rests()
    assert len(await here.said()) == 5
    assert "before owning" not in here.steps.taken
    assert await identities(here) == before
