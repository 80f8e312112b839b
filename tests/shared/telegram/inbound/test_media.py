"""The files of raw messages, as references."""

import pytest

from shared.telegram.inbound.content import CONTENT
from shared.telegram.inbound.media import media_refs_of
from shared.values.media import MediaKind, MediaRef
from tests.shared.updates import RAW


def test_a_photo_is_its_largest_size() -> None:
    sizes = RAW["photo_sizes_caption_entities"]["message"]["photo"]
    (ref,) = media_refs_of({"photo": sizes})
    assert (ref.kind, ref.file_id, ref.unique_id) == (
        MediaKind.PHOTO,
        sizes[-1]["file_id"],
        sizes[-1]["file_unique_id"],
    )
    assert (ref.width, ref.height) == (sizes[-1]["width"], sizes[-1]["height"])


@pytest.mark.parametrize("name", ["voice", "animation_gif", "document_no_mime_huge", "sticker_animated_tgs"])
def test_a_file_is_told_with_what_telegram_says_of_it(name: str) -> None:
    message = RAW[name]["message"]
    (ref,) = media_refs_of(message)
    file = message[ref.kind.value]
    assert (ref.file_id, ref.unique_id) == (file["file_id"], file["file_unique_id"])
    known = ("mime_type", "duration", "width", "height", "emoji", "set_name", "file_size")
    told = (ref.mime_type, ref.duration_s, ref.width, ref.height, ref.emoji, ref.set_name, ref.size)
    assert told == tuple(file.get(name, type(one)()) for name, one in zip(known, told, strict=True))


@pytest.mark.parametrize(
    "message", [{}, {"photo": []}, {"photo": [7]}, {"voice": {"file_id": 7}}, {"venue": {"title": "x"}}]
)
def test_what_has_no_file_has_no_reference(message: dict[str, object]) -> None:
    assert media_refs_of(message) == ()


@pytest.mark.parametrize("mime", ["application/force-download", "application/octet-stream", "", None])
def test_a_document_of_no_telling_type_is_what_its_name_says(mime: str | None) -> None:
    (ref,) = media_refs_of({"document": {"file_id": "f", "file_name": "plan.pdf", "mime_type": mime}})
    (unnamed,) = media_refs_of({"document": {"file_id": "f", "mime_type": mime}})
    assert (ref.mime_type, unnamed.mime_type) == ("application/pdf", "")


def test_a_live_photos_file_is_its_still_picture() -> None:
    message = {"live_photo": {"file_id": "film"}, "photo": [{"file_id": "small"}, {"file_id": "large"}]}
    assert media_refs_of(message) == (MediaRef(kind=MediaKind.PHOTO, file_id="large", words="a live photo"),)


def test_a_round_video_is_as_wide_as_it_is_high_and_a_cover_is_kept() -> None:
    file = {"file_id": "f", "length": 240, "duration": 7}
    (ref,) = media_refs_of({"video_note": file, "has_media_spoiler": True})
    assert (ref.width, ref.height, ref.duration_s, ref.is_spoiler) == (240, 240, 7, True)


def test_each_file_is_told_in_its_own_words() -> None:
    (covered,) = media_refs_of({"photo": [{"file_id": "f"}], "has_media_spoiler": True})
    (named,) = media_refs_of({"document": {"file_id": "f", "file_name": "x" * 500}})
    assert (covered.words, named.words) == ("a photo, covered as a spoiler", f"a file: {'x' * 80}")


@pytest.mark.parametrize("odd", [-1, 2**70, "7", True, None, 1.5, {}], ids=repr)
def test_odd_numbers_and_texts_cost_only_themselves(odd: object) -> None:
    (ref,) = media_refs_of({"voice": {"file_id": "\ud83d", "duration": odd, "file_size": odd, "mime_type": odd}})
    assert (ref.file_id, ref.duration_s, ref.size) == ("\ufffd", 0, 0)


def test_every_kind_of_file_is_a_row() -> None:
    # a custom emoji is a part of the text
    assert {kind.media for kind in CONTENT if kind.media} | {"custom_emoji"} == {kind.value for kind in MediaKind}


def test_custom_emoji_are_files_too_each_once_and_not_more_than_three() -> None:
    emoji = [{"type": "custom_emoji", "offset": 2 * n, "length": 2, "custom_emoji_id": str(n % 4)} for n in range(5)]
    refs = media_refs_of({"text": "🐈🐕🐄🐎🐈", "entities": emoji})
    assert [(one.file_id, one.unique_id, one.emoji) for one in refs] == [
        ("0", "emoji-0", "🐈"),
        ("1", "emoji-1", "🐕"),
        ("2", "emoji-2", "🐄"),
    ]


@pytest.mark.parametrize(
    "odd", ["a/b", "..", ".", "__x.y", "__id__", "a b", "é", "x" * 101, "a\n", "", "\ud83d", 7, None], ids=repr
)
def test_an_id_that_could_name_no_document_is_none(odd: object) -> None:
    (ref,) = media_refs_of({"voice": {"file_id": "f", "file_unique_id": odd}})
    assert (ref.file_id, ref.unique_id) == ("f", "")


@pytest.mark.parametrize("odd", ["1/2", "x", "١", "1" * 101])
def test_an_emoji_whose_id_is_no_number_is_told_as_it_is(odd: str) -> None:
    entity = {"type": "custom_emoji", "offset": 0, "length": 2, "custom_emoji_id": odd}
    (ref,) = media_refs_of({"text": "🐈", "entities": [entity]})
    assert (ref.unique_id, ref.emoji) == ("", "🐈")
