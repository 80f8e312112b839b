"""Messages to people and to the agent's owner when the model gives no plan."""

from typing import Any

import pytest

from shared.base.errors import ModelTrouble
from shared.turn.trouble import FOR_OWNER
from tests.shared.own_words import ENGLISH, NO_PLAN
from tests.shared.turn.room import Room

ANSWERS: list[tuple[dict[str, Any], ModelTrouble]] = [
    ({"text": "x", "finish_reason": "SAFETY"}, ModelTrouble.BLOCKED),
    ({"status": 429, "error": "You exceeded your current quota."}, ModelTrouble.QUOTA),
    ({"status": 429, "error": "Your prepayment credits are depleted."}, ModelTrouble.MONEY),
    ({"status": 503}, ModelTrouble.CAPACITY),
    ({"status": 404}, ModelTrouble.MISCONFIGURED),
]


async def fails(here: Room, answer: dict[str, Any]) -> None:
    await here.model.will({**answer, "times": None, "match": f"chat_id={here.key.chat_id} "})


@pytest.mark.parametrize(("answer", "trouble"), ANSWERS)
async def test_each_has_a_sentence_of_its_own(here: Room, answer: dict[str, Any], trouble: ModelTrouble) -> None:
    await fails(here, answer)
    await here.writes("hi")
    await here.rests()
    assert await here.said() == [ENGLISH.say(f"trouble.{trouble.value}")]


@pytest.mark.parametrize(("answer", "trouble"), ANSWERS[1:])
async def test_the_owner_is_told_what_to_do(here: Room, answer: dict[str, Any], trouble: ModelTrouble) -> None:
    owners = here.tick_services.agents["lull"].owners
    assert owners is not None
    await owners.claim("lull", here.person, here.clock())
    await fails(here, answer)
    await here.writes("hi")
    await here.rests()
    (said,) = await here.said()
    assert trouble in FOR_OWNER
    assert said.startswith(ENGLISH.say(f"trouble.{trouble.value}"))
    assert said.endswith(ENGLISH.say(f"owner.{trouble.value}"))


async def test_in_a_group_nobody_reads_what_is_for_the_owner(group: Room) -> None:
    owners = group.tick_services.agents["lull"].owners
    assert owners is not None
    await owners.claim("lull", group.person, group.clock())
    await fails(group, {"status": 404})
    await group.writes(f"@{group.house.username} hi")
    await group.rests()
    assert await group.said() == [ENGLISH.say("trouble.misconfigured")]


async def test_what_is_no_matter_of_safety_is_not_told_as_one(here: Room) -> None:
    await fails(here, {"text": "x", "finish_reason": "RECITATION"})
    await here.writes("hi")
    await here.rests()
    assert await here.said() == [NO_PLAN]
