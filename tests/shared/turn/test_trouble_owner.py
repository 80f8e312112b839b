"""Messages to an agent's owner when others meet a trouble of the model."""

import itertools
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest

from shared.base.errors import ModelTrouble
from shared.base.wording.words import words_in
from shared.values.access_action import FOREVER
from tests.shared.fixtures import OpenHarness
from tests.shared.own_words import ENGLISH
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.scenes import assert_at_rest
from tests.shared.turn.watched import Killed

OUT_OF_MONEY = {"status": 429, "error": "Your prepayment credits are depleted."}
OVERLOADED = {"status": 503}
WORDS = "a quince question of Ann's"

#: the agent's owner in a private chat, and another person in one
Two = tuple[ChatHarness, ChatHarness]
OpenTwo = Callable[..., Awaitable[Two]]
_numbers = itertools.count(1)


@pytest.fixture
def two(open_harness: OpenHarness) -> OpenTwo:
    async def make(language: str = "en", **others: Any) -> Two:
        bot = f"owned{next(_numbers)}"
        owner, other = await open_harness(bot=bot, language=language), await open_harness(bot=bot, **others)
        owners = owner.tick_services.agents["lull"].owners
        assert owners is not None
        await owners.claim("lull", owner.person, owner.clock())
        assert owner.key.chat_id == owner.person, "a private chat has the person's id"
        await owner.writes("/help")
        await owner.rests()
        return owner, other

    return make


async def meets(harness: ChatHarness, answer: dict[str, Any], text: str = WORDS) -> list[int]:
    """Let a person write while the model fails."""
    await harness.model.clear()
    await harness.model.will({**answer, "times": None, "match": f"chat_id={harness.key.chat_id} "})
    update_ids = await harness.writes(text)
    await harness.rests()
    return update_ids


async def told(owner: ChatHarness) -> list[str]:
    """Return the messages to the owner since they asked for help."""
    return (await owner.said())[1:]


def notice(trouble: ModelTrouble, language: str = "en") -> str:
    words = words_in(language)
    return f"{words.say('owner.notice')}\n\n{words.say(f'owner.{trouble.value}')}"


async def test_each_kind_of_trouble_is_told_once_a_day(two: OpenTwo) -> None:
    owner, other = await two()
    update_ids = await meets(other, OUT_OF_MONEY)
    assert await told(owner) == [notice(ModelTrouble.MONEY)]
    update_ids += await meets(other, OUT_OF_MONEY)
    assert await told(owner) == [notice(ModelTrouble.MONEY)], "once a day"
    update_ids += await meets(other, OVERLOADED)
    assert await told(owner) == [notice(ModelTrouble.MONEY), notice(ModelTrouble.CAPACITY)]
    other.clock.now += timedelta(days=1)
    update_ids += await meets(other, OUT_OF_MONEY)
    assert (await told(owner))[2:] == [notice(ModelTrouble.MONEY)]
    money, capacity = (ENGLISH.say(f"trouble.{kind}") for kind in ("money", "capacity"))
    assert await other.said() == [money, money, capacity, money], "whoever asks is told the same as ever"
    await assert_at_rest(other, update_ids)


async def test_the_owner_is_told_in_their_language(two: OpenTwo) -> None:
    owner, other = await two(language="uk")
    await meets(other, OUT_OF_MONEY)
    assert await told(owner) == [notice(ModelTrouble.MONEY, "uk")]
    assert await other.said() == [ENGLISH.say("trouble.money")]


async def test_what_the_owner_meets_in_a_group_is_told_in_private(two: OpenTwo) -> None:
    owner, group = await two(people=2)
    await meets(group, OUT_OF_MONEY, f"@{group.backend.username} {WORDS}")
    assert await group.said() == [ENGLISH.say("trouble.money")]
    (said,) = await told(owner)
    assert said == notice(ModelTrouble.MONEY)
    assert not any(word in said for word in ("A room", "Guest", "quince"))


async def test_an_owner_who_was_told_with_an_answer_hears_it_no_more_that_day(two: OpenTwo) -> None:
    owner, other = await two()
    await meets(owner, OUT_OF_MONEY)
    await meets(other, OUT_OF_MONEY)
    (said,) = await told(owner)
    assert said.endswith(ENGLISH.say("owner.money"))
    assert not said.startswith(ENGLISH.say("owner.notice"))


@pytest.mark.parametrize("answer", [{"text": "x", "finish_reason": "SAFETY"}, {"status": 500}])
async def test_what_the_owner_cannot_mend_is_not_told(two: OpenTwo, answer: dict[str, Any]) -> None:
    owner, other = await two()
    await meets(other, answer)
    assert len(await other.said()) == 1
    assert await told(owner) == []


@pytest.mark.parametrize("kind", ["500", "cut_before", "cut_after", "blocked"])
async def test_that_the_owner_cannot_be_told_changes_nothing(
    two: OpenTwo, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "lull")
    owner, other = await two()
    if kind == "blocked":
        block = f"/world/chats/{owner.chat}/block"
        (await owner.backend.telegram.post(block, json={"blocked": True})).raise_for_status()
        await owner.backend.forget_updates()
    else:
        await owner.fault(kind=kind, method="sendMessage", times=1)
    update_ids = await meets(other, OUT_OF_MONEY)
    assert await other.said() == [ENGLISH.say("trouble.money")]
    assert await other.incidents() == []
    logged = [str((line.getMessage(), vars(line).get("fields", {}))) for line in caplog.records]
    (line,) = [one for one in logged if "the notice to the agent's owner was not sent: " in one]
    assert not any(word in line for word in ("quince", owner.backend.token, str(owner.person), str(other.person)))
    before = await told(owner)
    update_ids += await meets(other, OUT_OF_MONEY)
    assert await told(owner) == before, "it may have arrived, so it is not sent again"
    await assert_at_rest(other, update_ids)


async def test_an_owner_who_wants_silence_or_has_to_wait_is_told_later(two: OpenTwo) -> None:
    owner, other = await two()
    await owner.writes("/mute")
    await owner.rests()
    assert (await owner.document()).access.muted_until == FOREVER
    await meets(other, OUT_OF_MONEY)
    await owner.writes("/unmute")
    await owner.rests()
    before = len(await told(owner))
    gate = other.tick_services.agents["lull"].runner.gate
    await gate.note_wait(owner.key.chat_id, other.clock() + timedelta(hours=1))
    await meets(other, OUT_OF_MONEY)
    assert len(await told(owner)) == before
    other.clock.now += timedelta(hours=1)
    await meets(other, OUT_OF_MONEY)
    assert (await told(owner))[before:] == [notice(ModelTrouble.MONEY)]


async def test_a_flood_wait_that_a_notice_meets_is_honoured(two: OpenTwo) -> None:
    owner, other = await two()
    await owner.fault(kind="429", method="sendMessage", times=1, retry_after=30)
    await meets(other, OUT_OF_MONEY)
    assert other.tick_services.agents["lull"].runner.gate.known_until(owner.key.chat_id) is not None


async def test_a_flood_wait_that_a_notice_meets_counts_from_when_it_is_told(two: OpenTwo) -> None:
    _, rehearsing = await two()
    await meets(rehearsing, OUT_OF_MONEY)
    way = rehearsing.steps.taken
    owner, other = await two()

    async def time_passes() -> None:
        other.clock.now += timedelta(seconds=20)

    other.steps.at, other.steps.happens = way.index("before send", way.index("before noticing")), time_passes
    await owner.fault(kind="429", method="sendMessage", times=1, retry_after=30)
    await meets(other, OUT_OF_MONEY)
    until = other.tick_services.agents["lull"].runner.gate.known_until(owner.key.chat_id)
    assert until == other.clock() + timedelta(seconds=30)


async def dies() -> None:
    raise Killed


@pytest.mark.parametrize("step", ["before noticing", "after noticing", "before send", "after send"])
async def test_whenever_a_tick_dies_the_owner_is_told_once_at_most(two: OpenTwo, step: str) -> None:
    _, rehearsing = await two()
    await meets(rehearsing, OUT_OF_MONEY)
    way = rehearsing.steps.taken
    noticed = way.index("before noticing")
    owner, other = await two()
    other.steps.at, other.steps.happens = way.index(step, noticed), dies
    update_ids = await meets(other, OUT_OF_MONEY)
    update_ids += await meets(other, OUT_OF_MONEY)
    assert other.steps.happens is None
    kept = [text for text in await told(owner) if text == notice(ModelTrouble.MONEY)]
    assert len(kept) == (step in {"before noticing", "after send"})
    assert await other.said() == [ENGLISH.say("trouble.money")] * 2
    await assert_at_rest(other, update_ids)


async def test_an_agent_that_is_nobodys_tells_nobody(harness: ChatHarness) -> None:
    await meets(harness, OUT_OF_MONEY)
    assert await harness.said() == [ENGLISH.say("trouble.money")]
    assert "before noticing" not in harness.steps.taken
