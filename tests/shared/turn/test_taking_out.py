"""A tick sends what is ready, once, to whose it is."""

from dataclasses import replace
from typing import Any

from shared.flows.tick import tick
from shared.models.takeout import PartOutcome, Takeout, TakeoutPart, TakeoutState, takeout_wake
from tests.shared.flows.room import Room
from tests.shared.takeouts import Depot
from tests.shared.values import NOW


async def ready(depot: Depot, room: Room, *contents: bytes, **fields: Any) -> Takeout:
    """A takeout of whose private chat it is, with parts of these contents."""
    person, run = room.key.chat_id, f"run{room.key.chat_id}"
    parts = [TakeoutPart(number=n, size=len(one), path=f"{run}/{n}") for n, one in enumerate(contents, start=1)]
    for part, content in zip(parts, contents, strict=True):
        async with depot.bucket.writing(part.path) as writer:
            await writer.write(content)
    takeout = Takeout(
        person=person, agent=room.key.agent, run=run, asked_at=NOW, parts=tuple(parts), state=TakeoutState.READY
    ).model_copy(update=fields)
    await depot.takeouts.replace(await depot.takeouts.find(person), takeout)
    return takeout


async def test_each_part_is_sent_once_and_what_became_of_it_is_kept(here: Room, depot: Depot) -> None:
    here.house.channel.stored = lambda: depot.bucket
    takeout = await ready(depot, here, b"PK one", b"PK two")
    for of in ("a", "b"):
        await tick(here.ticker, takeout_wake(takeout, NOW, of))
    sent = [message for message in await here.messages() if message["file"] is not None]
    assert [(one["file"]["size"], one["file"]["kind"]) for one in sent] == [(6, "document")] * 2
    assert ["1" in one["caption"] for one in sent] == [True, False]
    after = (await depot.takeouts.find(here.key.chat_id)).takeout
    assert after is not None
    assert after.outcomes == {"1": PartOutcome.SENT, "2": PartOutcome.SENT}
    assert after.due_at is not None
    said = (await here.transcript())[-1]
    assert said["media"].startswith("a file: lull-")


async def test_what_failed_is_said_and_a_part_that_is_gone_counts_as_failed(here: Room, depot: Depot) -> None:
    here.house.channel.stored = lambda: depot.bucket
    takeout = await ready(depot, here, b"PK one")
    await depot.bucket.clear(takeout.run)
    await tick(here.ticker, takeout_wake(takeout, NOW))
    after = (await depot.takeouts.find(here.key.chat_id)).takeout
    assert after is not None
    assert after.outcomes == {"1": PartOutcome.FAILED}
    seen = await depot.takeouts.find(here.key.chat_id)
    failed = takeout.model_copy(update={"state": TakeoutState.FAILED})
    await depot.takeouts.replace(seen, failed)
    await tick(here.ticker, takeout_wake(failed, NOW))
    assert "ask again with /export" in (await here.said())[-1]


async def test_a_wake_of_another_run_or_in_another_s_chat_sends_nothing(here: Room, depot: Depot) -> None:
    here.house.channel.stored = lambda: depot.bucket
    takeout = await ready(depot, here, b"PK one")
    await tick(here.ticker, takeout_wake(takeout.model_copy(update={"run": "another"}), NOW))
    stranger = replace(here.key, chat_id=here.key.chat_id + 1)
    await tick(here.ticker, replace(takeout_wake(takeout, NOW), key=stranger))
    assert [message for message in await here.messages() if message["file"] is not None] == []
