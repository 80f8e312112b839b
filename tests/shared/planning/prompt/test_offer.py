"""The offer of a request, and the condition words that hold for it."""

import pytest

from shared.planning.format.schema import format_instructions
from shared.planning.personas.template import condition_words
from shared.planning.prompt.scene import RequestOffer
from shared.tasks.registry import unlockable
from shared.values.agent import Codec
from shared.values.prompt_format import PromptFormat

EVERY = tuple(unlockable())
CHOICES = ("choices", "choices_for")


@pytest.mark.parametrize(
    ("codec", "form", "unlocked", "tools", "words"),
    [
        (Codec.JSON, PromptFormat.META, ("send",), (), {"json", "meta", "send", "text", "reply_to", *CHOICES}),
        (Codec.JSON, PromptFormat.COMPACT, ("send", "react"), (), {"json", "compact", "send", "text", *CHOICES}),
        (Codec.MARKDOWN, PromptFormat.COMPACT, ("wait",), (), {"markdown", "compact", "wait", "seconds"}),
        (
            Codec.JSON,
            PromptFormat.META,
            ("react",),
            ("calculate",),
            {"json", "meta", "react", "emoji", "message_id", "functions", "calculate"},
        ),
    ],
)
def test_the_words_are_what_is_offered(
    codec: Codec, form: PromptFormat, unlocked: tuple[str, ...], tools: tuple[str, ...], words: set[str]
) -> None:
    offer = RequestOffer(codec=codec, format=form, unlocked=unlocked, tools=tools)
    assert offer.words == words
    assert offer.words <= condition_words()


def test_what_must_name_a_message_is_offered_only_where_messages_are_named() -> None:
    offers = {form: RequestOffer(codec=Codec.JSON, format=form, unlocked=EVERY, tools=()) for form in PromptFormat}
    assert offers[PromptFormat.META].kinds == EVERY
    assert offers[PromptFormat.COMPACT].kinds == tuple(kind for kind in EVERY if kind != "react")


def test_the_spelling_is_of_what_is_offered() -> None:
    offer = RequestOffer(codec=Codec.MARKDOWN, format=PromptFormat.COMPACT, unlocked=EVERY, tools=())
    assert offer.format_instructions == format_instructions(offer.kinds, Codec.MARKDOWN, names_messages=False)
    assert RequestOffer(codec=Codec.JSON, format=PromptFormat.META, unlocked=EVERY, tools=()).format_instructions == ""
