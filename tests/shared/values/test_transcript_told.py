"""Facts about a conversation from its entries."""

import pytest

from shared.base.text import Entity, EntityType
from shared.values.chat import ConversationInfo
from shared.values.evolve import evolve
from shared.values.transcript import OPENING_CHARACTERS, TranscriptScan, opening_of, participants_in
from tests.shared.examples import ANN, BOB, ME, said

COMMAND = (Entity(EntityType.BOT_COMMAND, 0, 5),)


def test_its_first_words_stand_for_a_title() -> None:
    entries = (said("/help", seq=1, entities=COMMAND), said("No.", seq=2, author=ME), said("tea\n or  milk?", seq=3))
    assert opening_of(entries) == "tea or milk?"
    assert ConversationInfo(id="c", chat="x", opening="tea").name == "tea"
    assert ConversationInfo(id="c", chat="x", opening="tea", title="Milk").name == "Milk"
    assert len(opening_of((said("long " * 40, seq=1),))) <= OPENING_CHARACTERS


@pytest.mark.parametrize("entries", [(), (said("later", seq=2),), (said("hi", seq=1, author=ME),)])
def test_without_its_beginning_nothing_does(entries: tuple[()]) -> None:
    assert opening_of(entries) == ""


def test_who_spoke_took_part_but_for_the_agent() -> None:
    newer = evolve(ANN, name="Anna")
    found = participants_in(
        (said("a", author=ANN), said("b", author=ME), said("c", author=BOB), said("d", author=newer))
    )
    assert found == (newer, BOB)


def test_a_few_at_a_time_tell_what_all_of_them_do() -> None:
    newer = evolve(ANN, name="Anna")
    quoted = said("d", author=newer, seq=4, forwarded_from=BOB)
    telling = TranscriptScan()
    for entries in ((said("tea?", author=ANN, seq=1),), (said("b", author=ME, seq=2), said("c", seq=3)), (quoted,)):
        telling.hear(entries)
    assert (telling.participants, telling.people) == ({ANN.id: newer}, {ANN.id, BOB.id})
    assert telling.opening == "tea?"
