"""What people and groups are called, for an agent's owner."""

from shared.access.commands.people import known_name, name_of, person_called
from shared.values.trust import Blocked, LetIn, LetInGroup, Roster
from tests.shared.examples import NOW
from tests.shared.turn.room import Room

ROSTER = Roster(
    agent="lull",
    owner=1,
    people={2: LetIn(id=2, name="Ann", since=NOW, by=1), 3: LetIn(id=3, name="Anna", since=NOW, by=1)},
    groups={-5: LetInGroup(chat_id=-5, title="Trip", since=NOW, by=1)},
    blocked={4: Blocked(id=4, name="Eve", since=NOW)},
)


def test_the_roster_names_whom_it_lists() -> None:
    assert [name_of(ROSTER, which) for which in (2, -5, 4, 9, 0)] == ["Ann", "Trip", "Eve", "", ""]


def test_a_part_of_one_name_finds_its_person() -> None:
    assert [person_called(ROSTER, name) for name in ("anna", "EV", "ann", "Bob")] == [3, 4, 0, 0]


async def test_others_are_called_as_in_their_own_chats(here: Room, group: Room) -> None:
    chats = here.house.chats
    assert await known_name(ROSTER, 2, "lull", chats) == "Ann"
    assert await known_name(ROSTER, here.person, "lull", chats) == ""
    for room in (here, group):
        await room.writes("/whoami")
        await room.rests()
    assert (await known_name(ROSTER, here.person, "lull", chats)).startswith("Guest ")
    assert await known_name(ROSTER, group.key.chat_id, "lull", chats) == "A room"
    assert await known_name(ROSTER, 0, "lull", chats) == ""
