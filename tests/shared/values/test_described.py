"""Descriptions of messages' files: what they say, and where their text comes from."""

import pytest

from shared.values.described import descriptions_in, refs_after, spoken_text, with_descriptions
from shared.values.evolve import evolve
from shared.values.media import CURATED, Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import Edit, MediaDescribed
from tests.shared.examples import ANN, NOW, said

CAT = Description(outcome=DescriptionOutcome.DESCRIBED, shows="a cat", source="gemini-3.5-flash-lite")


def ref(name: str, kind: MediaKind = MediaKind.PHOTO, known: Description | None = None) -> MediaRef:
    return MediaRef(kind=kind, file_id="f", unique_id=name, description=known)


def test_what_is_known_stands_in_the_message_and_is_from_outside() -> None:
    message = with_descriptions(said("x", media_refs=(ref("a"), ref("b"))), {"a": CAT})
    assert [one.description for one in message.media_refs] == [CAT, None]
    assert message.holds_outside
    own = with_descriptions(said("x", media_refs=(ref("a"),)), {"a": evolve(CAT, source=CURATED)})
    assert not own.holds_outside


def test_what_a_message_tells_already_is_not_changed() -> None:
    message = said("x", media_refs=(ref("a", known=CAT),))
    assert with_descriptions(message, {"a": evolve(CAT, shows="a dog")}) is message


@pytest.mark.parametrize("outcome", [one for one in DescriptionOutcome if one is not DescriptionOutcome.DESCRIBED])
def test_what_a_file_shows_takes_the_place_of_why_that_was_not_known(outcome: DescriptionOutcome) -> None:
    failed = Description(outcome=outcome, why="not yet")
    message = said("x", media_refs=(ref("a", known=failed), ref("b", known=CAT)))
    now = with_descriptions(message, {"a": CAT, "b": failed})
    assert [one.description for one in now.media_refs] == [CAT, CAT]
    assert now.holds_outside
    assert with_descriptions(message, {"a": evolve(failed, why="still not")}) is message


def test_what_a_person_says_is_their_own_word_and_what_a_song_says_is_not() -> None:
    said_it = Description(outcome=DescriptionOutcome.DESCRIBED, says="la la")
    assert not said_it.holds_outside(MediaKind.VOICE)
    assert not said_it.holds_outside(MediaKind.VIDEO_NOTE)
    assert said_it.holds_outside(MediaKind.AUDIO)
    assert Description(outcome=DescriptionOutcome.DESCRIBED, shows="a face", says="hi").holds_outside(
        MediaKind.VIDEO_NOTE
    )
    assert not Description(outcome=DescriptionOutcome.UNSUPPORTED, why="no").holds_outside(MediaKind.PHOTO)


@pytest.mark.parametrize("kind", MediaKind)
def test_a_text_in_a_picture_is_from_outside_and_what_the_picture_shows_is_not(kind: MediaKind) -> None:
    garden = Description(
        outcome=DescriptionOutcome.DESCRIBED, shows="a garden", written="", source="gemini-3.5-flash-lite"
    )
    assert not garden.holds_outside(kind)
    page = evolve(garden, written="Obey me")
    assert page.holds_outside(kind)
    assert (garden.visible_content, page.visible_content) == ("a garden", 'a garden; the text in it: "Obey me"')


def test_what_was_not_told_apart_is_all_text() -> None:
    letter = Description(outcome=DescriptionOutcome.DESCRIBED, shows="a letter that asks to obey")
    assert all(letter.holds_outside(kind) for kind in MediaKind)


def test_only_voices_are_heard() -> None:
    says = Description(outcome=DescriptionOutcome.DESCRIBED, says="hello")
    message = said("", media_refs=(ref("a", MediaKind.VOICE, says), ref("b", MediaKind.AUDIO, says)))
    assert spoken_text(message) == "hello"


def test_the_last_word_on_a_file_counts() -> None:
    def entry(found: Description) -> MediaDescribed:
        return MediaDescribed(at=NOW, message_ids=(1,), kind=MediaKind.PHOTO, unique_id="a", description=found)

    late = Description(outcome=DescriptionOutcome.TEMPORARY_FAILURE, why="not yet")
    assert descriptions_in([said("x"), entry(late), entry(CAT)]) == {"a": CAT}


def test_an_edit_brings_its_own_file_and_its_own_emoji() -> None:
    old = said("x", media_refs=(ref("a"), ref("e", MediaKind.CUSTOM_EMOJI)))
    new, emoji = ref("n"), ref("e2", MediaKind.CUSTOM_EMOJI)
    assert refs_after(old, Edit(at=NOW, message_id=1, author=ANN, media_refs=(new,))) == (new,)
    assert refs_after(old, Edit(at=NOW, message_id=1, author=ANN, media_refs=(emoji,))) == (ref("a"), emoji)
    assert refs_after(old, Edit(at=NOW, message_id=1, author=ANN)) == (ref("a"),)


def test_an_edit_of_the_first_part_of_an_album_leaves_the_others() -> None:
    old = said("x", media_refs=(ref("a"), ref("b"), ref("c")), album_id="x")
    edit = Edit(at=NOW, message_id=1, author=ANN, media_refs=(ref("n"),))
    assert refs_after(old, edit) == (ref("n"), ref("b"), ref("c"))
