"""A transcript as it is archived."""

from shared.models.message import Event
from shared.models.transcript import Transcript, Vector
from tests.shared.values import NOW, said


def test_its_number_is_that_of_the_newest_entry() -> None:
    entries = tuple(Event(seq=seq, at=NOW, kind="poll") for seq in (2, 5, 3))
    assert Transcript(conversation="conv-x", entries=entries).seq == 5
    assert Transcript(conversation="conv-x").seq == 0


def test_its_newest_turn_is_the_highest() -> None:
    entries = (said("a", seq=1, turn=1), said("b", seq=2, turn=2), Event(seq=3, at=NOW, kind="poll"))
    assert Transcript(conversation="conv-x", entries=entries).turn == 2
    assert Transcript(conversation="conv-x").turn == 0


def test_a_vector_is_not_just_any_list() -> None:
    assert Vector([1.0, 2.0]) == (1.0, 2.0)
    assert isinstance(Vector([1.0]), tuple)
    assert not isinstance((1.0,), Vector)
