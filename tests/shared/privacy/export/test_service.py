"""Requests for an export: once a day, never two at once, and again if one did not arrive."""

import asyncio
from dataclasses import replace

from shared.recall.visible_chats import VisibleChatsFinder
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.export import EVERY, ExportState, PartOutcome
from shared.values.place import Asker, VisibleChats
from tests.shared.exports import Depot, somebody


async def test_who_asks_again_has_the_one_that_stands(depot: Depot) -> None:
    ann = somebody("Ann")
    first, second = await asyncio.gather(depot.ask(ann), depot.ask(ann))
    assert first.run == second.run == (await depot.ask(ann, "moss")).run
    assert {body["person"] for body in depot.asked.of("summarize")} == {str(ann.id)}
    assert len({job.name for job in depot.asked.jobs}) == 1, "the queue takes them for one"


async def test_a_day_later_there_is_another_and_at_once_if_it_did_not_arrive(depot: Depot) -> None:
    ann = somebody("Ann")
    first = await depot.ask(ann)
    for fields, is_another in (
        ({"state": ExportState.READY}, False),
        ({"state": ExportState.CLEARED, "outcomes": {"1": PartOutcome.SENT}}, False),
        ({"state": ExportState.CLEARED, "outcomes": {"1": PartOutcome.UNKNOWN}}, True),
        ({"state": ExportState.CLEARED, "outcomes": {"1": PartOutcome.FAILED}}, True),
        ({"state": ExportState.FAILED}, True),
    ):
        await depot.exports.replace(await depot.exports.find(ann.id), first.model_copy(update=fields))
        assert ((await depot.ask(ann)).run != first.run) is is_another, fields
    await depot.exports.replace(await depot.exports.find(ann.id), evolve(first, state=ExportState.CLEARED))
    depot.now += EVERY
    assert (await depot.ask(ann)).run != first.run


async def test_telegram_is_asked_first_in_which_groups_they_are_now(depot: Depot) -> None:
    ann = somebody("Ann")
    key, asked = ChatKey(agent="lull", chat_id=ann.id), list[Asker]()

    class Sights(VisibleChatsFinder):
        def __init__(self) -> None:
            pass

        async def of(self, asker: Asker) -> VisibleChats:
            assert (await depot.exports.find(ann.id)).export is None, "else it would be gathered before"
            asked.append(asker)
            return VisibleChats(agent="lull", places=())

    desk = replace(depot.desk, visible_chats=Sights())
    for _ in range(2):
        await desk.ask(key, "en", depot.now)
    assert asked == [Asker(chat=key, places=())]


async def test_in_a_group_and_without_a_bucket_nobody_can(depot: Depot) -> None:
    ann = somebody("Ann")
    assert await depot.desk.ask(ChatKey(agent="lull", chat_id=-ann.id), "en", depot.now) is None
    closed = replace(depot.desk, is_open=False)
    assert await closed.ask(ChatKey(agent="lull", chat_id=ann.id), "en", depot.now) is None
    assert depot.asked.jobs == []
