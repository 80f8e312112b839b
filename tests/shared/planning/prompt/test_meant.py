"""The messages whose files an answer may be about."""

from datetime import timedelta
from typing import Any

import pytest

from shared.planning.prompt.meant import RECENT, relevant_messages
from shared.values.media import Description, DescriptionOutcome, MediaKind
from shared.values.message import AnyEntry, Author, DueReminder, Edit, MediaDescribed, Message, QuotedMessage
from tests.shared.examples import ANN, BOB, ME, NOW, said
from tests.shared.planning.prompt.files import file, showing
from tests.shared.planning.prompt.scenes import GROUP, scene

CAT = showing(1, file("cat"))


def meant(*entries: AnyEntry, **fields: Any) -> list[tuple[int, bool]]:
    """Return the ids of the messages, and whether a target replies to them."""
    return [(whole.message.message_id, is_meant) for whole, is_meant in relevant_messages(scene(*entries, **fields))]


def test_a_message_to_be_answered_brings_its_own_files_and_no_older_ones() -> None:
    assert meant(CAT, showing(2, file("dog")), targets=[2]) == [(2, False)]
    assert meant(CAT, showing(2, file("dog")), targets=[1, 2]) == [(2, False), (1, False)]
    assert meant(CAT, targets=[]) == []
    assert meant(CAT, targets=[77]) == []


def test_what_a_message_replies_to_counts_however_old_it_is() -> None:
    old = showing(1, file("cat"), author=BOB, at=NOW - timedelta(days=3))
    reply = QuotedMessage(message_id=1, author=BOB)
    between = showing(2, file("dog"))
    for chat in ({}, {"chat": GROUP}):
        assert meant(old, between, said("what is it?", ANN, 3, reply=reply), targets=[3], **chat) == [(1, True)]
    answer = showing(3, file("bird"), reply=reply)
    assert meant(old, between, answer, targets=[3]) == [(3, False), (1, True)]


def test_a_reply_brings_the_file_of_another_chat() -> None:
    def asked(message_id: int, name: str) -> Message:
        return said(
            "what is it?", ANN, message_id, reply=QuotedMessage(message_id=0, author=BOB, media_refs=(file(name),))
        )

    found = relevant_messages(scene(CAT, asked(63, "owl"), asked(64, "bat"), targets=[63, 64]))
    assert [[ref.file_id for ref in whole.refs] for whole, _ in found] == [["id-bat"], ["id-owl"]]


def test_what_is_quoted_and_not_there_is_no_file() -> None:
    elsewhere = said("what is it?", ANN, 3, reply=QuotedMessage(message_id=0, author=BOB))
    gone = said("what is it?", ANN, 3, reply=QuotedMessage(message_id=40, author=BOB))
    for asked in (elsewhere, gone):
        assert meant(asked, targets=[3]) == []


def test_a_reply_brings_the_file_of_a_message_that_is_not_shown_any_more() -> None:
    def asked(message_id: int, about: int, *names: str) -> Message:
        quote = QuotedMessage(message_id=about, author=BOB, media_refs=tuple(map(file, names)))
        return said("what is it?", ANN, message_id, reply=quote)

    found = relevant_messages(scene(CAT, asked(63, 40, "owl"), asked(64, 41, "bat"), targets=[63, 64]))
    assert [([ref.file_id for ref in whole.refs], is_meant) for whole, is_meant in found] == [
        (["id-bat"], True),
        (["id-owl"], True),
    ]
    assert found[0][0].message.author == BOB
    # the message itself knows better, as after an edit
    edited = Edit(at=NOW, message_id=1, author=ANN, media="a photo", media_refs=(file("dog"),))
    ((whole, _),) = relevant_messages(scene(CAT, edited, asked(3, 1, "cat"), targets=[3]))
    assert [ref.file_id for ref in whole.refs] == ["id-dog"]


def test_a_question_right_after_a_file_is_about_it() -> None:
    asked = said("what is it?", ANN, 3)
    answered = said("A cat.", ME, 2)
    assert meant(CAT, answered, asked, targets=[3]) == [(1, False)]
    assert meant(CAT, said("hm", BOB, 2), asked, targets=[3], chat=GROUP) == [(1, False)]
    assert meant(CAT, said("hm", BOB, 2), said("what is it?", BOB, 3), targets=[3], chat=GROUP) == []


def test_only_the_newest_file_before_a_question_counts_and_none_after_it() -> None:
    asked = said("what is it?", ANN, 3)
    assert meant(CAT, showing(2, file("dog")), asked, targets=[3]) == [(2, False)]
    assert meant(CAT, showing(2, file("dog"), author=BOB), asked, targets=[3], chat=GROUP) == []
    assert meant(asked, showing(4, file("dog")), targets=[3]) == []


@pytest.mark.parametrize(("late", "found"), [(timedelta(0), [(1, False)]), (timedelta(seconds=1), [])])
def test_after_some_minutes_a_question_is_about_something_else(late: timedelta, found: list[Any]) -> None:
    assert meant(CAT, said("and?", ANN, 2, at=NOW + RECENT + late), targets=[2]) == found


def test_what_nobody_wrote_asks_about_no_file() -> None:
    reminder = DueReminder(id="r", due_at=NOW)
    assert meant(CAT, said("call Bob", ANN, -2, reminder=reminder), targets=[-2]) == []
    assert meant(CAT, said("Yes", ANN, -2), targets=[-2]) == []


@pytest.mark.parametrize(
    ("author", "kind", "is_found"),
    [
        (ME, MediaKind.PHOTO, True),
        (ME, MediaKind.STICKER, False),
        (ME, MediaKind.VOICE, False),
        (ANN, MediaKind.STICKER, True),
    ],
)
def test_of_its_own_the_agent_is_asked_about_photos(author: Author, kind: MediaKind, is_found: bool) -> None:
    sent = showing(1, file(kind=kind), author=author)
    assert bool(meant(sent, said("which one?", ANN, 2), targets=[2])) is is_found
    # a reply refers to its message, whatever that is
    reply = said("which one?", ANN, 2, reply=QuotedMessage(message_id=1, author=author))
    assert meant(sent, reply, targets=[2]) == [(1, True)]


def test_a_custom_emoji_is_no_file() -> None:
    emoji = file("e", MediaKind.CUSTOM_EMOJI)
    asked = said("what is it? \N{SMIRKING FACE}", ANN, 2, media_refs=(emoji,))
    assert meant(CAT, asked, targets=[2]) == [(1, False)]
    assert meant(asked, said("and now?", ANN, 3), targets=[3]) == []
    ((whole, _),) = relevant_messages(scene(showing(1, file("cat"), emoji), targets=[1]))
    assert [ref.file_id for ref in whole.refs] == ["id-cat"]
    edited = Edit(at=NOW, message_id=1, author=ANN, text="\N{SMIRKING FACE}", media_refs=(emoji,))
    ((whole, _),) = relevant_messages(scene(CAT, edited, targets=[1]))
    assert [ref.file_id for ref in whole.refs] == ["id-cat"]


def test_an_album_is_one_message_whether_it_came_at_once_or_not() -> None:
    at_once = showing(10, file("a"), file("b"), file("c"), album_id="x")
    in_two = (showing(10, file("a"), album_id="x"), showing(11, file("b"), file("c"), album_id="x"))
    reply = said("the last one?", ANN, 20, reply=QuotedMessage(message_id=12, author=ANN))
    for entries in ((at_once,), in_two):
        for targets, more in (([10], ()), ([20], (reply,))):
            ((whole, _),) = relevant_messages(scene(*entries, *more, targets=targets))
            assert (whole.message.message_id, [ref.file_id for ref in whole.refs]) == (10, ["id-a", "id-b", "id-c"])


def test_a_file_is_the_one_that_the_last_edit_has_with_what_is_known_by_now() -> None:
    edited = Edit(at=NOW, message_id=1, author=ANN, media="a photo", media_refs=(file("dog"),))
    described = Description(outcome=DescriptionOutcome.DESCRIBED, shows="a dog")
    told = MediaDescribed(at=NOW, message_ids=(1,), kind=MediaKind.PHOTO, unique_id="u-dog", description=described)
    ((whole, _),) = relevant_messages(scene(CAT, edited, told, targets=[1]))
    assert [(ref.file_id, ref.description) for ref in whole.refs] == [("id-dog", described)]
    words = Edit(at=NOW, message_id=1, author=ANN, text="my cat")
    ((whole, _),) = relevant_messages(scene(CAT, words, targets=[1]))
    assert [ref.file_id for ref in whole.refs] == ["id-cat"]
