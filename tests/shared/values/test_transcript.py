"""A transcript as it is archived."""

from shared.values.message import ButtonPress, Event
from shared.values.origin import ConversationSpan
from shared.values.transcript import StoredDocument, Transcript, Vector, people_in
from tests.shared.examples import ANN, ME, NOW, said


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


def test_who_is_named_by_a_number_or_whose_words_were_used_is_among_its_people() -> None:
    elsewhere = ConversationSpan(conversation="conv-a", chat_id=-7, first_seq=1, last_seq=2, people=(41,))
    entries = (
        said("so", author=ME, elsewhere=(elsewhere,)),
        ButtonPress(at=NOW, message_id=1, author=ANN, query_id="q", data="people:conv-1:o42"),
        Event(at=NOW, kind="effect", note="you blocked Eve (user_id 43)"),
    )
    assert people_in(entries) == {-7, 41, 42, 43, ANN.id}


def test_a_document_is_of_the_collections_on_the_way_to_it() -> None:
    assert StoredDocument("people/7", {}).collection == "people"
    assert StoredDocument("people/7/memories/lull", {}).collection == "people/memories"
