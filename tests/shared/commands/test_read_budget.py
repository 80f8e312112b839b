"""The daily read budget of a person, through whole ticks."""

import pytest

from shared.chat.store.people import DailyCounter, DailyQuota, FirestorePeople
from shared.commands.pager import PAGE
from shared.commands.read_budget import MOST_A_DAY
from tests.shared.kept_reminders import promised
from tests.shared.own_words import ENGLISH
from tests.shared.turn.room import Room

TOO_OFTEN = ENGLISH.say("command.too_often")


def budget_of(here: Room) -> DailyQuota:
    day = here.clock.now.date().isoformat()
    return DailyQuota(counted=DailyCounter.READ, agent="lull", day=day, most=MOST_A_DAY)


async def read_so_far(here: Room) -> int:
    found = (await here.house.chats.client.document(f"people/{here.person}").get()).to_dict() or {}
    return int(found["read"]["lull"][budget_of(here).day])


@pytest.mark.parametrize("command", ["/usage", "/reminders", "/resume beds"])
async def test_past_it_nothing_is_looked_up(here: Room, command: str) -> None:
    await FirestorePeople(here.house.chats.client).draw(here.person, budget_of(here), MOST_A_DAY)
    await here.writes(command)
    await here.rests()
    assert await here.said() == [TOO_OFTEN]


async def test_counts_what_was_read(here: Room) -> None:
    for number in range(7):
        await promised(here, str(number), text=f"Thing {number}", is_armed=False)
    await here.writes("/reminders")
    await here.rests()
    (listed,) = await here.messages()
    assert await read_so_far(here) == 7
    await here.presses(listed, 6)
    await here.rests()
    assert await read_so_far(here) == 14, "another page is read anew"
    await here.writes("/usage")
    await here.rests()
    assert await read_so_far(here) > 14
    assert TOO_OFTEN not in await here.said()


async def test_counts_skipped_documents_as_read(here: Room) -> None:
    for number in range(PAGE + 1):
        await here.writes(f"/title Talk {number}")
        await here.writes("/new")
    for read in (PAGE + 1, MOST_A_DAY):
        await here.writes("/conversations")
        await here.rests()
        await here.presses((await here.messages())[-1], PAGE)
        await here.rests()
        assert await read_so_far(here) == read
        await FirestorePeople(here.house.chats.client).draw(here.person, budget_of(here), MOST_A_DAY)
    assert (await here.messages())[-1]["text"] == TOO_OFTEN
