"""Who is past their limit silences nobody else: neither in the same batch nor while the model thinks."""

from collections.abc import Awaitable, Callable

import pytest

from shared.models.money import Limits
from shared.planning.model_calls import MeteredModels
from shared.turn.limited import PAST_LIMIT
from tests.shared.flows.room import Room
from tests.shared.flows.watched import Steps, WatchedModel
from tests.shared.own_words import ENGLISH
from tests.shared.turn.test_spending import MakeRoom, terms

LIMIT = ENGLISH.say("limit.day", zone="UTC")


class WhileThinking(Steps):
    """Something happens once, while the model thinks."""

    def __init__(self, happens: Callable[[], Awaitable[None]]) -> None:
        super().__init__(happens=happens)

    async def take(self, name: str) -> None:
        await super().take(name)
        if name == "after thinking" and self.happens is not None:
            happens, self.happens = self.happens, None
            await happens()


async def spent(rooms: MakeRoom) -> tuple[Room, int]:
    """A group in which one of two people has used up their one message of the day, and been told so."""
    here = await rooms(spending=terms(stranger=Limits(day_messages=1)), people=1)
    mallory = here.others[0]
    await here.will_plan({"kind": "send", "text": "hello"})
    for _ in range(2):
        await here.writes(to(here, "hi"), **{"from": mallory})
        await here.rests()
    assert await here.said() == ["hello", LIMIT]
    return here, mallory


def to(here: Room, words: str) -> str:
    return f"@house{here.house.bot_id}_bot {words}"


@pytest.mark.parametrize("is_last", [True, False])
async def test_in_the_same_batch_the_others_are_answered(rooms: MakeRoom, is_last: bool) -> None:
    here, mallory = await spent(rooms)
    await here.will_plan({"kind": "send", "text": "Four."})
    question = (to(here, "what is two and two?"), here.person)
    nothing = (to(here, "."), mallory)
    for text, who in (question, nothing) if is_last else (nothing, question):
        await here.writes(text, **{"from": who})
    await here.rests()
    assert (await here.said())[2:] == ["Four."]
    if is_last:
        refused = next(e["decision"] for e in await here.transcript() if e.get("text") == to(here, "."))
        assert (refused["respond"], refused["reason"]) == (False, PAST_LIMIT)
    assert sum("two and two" in one for one in await here.asked()) == 1


async def test_a_reply_that_is_paid_for_stands_whoever_writes_while_the_model_thinks(rooms: MakeRoom) -> None:
    here, mallory = await spent(rooms)
    await here.will_plan({"kind": "send", "text": "Four."})
    more = list[int]()

    async def disturb() -> None:
        more.extend(await here.writes(to(here, "."), **{"from": mallory}))

    asked = len(await here.asked())
    models, steps = here.ticker.agents["lull"].replier.models, WhileThinking(disturb)
    assert isinstance(models, MeteredModels)
    for model in models.by_name.values():
        assert isinstance(model, WatchedModel)
        model.steps = steps
    await here.writes(to(here, "what is two and two?"))
    await here.rests()
    assert (await here.said())[2:] == ["Four."]
    assert more
    assert len(await here.asked()) == asked + 1, "nothing is paid for twice"


async def test_who_is_told_of_the_limit_while_others_are_answered_is_told_once(rooms: MakeRoom) -> None:
    here = await rooms(spending=terms(stranger=Limits(day_messages=1)), people=1)
    mallory = here.others[0]
    await here.will_plan({"kind": "send", "text": "hello"})
    await here.writes(to(here, "hi"), **{"from": mallory})
    await here.rests()
    await here.will_plan({"kind": "send", "text": "Four."})
    await here.writes(to(here, "what is two and two?"))
    await here.writes(to(here, "and more?"), **{"from": mallory})
    await here.rests()
    assert await here.said() == ["hello", LIMIT, "Four."]
