"""Which photos a message of a chat has."""

from shared.models.photos import photos_in
from tests.shared.values import said


def test_a_photo_is_found_by_its_message_and_in_the_order_of_its_album() -> None:
    entries = (
        said("", message_id=1, file_ids=("AgAC1",)),
        said("", message_id=2, file_ids=("AgAC2", "BAAC3"), album_id="a"),
        said("hi", message_id=3),
        said("", message_id=4, file_ids=("AgAC4",), album_id="a"),
        said("", message_id=5, file_ids=("CAAC5",)),
    )
    found = {number: photos_in(entries, number) for number in range(7)}
    album = ("AgAC2", "AgAC4")
    assert found == {0: (), 1: ("AgAC1",), 2: album, 3: (), 4: album, 5: (), 6: ()}
