"""A sticker, and the text in its place."""

import pytest
from pydantic import ValidationError

from shared.media.tasks.sticker import Sticker
from shared.tasks.send import Send
from shared.tasks.task import TaskNote
from shared.values.stickers import StickerRequest


@pytest.mark.parametrize("fields", [{"sticker": "😂"}, {"set": "Moods"}, {"sticker": "", "set": "Moods"}])
def test_both_the_set_and_the_sticker_are_needed(fields: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Sticker.model_validate(fields)


@pytest.mark.parametrize(
    ("name", "emoji"), [("😂", "😂"), ("😂 2", "😂"), ("❤️", "❤"), ("👍🏽", "👍🏽"), ("a cat", ""), ("7", "")]
)
def test_its_emoji_is_what_words_can_say_of_it(name: str, emoji: str) -> None:
    task = Sticker(id="2", depends_on=("1",), sticker=name, set="Moods", reply_to=9)
    in_words = Send(id="2", depends_on=("1",), text=emoji, reply_to=9) if emoji else None
    assert (task.emoji, task.in_words()) == (emoji, in_words)


def test_it_tells_which_it_is() -> None:
    task = Sticker(sticker="😂", set="Moods")
    assert task.sticker_request == StickerRequest("Moods", "😂")
    assert task.pending(0, None) == TaskNote("sticker 😂 of the set Moods")
    assert task.in_doubt(0) == TaskNote("a sticker of yours (😂) may or may not have arrived")
    assert task.summary() == "😂 of Moods"


def test_what_was_sent_in_its_place_is_told_if_anything_was() -> None:
    assert Sticker(sticker="😂", set="M").unsent().endswith("; its emoji was sent as text instead")
    assert Sticker(sticker="a cat", set="M").unsent() == 'your sticker a cat of the set "M" could not be sent here'
