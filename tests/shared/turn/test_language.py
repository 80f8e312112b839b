"""In which language lull speaks about a batch."""

import pytest

from shared.models.chat import Chat
from shared.models.chat_key import ChatKind
from shared.models.decision import Decision, Tier
from shared.models.message import Message
from shared.turn.batch import Batch
from shared.turn.language import words_for
from tests.shared.values import ANN, BOB, KEY, said


def wrote(update: int, *, is_answered: bool) -> Message:
    decision = Decision(respond=is_answered, reason="private chat", tier=Tier.EXPLICIT)
    return said("Hi", ANN if is_answered else BOB, update, updates=(update,), decision=decision)


@pytest.mark.parametrize(
    ("languages", "last_language", "language"),
    [
        ({1: "uk", 2: "de"}, "", "uk"),
        ({2: "de"}, "uk", "de"),
        ({}, "uk", "uk"),
        ({}, "", "en"),
        ({1: "tlh", 2: "de"}, "uk", "en"),
    ],
    ids=["who is answered", "who wrote last", "the chat's", "nobody's", "one without a catalogue"],
)
def test_lull_speaks_the_language_of_who_is_answered(
    languages: dict[int, str], last_language: str, language: str
) -> None:
    entries = (wrote(1, is_answered=True), wrote(2, is_answered=False))
    batch = Batch(update_ids=(1, 2), entries=entries, kind=ChatKind.GROUP, title="", languages=languages)
    assert words_for(batch, Chat(key=KEY, last_language=last_language)).language == language
