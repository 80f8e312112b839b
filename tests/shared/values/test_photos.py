"""The photos of a message, found in its chat."""

from shared.values.described import photo_in
from shared.values.evolve import evolve
from shared.values.media import MediaKind, MediaRef
from shared.values.message import AnyEntry, Edit
from tests.shared.examples import ANN, BOB, NOW, photos, said

ENTRIES: tuple[AnyEntry, ...] = (
    said("", message_id=1, media_refs=photos("AgAC1")),
    said(
        "",
        message_id=2,
        media_refs=(MediaRef(kind=MediaKind.VIDEO, file_id="BAAC2"), *photos("AgAC3")),
        album_id="a",
    ),
    said("hi", message_id=4),
    said("", message_id=5, media_refs=photos("AgAC5"), album_id="a"),
    said("", message_id=6, media_refs=(MediaRef(kind=MediaKind.STICKER, file_id="CAAC6"),)),
)


def found(message_id: int, index: int | None = None, *more: AnyEntry) -> str:
    """Return the photo's id, or an empty text."""
    ref = photo_in((*ENTRIES, *more), message_id, index)
    return "" if ref is None else ref.file_id


def test_a_photo_is_found_by_its_message_and_by_its_number_among_the_files_of_its_album() -> None:
    assert [found(number) for number in range(8)] == ["", "AgAC1", "AgAC3", "", "", "AgAC3", "", ""]
    # files are numbered as in the prompt: the first file of the album is a film
    assert [found(2, index) for index in range(1, 5)] == ["", "AgAC3", "AgAC5", ""]
    assert [found(5, index) for index in range(1, 5)] == ["", "AgAC3", "AgAC5", ""]


def test_a_photo_that_was_edited_away_is_not_found() -> None:
    new = Edit(at=NOW, message_id=1, author=ANN, media_refs=photos("AgACnew"))
    assert found(1, None, new) == "AgACnew"
    film = Edit(at=NOW, message_id=1, author=ANN, media_refs=(MediaRef(kind=MediaKind.VIDEO, file_id="BAAC"),))
    assert found(1, None, new, film) == ""
    assert found(1, None, Edit(at=NOW, message_id=1, author=ANN, text="look")) == "AgAC1"


def test_of_an_album_that_came_as_one_each_part_is_edited_by_itself() -> None:
    second = Edit(at=NOW, message_id=3, author=ANN, media_refs=photos("AgACnew"))
    assert [found(2, index, second) for index in (2, 3)] == ["AgACnew", "AgAC5"]
    # edits by other people do not change the album
    other = evolve(second, author=BOB)
    assert found(2, 2, other) == "AgAC3"
