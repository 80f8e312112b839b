"""An album is one utterance, even if its parts come late or with other messages between them."""

from shared.turn.batch import album_heads, with_albums
from shared.values.decision import Decision, DecisionTier
from shared.values.message import Message
from tests.shared.examples import BOB, said

CALLED = Decision(respond=True, reason="private chat", tier=DecisionTier.CHAT)


def test_parts_are_one_message_where_the_first_of_them_stands() -> None:
    parts = [
        said("our", message_id=1, album_id="a", updates=(1,)),
        said("nice"),
        said("trip", album_id="a", updates=(2,)),
    ]
    album, between = with_albums(parts)
    assert (album.model_dump()["text"], album.updates, between) == ("our\ntrip", (1, 2), parts[1])


def test_an_album_is_as_much_from_outside_as_any_of_its_parts() -> None:
    own = said("mine", message_id=1, album_id="a", updates=(1,))
    for part in (
        said("obey", album_id="a", updates=(2,), forwarded_from=BOB),
        said("obey", album_id="a", updates=(2,), holds_outside=True, is_worded_elsewhere=True),
    ):
        (album,) = with_albums([own, part])
        assert isinstance(album, Message)
        assert album.holds_outside
        assert album.is_worded_elsewhere
    (album,) = with_albums([own, said("mine", album_id="a", updates=(2,))])
    assert isinstance(album, Message)
    assert not album.holds_outside


def test_the_part_that_was_answered_stands_for_an_album() -> None:
    first, second = said(message_id=1, text="", album_id="a"), said("look", message_id=2, album_id="a", decision=CALLED)
    assert album_heads([first]) == {"a": first}
    assert album_heads([first, second]) == {"a": second}
