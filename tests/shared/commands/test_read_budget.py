"""The daily read budget of a person, through whole ticks."""

import pytest

from shared.chat.store.people import DailyCounter, DailyQuota, FirestorePeople
from shared.commands.pager import PAGE
from shared.commands.read_budget import MOST_A_DAY
from tests.shared.kept_reminders import promised
from tests.shared.own_words import ENGLISH
from tests.shared.turn.harness import ChatHarness

TOO_OFTEN = ENGLISH.say("command.too_often")


def budget_of(harness: ChatHarness) -> DailyQuota:
    day = harness.clock.now.date().isoformat()
    return DailyQuota(counted=DailyCounter.READ, agent="lull", day=day, most=MOST_A_DAY)


async def read_so_far(harness: ChatHarness) -> int:
    found = (await harness.backend.chats.client.document(f"people/{harness.person}").get()).to_dict() or {}
    return int(found["read"]["lull"][budget_of(harness).day])


@pytest.mark.parametrize("command", ["/usage", "/reminders", "/resume beds"])
async def test_past_it_nothing_is_looked_up(harness: ChatHarness, command: str) -> None:
    await FirestorePeople(harness.backend.chats.client).draw(harness.person, budget_of(harness), MOST_A_DAY)
    await harness.writes(command)
    await harness.rests()
    assert await harness.said() == [TOO_OFTEN]


async def test_counts_what_was_read(harness: ChatHarness) -> None:
    for number in range(7):
        await promised(harness, str(number), text=f"Thing {number}", is_armed=False)
    await harness.writes("/reminders")
    await harness.rests()
    (listed,) = await harness.messages()
    assert await read_so_far(harness) == 7
    await harness.presses(listed, 6)
    await harness.rests()
    assert await read_so_far(harness) == 14, "another page is read anew"
    await harness.writes("/usage")
    await harness.rests()
    assert await read_so_far(harness) > 14
    assert TOO_OFTEN not in await harness.said()


async def test_counts_skipped_documents_as_read(harness: ChatHarness) -> None:
    for number in range(PAGE + 1):
        await harness.writes(f"/title Talk {number}")
        await harness.writes("/new")
    for read in (PAGE + 1, MOST_A_DAY):
        await harness.writes("/conversations")
        await harness.rests()
        await harness.presses((await harness.messages())[-1], PAGE)
        await harness.rests()
        assert await read_so_far(harness) == read
        await FirestorePeople(harness.backend.chats.client).draw(harness.person, budget_of(harness), MOST_A_DAY)
    assert (await harness.messages())[-1]["text"] == TOO_OFTEN
