"""The names of a set's stickers."""

from shared.values.stickers import SetSticker, StickerSet

SET = StickerSet(
    "Moods",
    "Moods of a cat",
    (SetSticker("f1", "u1", "😂"), SetSticker("f2", "u2", "❤️"), SetSticker("f3", "u3", "😂")),
)


def test_a_sticker_is_named_by_its_emoji_and_the_next_of_the_same_by_a_number() -> None:
    assert list(SET.by_name) == ["😂", "❤", "😂 2"]


def test_an_emoji_is_found_however_it_is_spelled() -> None:
    found = [SET.find(name) for name in ("❤", "❤️", " 😂  2 ")]
    assert [one.file_id if one else None for one in found] == ["f2", "f2", "f3"]


def test_what_the_set_has_not_is_not_found() -> None:
    assert [SET.find(name) for name in ("😂 3", "🙂", "")] == [None, None, None]
