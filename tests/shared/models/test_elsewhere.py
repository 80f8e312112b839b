"""Messages of other conversations."""

from shared.models.elsewhere import Elsewhere, is_made_of

ROOM = Elsewhere(conversation="conv-a", chat_id=-7, first_seq=1, last_seq=2, people=(4, 5))
PRIVATE = Elsewhere(conversation="conv-b", chat_id=9, first_seq=1, last_seq=2)


def test_they_belong_to_those_who_wrote_them_and_to_the_chat() -> None:
    assert (ROOM.ids, PRIVATE.ids) == ((4, 5, -7), (9,))
    assert [is_made_of((ROOM, PRIVATE), one) for one in (4, -7, 9, 6)] == [True, True, True, False]
    assert not is_made_of((), 4)
