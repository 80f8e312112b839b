"""Requests for an export: one a day, never two at the same time, and another one if an export did not arrive."""

import asyncio
from dataclasses import replace

from shared.recall.visible_chats import VisibleChatsFinder
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.export import EVERY, ExportState, PartOutcome
from shared.values.place import Asker, VisibleChats
from tests.shared.exports import ExportHarness, somebody


async def test_who_asks_again_has_the_one_that_stands(export_harness: ExportHarness) -> None:
    ann = somebody("Ann")
    first, second = await asyncio.gather(export_harness.ask(ann), export_harness.ask(ann))
    assert first.run == second.run == (await export_harness.ask(ann, "moss")).run
    assert {body["person"] for body in export_harness.asked.of("summarize")} == {str(ann.id)}
    assert len({job.name for job in export_harness.asked.jobs}) == 1, "the queue takes them for one"


async def test_a_day_later_there_is_another_and_at_once_if_it_did_not_arrive(export_harness: ExportHarness) -> None:
    ann = somebody("Ann")
    first = await export_harness.ask(ann)
    for fields, is_another in (
        ({"state": ExportState.READY}, False),
        ({"state": ExportState.CLEARED, "outcomes": {"1": PartOutcome.SENT}}, False),
        ({"state": ExportState.CLEARED, "outcomes": {"1": PartOutcome.UNKNOWN}}, True),
        ({"state": ExportState.CLEARED, "outcomes": {"1": PartOutcome.FAILED}}, True),
        ({"state": ExportState.FAILED}, True),
    ):
        await export_harness.exports.replace(await export_harness.exports.find(ann.id), first.model_copy(update=fields))
        assert ((await export_harness.ask(ann)).run != first.run) is is_another, fields
    await export_harness.exports.replace(
        await export_harness.exports.find(ann.id), evolve(first, state=ExportState.CLEARED)
    )
    export_harness.now += EVERY
    assert (await export_harness.ask(ann)).run != first.run


async def test_telegram_is_asked_first_in_which_groups_they_are_now(export_harness: ExportHarness) -> None:
    ann = somebody("Ann")
    key, asked = ChatKey(agent="lull", chat_id=ann.id), list[Asker]()

    class Sights(VisibleChatsFinder):
        def __init__(self) -> None:
            pass

        async def of(self, asker: Asker) -> VisibleChats:
            assert (await export_harness.exports.find(ann.id)).export is None, "else it would be gathered before"
            asked.append(asker)
            return VisibleChats(agent="lull", places=())

    desk = replace(export_harness.desk, visible_chats=Sights())
    for _ in range(2):
        await desk.ask(key, "en", export_harness.now)
    assert asked == [Asker(chat=key, places=())]


async def test_in_a_group_and_without_a_bucket_nobody_can(export_harness: ExportHarness) -> None:
    ann = somebody("Ann")
    assert await export_harness.desk.ask(ChatKey(agent="lull", chat_id=-ann.id), "en", export_harness.now) is None
    closed = replace(export_harness.desk, is_open=False)
    assert await closed.ask(ChatKey(agent="lull", chat_id=ann.id), "en", export_harness.now) is None
    assert export_harness.asked.jobs == []
