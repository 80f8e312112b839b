"""What the rules cannot tell, over the real servers."""

import json

import pytest

from shared.models.update import Json
from tests.shared.flows.room import House, Room, room
from tests.shared.flows.scenes import assert_at_rest
from tests.shared.paused_queue import PausedQueue
from tests.stories.play import Model


@pytest.fixture
async def judged(shared_house: House, paused_queue: PausedQueue, script: Model) -> Room:
    """A group whose agent has a judge."""
    return await room(shared_house, paused_queue, script, people=2, judges=True)


async def unclear(here: Room, answer: str | None) -> list[int]:
    """The agent has spoken, and somebody says what may or may not be for it; the judge answers, or fails."""
    await here.will_plan({"kind": "send", "text": "At noon."})
    await here.will_plan({"kind": "send", "text": "Yes."})
    update_ids = await here.writes(f"@{here.house.username} when?")
    await here.rests()
    reply: Json = {"text": json.dumps({"answer": answer})} if answer else {"status": 503, "times": None}
    await here.model.will({**reply, "match": "Is the last message"})
    update_ids += await here.writes("is that so?", **{"from": here.others[0]})
    await here.rests()
    return update_ids


@pytest.mark.parametrize(
    ("answer", "said"), [("yes", ["At noon.", "Yes."]), ("no", ["At noon."]), (None, ["At noon."])]
)
async def test_the_judge_decides_and_no_is_the_answer_when_it_fails(
    judged: Room, answer: str | None, said: list[str]
) -> None:
    update_ids = await unclear(judged, answer)
    assert await judged.said() == said
    decisions = [e["decision"] for e in await judged.transcript() if e["type"] == "message" and e["decision"]]
    assert decisions[-1]["tier"] == "judge"
    assert len((await judged.plan()).calls) == (2 if answer == "yes" else 1)
    await assert_at_rest(judged, update_ids)


async def test_an_agent_without_a_judge_asks_none(group: Room) -> None:
    assert group.ticker.attendances["lull"].judging is None
