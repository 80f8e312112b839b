"""Names of people and groups for an agent's owner."""

from shared.access.commands.people import known_name, name_of, person_called
from shared.values.trust import AccessList, AdmittedGroup, AdmittedPerson, BlockedPerson
from tests.shared.examples import NOW
from tests.shared.turn.harness import ChatHarness

ACCESS_LIST = AccessList(
    agent="lull",
    owner=1,
    people={
        2: AdmittedPerson(id=2, name="Ann", since=NOW, by=1),
        3: AdmittedPerson(id=3, name="Anna", since=NOW, by=1),
    },
    groups={-5: AdmittedGroup(chat_id=-5, title="Trip", since=NOW, by=1)},
    blocked={4: BlockedPerson(id=4, name="Eve", since=NOW)},
)


def test_the_access_list_names_whom_it_lists() -> None:
    assert [name_of(ACCESS_LIST, which) for which in (2, -5, 4, 9, 0)] == ["Ann", "Trip", "Eve", "", ""]


def test_a_part_of_one_name_finds_its_person() -> None:
    assert [person_called(ACCESS_LIST, name) for name in ("anna", "EV", "ann", "Bob")] == [3, 4, 0, 0]


async def test_others_are_called_as_in_their_own_chats(harness: ChatHarness, group: ChatHarness) -> None:
    chats = harness.backend.chats
    assert await known_name(ACCESS_LIST, 2, "lull", chats) == "Ann"
    assert await known_name(ACCESS_LIST, harness.person, "lull", chats) == ""
    for room in (harness, group):
        await room.writes("/whoami")
        await room.rests()
    assert (await known_name(ACCESS_LIST, harness.person, "lull", chats)).startswith("Guest ")
    assert await known_name(ACCESS_LIST, group.key.chat_id, "lull", chats) == "A room"
    assert await known_name(ACCESS_LIST, 0, "lull", chats) == ""
