"""The parts of an entry, and of its quote, that come from outside."""

from typing import Any

import pytest

from shared.planning.prompt.history import HistoryItem, history_of
from shared.planning.prompt.origins import (
    BY_PROGRAM,
    FORWARD,
    OFFERED_AFTER,
    OTHER_BOT,
    OWN_AFTER,
    QUOTE,
    QUOTE_UNKNOWN,
    SHOWN_BY_FILE,
    is_derived,
    outside_of_entry,
    outside_of_quote,
)
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import Author, Edit, Event, MediaDescribed, Message, QuotedMessage
from shared.values.origin import UNSEEN_BEFORE
from tests.shared.examples import ANN, BOB, ME, NOW, said

BOT = Author(id=900, name="Newsbot", is_bot=True)


@pytest.mark.parametrize(
    ("entry", "outside"),
    [
        (said("hi"), ""),
        (said("hi", ME), ""),
        (said("hi", forwarded_from=BOB), FORWARD),
        (said("hi", forwarded_from=ANN), ""),  # forwarded by the author of the words
        (said("hi", forwarded_from=ME), FORWARD),  # the agent may have written about somebody there
        (said("hi", forwarded_from=Author(id=0, name="Ann")), FORWARD),  # a hidden author may be any person
        (said("hi", BOT), OTHER_BOT),
        (said("hi", holds_outside=True), BY_PROGRAM),
        (said("hi", ME, holds_outside=True), OWN_AFTER),
        (said("chose: A", message_id=-5, holds_outside=True), OFFERED_AFTER),
        (Event(at=NOW, kind="unknown_delivery", note="x", holds_outside=True), OWN_AFTER),
        (Event(at=NOW, kind="unknown_delivery", note="x"), ""),
    ],
)
def test_an_entry_says_what_of_it_is_from_outside(entry: Any, outside: str) -> None:
    assert outside_of_entry(entry) == outside


@pytest.mark.parametrize(
    ("quote", "is_known", "outside"),
    [
        (QuotedMessage(message_id=3, author=BOB, excerpt="hi"), False, ""),
        (QuotedMessage(message_id=0, author=BOB, excerpt="hi"), False, QUOTE),
        (QuotedMessage(message_id=0, author=ME, excerpt="hi"), False, QUOTE),
        (QuotedMessage(message_id=0, author=ANN, excerpt="hi"), False, ""),  # their words from another chat
        (
            QuotedMessage(message_id=0, author=Author(id=0, name=ANN.name), excerpt="hi"),
            False,
            QUOTE,
        ),  # perhaps a namesake
        (QuotedMessage(message_id=0, excerpt="hi"), False, QUOTE),
        (QuotedMessage(message_id=3, author=BOB, forwarded_from=ANN, excerpt="hi"), True, QUOTE),
        (QuotedMessage(message_id=3, author=BOB, forwarded_from=BOB, excerpt="hi"), True, ""),  # their own words
        (QuotedMessage(message_id=3, forwarded_from=BOB, excerpt="hi"), True, QUOTE),
        (QuotedMessage(message_id=3, author=BOT, excerpt="hi"), True, QUOTE),
        (QuotedMessage(message_id=3, author=BOB, excerpt="a file: x", holds_outside=True), False, QUOTE),
        (QuotedMessage(message_id=3, author=ME, excerpt="hi"), True, ""),
        (QuotedMessage(message_id=3, author=ME, excerpt="hi"), False, QUOTE_UNKNOWN),
        (QuotedMessage(message_id=3, author=ME, excerpt="hi", is_unmarked=True), False, ""),
        (QuotedMessage(message_id=3), False, ""),
    ],
)
def test_a_quote_says_what_of_it_is_from_outside(quote: QuotedMessage, is_known: bool, outside: str) -> None:
    assert outside_of_quote(quote, ANN, is_known=is_known) == outside


def test_nobody_who_hides_quotes_their_own_words_from_elsewhere() -> None:
    hidden = Author(id=0, name="Ann")
    assert outside_of_quote(QuotedMessage(message_id=0, author=hidden, excerpt="hi"), hidden, is_known=False) == QUOTE
    assert outside_of_quote(QuotedMessage(message_id=0, author=BOT, excerpt="hi"), BOT, is_known=False) == QUOTE


def outside_of(*entries: Any, after: int = 0) -> list[str]:
    return [item.outside for item in _items(entries, after)]


def _items(entries: Any, after: int) -> tuple[HistoryItem, ...]:
    return history_of(entries, after)


def test_nothing_is_washed_by_being_quoted_edited_or_reacted_to() -> None:
    tainted = said("obey", ME, 5, seq=5, holds_outside=True)
    reply = said("what?", message_id=6, seq=6, reply=QuotedMessage(message_id=5, author=ME, excerpt="obey"))
    edit = Edit(seq=7, at=NOW, message_id=5, author=ME, text="obey now")
    assert outside_of(tainted, reply, edit) == [OWN_AFTER, OWN_AFTER, OWN_AFTER]
    assert outside_of(tainted, reply, edit, after=5) == [OWN_AFTER, OWN_AFTER]


def test_a_file_named_in_an_edit_or_in_a_part_of_an_album_counts() -> None:
    part = said("", message_id=2, album_id="a", media="a file: x", holds_outside=True)
    assert outside_of(said("look", album_id="a", media="a photo"), part) == [BY_PROGRAM]
    assert outside_of(said("hi"), Edit(at=NOW, message_id=1, author=ANN, text="x", holds_outside=True)) == [BY_PROGRAM]


def test_what_the_agent_quotes_is_not_shown_and_does_not_count() -> None:
    forward = said("obey", message_id=3, forwarded_from=BOB, seq=3)
    answer = said(
        "No.", ME, 4, seq=4, reply=QuotedMessage(message_id=3, author=ANN, forwarded_from=BOB, excerpt="obey")
    )
    assert outside_of(forward, answer, after=3) == [""]
    assert isinstance(answer, Message)


def test_what_is_told_up_to_a_number_counts_as_no_text_from_outside() -> None:
    forward = said("obey", forwarded_from=BOB, message_id=1, seq=1)
    quotes = QuotedMessage(message_id=1, author=ANN, forwarded_from=BOB, excerpt="obey")
    own = said("As you wish.", ME, 2, seq=2, holds_outside=True)
    later = [said("that", message_id=3, seq=3, reply=quotes), said("more", message_id=4, seq=4, forwarded_from=BOB)]
    elsewhere = said("this", message_id=5, seq=5, reply=QuotedMessage(message_id=0, author=BOB, excerpt="obey"))
    entries = (forward, own, *later, elsewhere)
    assert [item.outside for item in history_of(entries)] == [FORWARD, OWN_AFTER, QUOTE, FORWARD, QUOTE]
    assert [item.outside for item in history_of(entries, unmarked=2)] == ["", "", "", FORWARD, QUOTE]
    edited = Edit(at=NOW, seq=6, message_id=1, author=BOT, text="obey more")
    assert history_of((*entries, edited), unmarked=5)[0].outside == OTHER_BOT


def told(shows: str = "a garden", written: str = "", seq: int = 3) -> MediaDescribed:
    shown = Description(outcome=DescriptionOutcome.DESCRIBED, shows=shows, written=written)
    return MediaDescribed(
        seq=seq, at=NOW, message_ids=(1,), kind=MediaKind.PHOTO, unique_id="u", description=shown,
        holds_outside=bool(written),
    )  # fmt: skip


def test_what_was_said_of_a_photo_is_marked_until_it_is_known_that_no_text_stands_in_it() -> None:
    photo = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="u")
    sent = said("look", message_id=1, seq=1, media="a photo", media_refs=(photo,))
    answer = said("Nice.", ME, 2, seq=2, holds_outside=True, unseen=("u",))
    assert outside_of(sent, answer) == ["", UNSEEN_BEFORE]
    assert is_derived([UNSEEN_BEFORE]), "what follows is not marked for ever, if nobody ever looks"
    assert outside_of(sent, answer, told()) == ["", "", ""]
    assert outside_of(sent, answer, told(written="Obey")) == ["", OWN_AFTER, SHOWN_BY_FILE]
    failed = evolve(told(), description=Description(outcome=DescriptionOutcome.PERMANENT_FAILURE))
    assert outside_of(sent, answer, failed)[:2] == ["", OWN_AFTER]
    both = evolve(answer, unseen=("u", "v"))
    assert outside_of(sent, both, told())[1] == UNSEEN_BEFORE, "of another nothing is known"
    quoting = said("what?", message_id=4, seq=4, reply=QuotedMessage(message_id=2, author=ME, excerpt="Nice."))
    assert outside_of(sent, answer, told(), quoting, after=3) == [""]
