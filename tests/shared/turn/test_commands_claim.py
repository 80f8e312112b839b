"""Claims of the agent: the owner afterwards, and the required code."""

import logging

import pytest

from shared.chat.store.bots import FirestoreOwners
from shared.values.registration import claim_code
from shared.values.update import Json
from tests.shared.fixtures import OpenHarness
from tests.shared.own_words import HAS_ANOTHER, IS_OWNER, NOT_HERE, NOT_TOLD, WRONG_CODE
from tests.shared.turn.harness import SECRET, ChatHarness
from tests.shared.turn.scenes import assert_at_rest
from tests.shared.turn.watched import Killed


def code(harness: ChatHarness) -> str:
    return claim_code(SECRET, "lull", harness.backend.bot_id)


async def owner(harness: ChatHarness) -> int | None:
    return await harness.tick_services.agents["lull"].dispatcher.ports[FirestoreOwners].owner("lull")


async def identities(harness: ChatHarness) -> int:
    found: list[Json] = (await harness.backend.telegram.get("/world/calls", params={"after": 0})).json()["calls"]
    return sum(call["method"] == "getMe" and call["bot_id"] == harness.backend.bot_id for call in found)


async def dies() -> None:
    raise Killed


@pytest.mark.parametrize("way", ["/start claim_{}", "/claim {}"])
async def test_with_the_code_somebody_becomes_the_owner(harness: ChatHarness, way: str) -> None:
    update_ids = await harness.writes(way.format(code(harness)))
    await harness.rests()
    (said,) = await harness.said()
    assert said.startswith(IS_OWNER)
    assert "Privacy mode is off: " in said
    assert await owner(harness) == harness.person
    assert await harness.asked() == []
    await assert_at_rest(harness, update_ids)


@pytest.mark.parametrize("at", range(8))
async def test_a_tick_that_dies_changes_neither_the_owner_nor_the_answer(harness: ChatHarness, at: int) -> None:
    harness.steps.at, harness.steps.happens = at, dies
    update_ids = await harness.writes(f"/claim {code(harness)}")
    await harness.rests()
    assert harness.steps.happens is None
    assert await owner(harness) == harness.person
    assert "after owning" in harness.steps.taken
    said = await harness.said()
    assert len(said) <= 1, "never twice"
    assert all(text.startswith(IS_OWNER) for text in said)
    assert said or harness.steps.taken[at] in {"before send", "after commit"}
    await assert_at_rest(harness, update_ids)


async def test_only_the_first_is_the_owner(open_harness: OpenHarness) -> None:
    one, other = await open_harness(bot="wanted"), await open_harness(bot="wanted")
    for there, said in ((one, IS_OWNER), (other, HAS_ANOTHER), (one, IS_OWNER)):
        await there.writes(f"/claim {code(there)}")
        await there.rests()
        assert (await there.said())[-1].startswith(said)
    assert await owner(other) == one.person
    for there, trust in ((one, "you're my owner"), (other, "not approved by my owner")):
        await there.writes("/whoami")
        await there.rests()
        assert f"Access: {trust}" in (await there.said())[-1]


async def test_a_wrong_code_is_no_code(harness: ChatHarness, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "lull"):
        await harness.writes("/claim nearly")
        await harness.writes(f"/claim {code(harness)}")
        await harness.rests()
    first, second = await harness.said()
    assert (first, second.startswith(IS_OWNER)) == (WRONG_CODE, True)
    logged = "\n".join(str(vars(record)) for record in caplog.records)
    assert "somebody tried to claim the agent with a wrong code" in logged
    assert "nearly" not in logged
    assert code(harness) not in logged
    assert code(harness) not in repr(harness.tick_services.agents["lull"])


async def test_in_a_group_nobody_becomes_the_owner(group: ChatHarness) -> None:
    for way in ("/start@{} claim_{}", "/claim@{} {}"):
        await group.writes(way.format(group.backend.username, code(group)))
    await group.rests()
    assert await group.said() == [NOT_HERE, NOT_HERE]
    assert await owner(group) is None


async def test_a_telegram_that_does_not_say_who_the_bot_is_does_not_matter(harness: ChatHarness) -> None:
    fault = {"method": "getMe", "bot_id": harness.backend.bot_id, "kind": "502", "times": 1}
    (await harness.backend.telegram.post("/world/faults", json=fault)).raise_for_status()
    await harness.writes(f"/claim {code(harness)}")
    await harness.rests()
    assert await harness.said() == [f"{IS_OWNER} {NOT_TOLD}"]


async def test_other_commands_ask_nobody_anything(harness: ChatHarness) -> None:
    before = await identities(harness)
    for text in ("/help", "/title", "/claim", "/start", "/start from_a_friend"):
        await harness.writes(text)
        await harness.rests()
    assert len(await harness.said()) == 5
    assert "before owning" not in harness.steps.taken
    assert await identities(harness) == before
