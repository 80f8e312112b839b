"""The history in a part of a transcript."""

from typing import Any

import pytest
from hypothesis import given

from shared.planning.prompt.history import ABOUT_CHARACTERS, HistoryEvent, HistoryMessage, first_parts, history_of
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Edit, Event, Reaction
from tests.shared.examples import ANN, BOB, ME, NOW, PROPERTY, said
from tests.shared.planning.prompt.scenes import talks


def only(*entries: AnyEntry) -> HistoryMessage:
    (item,) = history_of(entries)
    assert isinstance(item, HistoryMessage)
    return item


def edit(message_id: int, text: str, seq: int = 0) -> Edit:
    return Edit(at=NOW, seq=seq, message_id=message_id, author=ANN, text=text)


def reaction(message_id: int, *emojis: str, **fields: Any) -> Reaction:
    usual: dict[str, Any] = {"at": NOW, "message_id": message_id, "author": BOB, "emojis": emojis}
    return Reaction(**usual | fields)


def test_what_lull_itself_said_is_an_event_and_no_example_for_the_model() -> None:
    answer = said("I have\nno such command.", ME, message_id=2, seq=2, is_command=True)
    confirmed = said("⏰ Friday, 17:00: tea", ME, message_id=3, seq=3, is_by_lull=True, holds_outside=True)
    own = said("Gladly.", ME, message_id=4, seq=4)
    first, second, third = history_of([answer, confirmed, own])
    assert isinstance(first, HistoryEvent)
    assert (first.note, first.outside) == ("a command was answered: I have no such command.", "")
    assert isinstance(second, HistoryEvent)
    assert second.note == "it was said for you: ⏰ Friday, 17:00: tea"
    assert second.outside
    assert isinstance(third, HistoryMessage)


@pytest.mark.parametrize("confirms", ['{"kind":"invented"}', "no JSON", "[]"])
def test_a_confirmation_of_what_this_version_does_not_know_is_an_event(confirms: str) -> None:
    (item,) = history_of([said("⏰ 17:00: tea", ME, is_by_lull=True, confirms=confirms)])
    assert isinstance(item, HistoryEvent)


def test_a_message_has_its_latest_text() -> None:
    found = only(said("first"), edit(1, "second"), edit(1, "third"))
    assert (found.text, found.is_edited) == ("third", True)
    assert not only(said("first")).is_edited


def test_an_edit_of_a_message_that_is_not_here_is_told_as_that_message() -> None:
    _, found = history_of([said("hi"), edit(9, "second", seq=4), edit(9, "third", seq=5)])
    assert isinstance(found, HistoryMessage)
    assert (found.text, found.is_edited, found.seq, found.message.message_id) == ("third", True, 4, 9)
    assert found.message.author == ANN
    assert history_of([edit(9, "")]) == ()


def test_an_edit_is_of_the_newest_message_that_had_the_id_by_then() -> None:
    # a group that becomes a supergroup counts its messages anew
    entries: list[AnyEntry] = [
        said("old", seq=1),
        edit(1, "old, better", seq=2),
        said("new", seq=3),
        edit(1, "newer", seq=4),
    ]
    assert [item.text for item in history_of(entries) if isinstance(item, HistoryMessage)] == ["old, better", "newer"]


def test_what_became_later_of_what_is_left_out_is_told_where_that_stands() -> None:
    entries: list[AnyEntry] = [
        said("meet at 5", message_id=1, seq=1),
        said("", message_id=2, album_id="a", media="a photo", seq=2),
        said("gone", message_id=3, seq=3),
        edit(3, "changed and summarised", seq=4),
        said("the bill is 42", message_id=5, album_id="a", media="a video", seq=5),
        edit(1, "meet at 7", seq=6),
        edit(1, "meet at 8", seq=7),
        edit(3, "not stored yet"),
    ]
    album, moved, unstored = history_of(entries, after=4)
    assert isinstance(album, HistoryMessage)
    assert isinstance(moved, HistoryMessage)
    assert isinstance(unstored, HistoryMessage)
    assert (album.text, album.media, album.seq) == ("the bill is 42", "an album of 2: a photo, a video", 5)
    assert (moved.text, moved.seq, moved.message.seq) == ("meet at 8", 6, 1)
    assert (unstored.text, unstored.seq) == ("not stored yet", 0)
    assert [item.seq for item in history_of(entries, after=7)] == [0]
    assert [item.seq for item in history_of(entries, after=7, kept=[1])] == [1, 0]


def test_a_reaction_to_what_is_left_out_is_told_by_itself() -> None:
    entries: list[AnyEntry] = [said("who comes?", seq=1), said("I am", ME, 2, seq=2), reaction(1, "👍", seq=3)]
    assert history_of(entries, after=2) == (HistoryEvent(3, 'reaction 👍 Bob to what Ann wrote: "who comes?"'),)
    assert history_of(entries, after=3) == ()
    assert len(history_of([*entries, reaction(1, seq=4)], after=2)) == 0


def test_what_says_nothing_is_not_told() -> None:
    assert history_of([said(""), said("gone", message_id=2), edit(2, ""), Event(at=NOW, kind="poll")]) == ()
    assert only(said("", media="a photo")).media == "a photo"


def test_a_note_on_what_happened_is_told_where_it_stands() -> None:
    entries: list[AnyEntry] = [
        said("hi", seq=1),
        Event(at=NOW, seq=2, kind="plan", note="the answer could not be sent"),
        said("?"),
    ]
    assert history_of(entries)[1] == HistoryEvent(2, "the answer could not be sent")


def test_parts_of_an_album_that_came_later_belong_to_its_first() -> None:
    parts: list[AnyEntry] = [
        said("our trip", message_id=1, album_id="a", media="an album of 2", updates=(1, 2), seq=1),
        said("nice", BOB, 3, seq=2),
        said("", message_id=4, album_id="a", media="a video", updates=(4,), seq=3),
        said("the last one", message_id=5, album_id="a", media="a photo", updates=(5,), seq=4),
        edit(4, "by night"),
    ]
    album, between = history_of(parts)
    assert isinstance(album, HistoryMessage)
    assert isinstance(between, HistoryMessage)
    assert (album.text, album.is_edited) == ("our trip\nby night\nthe last one", True)
    assert album.media == "an album of 4: an album of 2, a video, a photo"
    assert between.text == "nice"
    assert first_parts(parts) == {1: 1, 4: 1, 5: 1}


def test_a_reaction_is_shown_on_a_persons_message_as_it_is_now() -> None:
    found = only(said("hi"), reaction(1, "👍"), reaction(1, "❤", "🔥"), reaction(1, "👏", author=None))
    assert found.reactions == ("❤ 🔥 Bob", "👏 someone")
    assert only(said("hi"), reaction(1, "👍"), reaction(1)).reactions == ()


def test_a_reaction_to_the_agents_words_is_told_after_them() -> None:
    entries: list[AnyEntry] = [said("Hello [you].", ME, 7, seq=1), reaction(7, "👍", seq=2), reaction(7, "🎉", seq=3)]
    own, happened = history_of(entries)
    assert isinstance(own, HistoryMessage)
    assert (own.is_own, own.reactions) == (True, ())
    assert happened == HistoryEvent(3, 'reaction 🎉 Bob to your message "Hello (you)."')
    assert len(history_of([*entries, reaction(7, seq=4)])) == 1
    assert len(history_of([said("x", ME, 7), reaction(8, "👍")])) == 1


def test_of_a_long_message_its_beginning_is_told_with_a_sign_that_it_is_cut() -> None:
    *_, happened = history_of([said("the night train to Odesa " * 9, ME, 9, seq=1), reaction(9, "🎉", seq=2)])
    assert isinstance(happened, HistoryEvent)
    assert happened.note.endswith('…"')
    assert len(happened.note) <= ABOUT_CHARACTERS + 40


def test_a_service_message_of_the_agent_is_not_its_words() -> None:
    assert not only(said("pinned a message", ME, is_service=True)).is_own


@PROPERTY
@given(talks())
def test_everything_that_was_said_is_told_once_and_in_order(entries: tuple[AnyEntry, ...]) -> None:
    items = [item.message.message_id for item in history_of(entries) if isinstance(item, HistoryMessage)]
    spoken = [e.message_id for e in entries if e.type == "message" and (e.text.strip() or e.media)]
    assert items == spoken


def test_what_the_agent_did_to_messages_is_told_where_it_stands() -> None:
    before: list[AnyEntry] = [said("it's done", BOB, 1, seq=1), said("Which model?", ME, 2, seq=2)]
    acts: list[AnyEntry] = [
        reaction(1, "🎉", author=ME, seq=3),
        Edit(at=NOW, seq=4, message_id=2, author=ME, text="The model is\nscripted [now]."),
        reaction(1, "👍", author=ME, seq=5),
        reaction(9, "👍", author=ME, seq=6),
        Edit(at=NOW, seq=7, message_id=9, author=ME, text="x" * 999),
    ]
    items = history_of([*before, *acts])
    assert items[:2] == history_of(before)
    assert [item.note for item in items if isinstance(item, HistoryEvent)][:4] == [
        'you reacted 🎉 to what Bob wrote: "it\'s done"',
        'you changed your message "Which model?" to "The model is scripted (now)."',
        'you reacted 👍 to what Bob wrote: "it\'s done"',
        "you reacted 👍 to message 9",
    ]
    assert isinstance(items[-1], HistoryEvent)
    assert items[-1].note.startswith('you changed a message of yours to "xxx')
    assert len(items[-1].note) < 250


def test_what_came_with_a_message_changes_with_its_edit() -> None:
    here = said("", media="a live location: 1.00000, 2.00000")
    moved = evolve(edit(1, ""), media="a live location: 1.00000, 3.00000")
    assert (only(here, moved).media, only(here, moved).is_edited) == ("a live location: 1.00000, 3.00000", True)
    assert only(said("", media="a photo"), edit(1, "look")).media == "a photo"
    assert only(evolve(edit(9, ""), media="a photo")).media == "a photo"
