"""A tick sends each part once, and only to the person's private chat."""

from dataclasses import replace
from typing import Any

import pytest

from shared.turn.jobs.tick import tick
from shared.values.evolve import evolve
from shared.values.export import Export, ExportPart, ExportState, PartOutcome, export_wake
from tests.shared.examples import NOW
from tests.shared.exports import ExportHarness
from tests.shared.paused_queue import PausedQueue
from tests.shared.turn.harness import ChatHarness, HarnessBackend, make_harness
from tests.stories.play import Model


async def ready(export_harness: ExportHarness, room: ChatHarness, *contents: bytes, **fields: Any) -> Export:
    """Return an export of this private chat that is ready, with parts of these contents."""
    person, run = room.key.chat_id, f"run{room.key.chat_id}"
    parts = [ExportPart(number=n, size=len(one), path=f"{run}/{n}") for n, one in enumerate(contents, start=1)]
    for part, content in zip(parts, contents, strict=True):
        async with export_harness.bucket.writing(part.path) as writer:
            await writer.write(content)
    export = Export(
        person=person, agent=room.key.agent, run=run, asked_at=NOW, parts=tuple(parts), state=ExportState.READY
    ).model_copy(update=fields)
    await export_harness.exports.replace(await export_harness.exports.find(person), export)
    return export


async def test_each_part_is_sent_once_and_what_became_of_it_is_kept(
    harness: ChatHarness, export_harness: ExportHarness
) -> None:
    harness.backend.channel.stored = lambda: export_harness.bucket
    export = await ready(export_harness, harness, b"PK one", b"PK two")
    for of in ("a", "b"):
        await tick(harness.tick_services, export_wake(export, NOW, of))
    sent = [message for message in await harness.messages() if message["file"] is not None]
    assert [(one["file"]["size"], one["file"]["kind"]) for one in sent] == [(6, "document")] * 2
    assert ["1" in one["caption"] for one in sent] == [True, False]
    after = (await export_harness.exports.find(harness.key.chat_id)).export
    assert after is not None
    assert after.outcomes == {"1": PartOutcome.SENT, "2": PartOutcome.SENT}
    assert after.due_at is not None
    said = (await harness.transcript())[-1]
    assert said["media"].startswith("a file: lull-")


async def test_what_failed_is_said_and_a_part_that_is_gone_counts_as_failed(
    harness: ChatHarness, export_harness: ExportHarness
) -> None:
    harness.backend.channel.stored = lambda: export_harness.bucket
    export = await ready(export_harness, harness, b"PK one")
    await export_harness.bucket.clear(export.run)
    await tick(harness.tick_services, export_wake(export, NOW))
    after = (await export_harness.exports.find(harness.key.chat_id)).export
    assert after is not None
    assert after.outcomes == {"1": PartOutcome.FAILED}
    seen = await export_harness.exports.find(harness.key.chat_id)
    failed = evolve(export, state=ExportState.FAILED)
    await export_harness.exports.replace(seen, failed)
    await tick(harness.tick_services, export_wake(failed, NOW))
    assert "ask for it again with /export" in (await harness.said())[-1]


@pytest.fixture
async def asks(
    shared_backend: HarnessBackend, paused_queue: PausedQueue, script: Model, export_harness: ExportHarness
) -> ChatHarness:
    """Return a private chat with an agent that offers exports."""
    found = await make_harness(shared_backend, paused_queue, script, takeout_bucket="some")
    found.backend.channel.stored = lambda: export_harness.bucket
    return found


async def becomes(export_harness: ExportHarness, harness: ChatHarness, export: Export, **fields: Any) -> Export:
    """Change the stored export. The chat then reports the change."""
    after = export.model_copy(update=fields)
    await export_harness.exports.replace(await export_harness.exports.find(export.person), after)
    await tick(harness.tick_services, export_wake(after, NOW))
    return after


async def test_the_answer_to_export_is_written_anew_as_it_goes_on(
    asks: ChatHarness, export_harness: ExportHarness
) -> None:
    export = await ready(export_harness, asks, b"PK one", state=ExportState.GATHERING, done=3, total=9)
    await asks.writes("/export")
    await asks.rests()
    (first,) = await asks.messages()
    assert "3 of 9 conversations" in first["text"]
    export = await becomes(export_harness, asks, export, done=8)
    (shown,) = await asks.messages()
    assert (shown["message_id"], "8 of 9" in shown["text"]) == (first["message_id"], True)
    assert [row[0]["text"] for row in shown["buttons"]] == ["Check progress"]
    await asks.presses(shown, 0)
    await asks.rests()
    export = await becomes(export_harness, asks, export, state=ExportState.READY)
    shown, file = await asks.messages()
    assert ("on its way here" in shown["text"], shown["buttons"] or []) == (True, [])
    assert file["file"]["size"] == 6
    kept = (await export_harness.exports.find(export.person)).export
    assert kept is not None
    assert kept.outcomes == {"1": PartOutcome.SENT}
    await becomes(export_harness, asks, export, state=ExportState.CLEARED, outcomes={"1": PartOutcome.SENT})
    shown, _ = await asks.messages()
    assert "You can ask for it again from" in shown["text"]
    edits = [one for one in await asks.transcript() if one["type"] == "edit"]
    assert len(edits) == 1, "that of the press: what goes on by itself fills no conversation"


async def test_what_did_not_arrive_is_told_once_and_the_button_goes(
    asks: ChatHarness, export_harness: ExportHarness
) -> None:
    export = await ready(export_harness, asks, b"PK one", b"PK two", state=ExportState.GATHERING)
    await asks.writes("/export")
    await asks.rests()
    outcomes = {"1": PartOutcome.SENT, "2": PartOutcome.FAILED}
    export = await becomes(export_harness, asks, export, state=ExportState.CLEARED, outcomes=outcomes)
    first, told = await asks.messages()
    assert "I couldn't send part 2 of 2 of your export" in told["text"]
    assert (first["buttons"] or []) == []
    await becomes(export_harness, asks, export)
    assert len(await asks.messages()) == 2


async def test_a_message_that_is_gone_is_missed_by_nobody(asks: ChatHarness, export_harness: ExportHarness) -> None:
    export = await ready(export_harness, asks, b"PK one", state=ExportState.GATHERING, done=3, total=9)
    await asks.writes("/export")
    await asks.rests()
    await asks.fault(method="editMessageText", kind="400", why="message to edit not found")
    before = await asks.transcript()
    await becomes(export_harness, asks, export, done=8)
    assert await asks.transcript() == before
    assert await asks.incidents() == []
    assert len(await asks.messages()) == 1


async def test_a_wake_of_another_run_or_in_another_s_chat_sends_nothing(
    harness: ChatHarness, export_harness: ExportHarness
) -> None:
    harness.backend.channel.stored = lambda: export_harness.bucket
    export = await ready(export_harness, harness, b"PK one")
    await tick(harness.tick_services, export_wake(evolve(export, run="another"), NOW))
    stranger = replace(harness.key, chat_id=harness.key.chat_id + 1)
    await tick(harness.tick_services, replace(export_wake(export, NOW), key=stranger))
    assert [message for message in await harness.messages() if message["file"] is not None] == []
