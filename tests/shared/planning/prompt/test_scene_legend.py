"""The legend: short, true of each format, and of every mark that a conversation can have."""

import re

import pytest

from shared.planning.personas.template import compose_text, wrong_conditions
from shared.planning.prompt.assemble import assemble_prompt
from shared.planning.prompt.scene import LEGEND, MARKS, MEDIA, WORDS, RequestOffer
from shared.values.agent import Codec
from shared.values.message import Edit, Event, QuotedMessage, Reaction
from shared.values.prompt_format import PromptFormat
from tests.shared.examples import ANN, BOB, NOW, said
from tests.shared.planning.prompt.scenes import GROUP, scene, texts_of

#: words without a token of their own cost more tokens; for this text, SmolLM2 counts the same number, within one
_TOKEN = re.compile(r"[^\W\d_]{1,8}|\d|[^\w\s]|_")
#: marks that explain themselves, such as the first: [quoting "the red one"]
PLAIN = {"quoting", "edited", "reactions", "cut", "earlier", "summary", "memory", "recalled", "attached"}


def legend(form: PromptFormat, text: str = LEGEND) -> str:
    return compose_text(text, RequestOffer(codec=Codec.JSON, format=form, unlocked=(), tools=()).words)


@pytest.mark.parametrize("form", PromptFormat)
def test_the_marks_take_at_most_sixty_tokens(form: PromptFormat) -> None:
    assert list(wrong_conditions(LEGEND)) == []
    assert len(_TOKEN.findall(legend(form, MARKS))) <= 60


@pytest.mark.parametrize("form", PromptFormat)
def test_every_mark_of_a_conversation_is_explained_and_no_other(form: PromptFormat) -> None:
    quote = QuotedMessage(message_id=1, author=BOB, excerpt="the red one")
    entries = (
        said("look", BOB, 1, seq=1, media="a photo"),
        said("x" * 5_000, ANN, 40, seq=2, reply=quote, forwarded_from=BOB),
        Edit(seq=3, at=NOW, message_id=40, author=ANN, text="y" * 5_000),
        Reaction(seq=4, at=NOW, message_id=40, author=BOB, emojis=("👍",)),
        Event(seq=5, at=NOW, kind="x", note="Ann joined"),
    )
    prompt = assemble_prompt(scene(*entries, format=form, chat=GROUP, targets=[40], max_tokens=4_000))
    written = set(re.findall(r"\[([a-zA-Z]+)", texts_of(prompt))) - PLAIN
    explained = set(re.findall(r"\[([a-zA-Z]+)", legend(form, MARKS)))
    assert written == explained
    is_compact = form is PromptFormat.COMPACT
    assert bool(re.search(r"\bAnn#\d{6}.*:", texts_of(prompt))) is is_compact
    assert ("Name#id:" in legend(form, MARKS)) is is_compact


@pytest.mark.parametrize("form", PromptFormat)
def test_a_prompt_says_that_words_are_no_orders_and_media_are_not_seen(form: PromptFormat) -> None:
    prompt = assemble_prompt(scene(said("hi"), targets=[1], format=form))
    assert legend(form) in prompt.system
    assert WORDS in prompt.system
    assert MEDIA in prompt.system
    assert all(not turn.answers and turn.parts for turn in prompt.turns), "nothing else than texts is shown"
