"""What ticks die of is set aside, over the real servers."""

import pytest

from shared.errors import TickFailed
from shared.flows.careful import CAREFUL_AFTER, PATIENCE, WHY, batch_size
from shared.flows.tick import tick
from shared.models.chat import Chat
from shared.models.incident import IncidentKind
from tests.shared.flows.room import Room
from tests.shared.flows.scenes import WITH_A_WAIT, assert_at_rest
from tests.shared.flows.watched import Steps
from tests.shared.values import KEY


class Poisoned(Steps):
    """Whoever thinks about the inbox dies of what is in it, as long as it lies there."""

    def __init__(self, here: Room, update_id: int) -> None:
        super().__init__()
        self.here, self.update_id = here, update_id

    async def take(self, name: str) -> None:
        await super().take(name)
        if name == "after thinking" and await self.here.house.chats.is_unread(self.here.key, self.update_id):
            raise ZeroDivisionError


async def failing_ticks(here: Room) -> int:
    """Run ticks as Cloud Tasks does until none is left; returns how many failed."""
    failed = 0
    while wakes := await here.queue.wakes():
        here.clock.now = max(here.clock.now, wakes[0].at)
        try:
            await tick(here.ticker, wakes[0])
        except TickFailed:
            failed += 1
            assert failed < 20
        else:
            await here.queue.end(wakes[0])
    return failed


async def test_an_update_that_kills_ticks_is_kept_as_a_dead_letter_and_blocks_nobody(here: Room) -> None:
    await here.will_plan({"kind": "send", "text": "Hello."}, times=None)
    poison = await here.writes("what nobody foresaw")
    mind, *_ = here.ticker.attendances["lull"].replier.choices.values()
    mind.model.steps = Poisoned(here, poison[0])  # type: ignore[attr-defined]
    update_ids = poison + await here.writes("and another thing")
    assert await failing_ticks(here) == PATIENCE
    assert await here.said() == ["Hello."]
    await assert_at_rest(here, update_ids)
    (incident,) = await here.incidents()
    assert (incident.kind, incident.update_id, incident.why) == (IncidentKind.DEAD_LETTER, poison[0], WHY)
    assert "what nobody foresaw" in incident.body
    prompt = (await here.asked())[-1]
    assert "and another thing" in prompt
    assert "what nobody foresaw" not in prompt


async def test_a_plan_that_kills_ticks_is_given_up(here: Room) -> None:
    await here.will_plan(*WITH_A_WAIT)
    update_ids = await here.writes("hi")
    await here.next_tick()

    class Deadly(Steps):
        async def take(self, name: str) -> None:
            await super().take(name)
            if name == "before send":
                raise ZeroDivisionError

    here.ticker.attendances["lull"].runner.channel.steps = Deadly()  # type: ignore[attr-defined]
    assert await failing_ticks(here) <= PATIENCE
    assert await here.said() == ["One."]
    await assert_at_rest(here, update_ids)


@pytest.mark.parametrize(("starts", "expected"), [(1, 200), (CAREFUL_AFTER, 200), (CAREFUL_AFTER + 1, 1)])
def test_after_some_failures_updates_are_read_one_by_one(starts: int, expected: int) -> None:
    assert batch_size(Chat(key=KEY, starts=starts)) == expected
