"""Which photos a message of a chat has."""

from shared.models.media import MediaKind, MediaRef
from shared.models.photos import photos_in
from tests.shared.values import photos, said


def test_a_photo_is_found_by_its_message_and_in_the_order_of_its_album() -> None:
    entries = (
        said("", message_id=1, media_refs=photos("AgAC1")),
        said(
            "",
            message_id=2,
            media_refs=(*photos("AgAC2"), MediaRef(kind=MediaKind.VIDEO, file_id="BAAC3")),
            album_id="a",
        ),
        said("hi", message_id=3),
        said("", message_id=4, media_refs=photos("AgAC4"), album_id="a"),
        said("", message_id=5, media_refs=(MediaRef(kind=MediaKind.STICKER, file_id="CAAC5"),)),
    )
    found = {number: photos_in(entries, number) for number in range(7)}
    album = ("AgAC2", "AgAC4")
    assert found == {0: (), 1: ("AgAC1",), 2: album, 3: (), 4: album, 5: (), 6: ()}
