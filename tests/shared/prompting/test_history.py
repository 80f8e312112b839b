"""What a stretch of a transcript tells."""

from typing import Any

from hypothesis import given

from shared.models.message import AnyEntry, Edit, Event, Reaction
from shared.prompting.history import Happened, Said, album_heads, told
from tests.shared.prompting.scenes import talks
from tests.shared.values import ANN, BOB, ME, NOW, PROPERTY, said


def only(*entries: AnyEntry) -> Said:
    (item,) = told(entries)
    assert isinstance(item, Said)
    return item


def edit(message_id: int, text: str) -> Edit:
    return Edit(at=NOW, message_id=message_id, author=ANN, text=text)


def reaction(message_id: int, *emojis: str, **fields: Any) -> Reaction:
    return Reaction(**{"at": NOW, "message_id": message_id, "author": BOB, "emojis": emojis} | fields)


def test_a_message_has_its_latest_text() -> None:
    found = only(said("first"), edit(1, "second"), edit(1, "third"), edit(9, "another's"))
    assert (found.text, found.is_edited) == ("third", True)
    assert not only(said("first")).is_edited


def test_what_says_nothing_is_not_told() -> None:
    assert told([said(""), said("gone", message_id=2), edit(2, ""), Event(at=NOW, kind="poll")]) == ()
    assert only(said("", media="a photo")).media == "a photo"


def test_a_note_on_what_happened_is_told_where_it_stands() -> None:
    entries: list[AnyEntry] = [
        said("hi", seq=1),
        Event(at=NOW, seq=2, kind="plan", note="the answer could not be sent"),
        said("?"),
    ]
    assert told(entries)[1] == Happened(2, "the answer could not be sent")


def test_parts_of_an_album_that_came_later_belong_to_its_first() -> None:
    parts: list[AnyEntry] = [
        said("our trip", message_id=1, album_id="a", media="an album of 2", updates=(1, 2), seq=1),
        said("nice", BOB, 3, seq=2),
        said("", message_id=4, album_id="a", media="a video", updates=(4,), seq=3),
        said("the last one", message_id=5, album_id="a", media="a photo", updates=(5,), seq=4),
        edit(4, "by night"),
    ]
    album, between = told(parts)
    assert isinstance(album, Said)
    assert isinstance(between, Said)
    assert (album.text, album.is_edited) == ("our trip\nby night\nthe last one", True)
    assert album.media == "an album of 4: an album of 2, a video, a photo"
    assert between.text == "nice"
    assert album_heads(parts) == {1: 1, 4: 1, 5: 1}


def test_a_reaction_is_shown_on_a_persons_message_as_it_is_now() -> None:
    found = only(said("hi"), reaction(1, "👍"), reaction(1, "❤", "🔥"), reaction(1, "👏", author=None))
    assert found.reactions == ("❤ 🔥 Bob", "👏 someone")
    assert only(said("hi"), reaction(1, "👍"), reaction(1)).reactions == ()


def test_a_reaction_to_the_agents_words_is_told_after_them() -> None:
    entries: list[AnyEntry] = [said("Hello [you].", ME, 7, seq=1), reaction(7, "👍", seq=2), reaction(7, "🎉", seq=3)]
    own, happened = told(entries)
    assert isinstance(own, Said)
    assert (own.is_own, own.reactions) == (True, ())
    assert happened == Happened(3, 'reaction 🎉 Bob to your message "Hello (you)."')
    assert len(told([*entries, reaction(7, seq=4)])) == 1
    assert len(told([said("x", ME, 7), reaction(8, "👍")])) == 1


def test_a_service_message_of_the_agent_is_not_its_words() -> None:
    assert not only(said("pinned a message", ME, is_service=True)).is_own


@PROPERTY
@given(talks())
def test_everything_that_was_said_is_told_once_and_in_order(entries: tuple[AnyEntry, ...]) -> None:
    items = [item.message.message_id for item in told(entries) if isinstance(item, Said)]
    spoken = [e.message_id for e in entries if e.type == "message" and (e.text.strip() or e.media)]
    assert items == spoken
