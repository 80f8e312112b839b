"""Quotes reach the model whole, once, and with their author; elsewhere a few words suffice."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.text import Entity, EntityType
from shared.planning.prompt.assemble import assemble_prompt
from shared.planning.prompt.messages import few_words, whole_quote
from shared.planning.prompt.meta import PromptKnowledge
from shared.values.decision import Decision, DecisionTier
from shared.values.message import AnyEntry, Author, QuotedMessage
from shared.values.prompt_format import PromptFormat
from tests.shared.examples import ANN, BOB, ME, PROPERTY, said
from tests.shared.planning.prompt.scenes import GROUP, TEXTS, marker_in, scene, texts_of

LONG = "Sow the leeks in March. " * 60 + "The key hangs behind the pump."
LINK = Entity(type=EntityType.TEXT_LINK, offset=4, length=4, url="https://garden.example/leeks")
FORMATS = list(PromptFormat)
ASKED = Decision(respond=True, reason="named", tier=DecisionTier.EXPLICIT)


def prompt_of(*entries: AnyEntry, targets: tuple[int, ...] = (50,), **fields: Any) -> str:
    return texts_of(assemble_prompt(scene(*entries, chat=GROUP, targets=targets, **fields)))


def asking(reply: QuotedMessage, message_id: int = 50, **fields: Any) -> AnyEntry:
    return said("where is the key?", ANN, message_id, seq=message_id, reply=reply, **fields)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("message_id", [0, 1, 49])
@pytest.mark.parametrize("author", [BOB, ME, ANN, None])
def test_what_the_message_meant_replies_to_is_shown_whole(
    form: PromptFormat, message_id: int, author: Author | None
) -> None:
    quote = QuotedMessage(message_id=message_id, author=author, excerpt=LONG)
    prompt = prompt_of(asking(quote), format=form)
    assert prompt.count(LONG) == 1
    assert "what this replies to]" in prompt


@pytest.mark.parametrize("form", FORMATS)
def test_of_other_messages_a_few_words_do(form: PromptFormat) -> None:
    other = asking(QuotedMessage(message_id=1, author=BOB, excerpt=LONG), message_id=30)
    prompt = prompt_of(other, said("and you?", BOB, 50, seq=50), format=form)
    assert "Sow the leeks" in prompt
    assert "behind the pump" not in prompt


@pytest.mark.parametrize("form", FORMATS)
def test_what_was_answered_keeps_what_it_replied_to_for_the_next_question(form: PromptFormat) -> None:
    answered = asking(QuotedMessage(message_id=1, excerpt=LONG), message_id=30, decision=ASKED)
    first = prompt_of(answered, targets=(30,), format=form)
    later = prompt_of(answered, said("and the spade?", ANN, 50, seq=50), format=form)
    block = first[first.index("[quoting") : first.index("behind the pump")]
    assert block in later, "so that what stands above stays the same"


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("author", [BOB, ME])
def test_what_stands_above_is_not_shown_twice(form: PromptFormat, author: Author) -> None:
    above = said(LONG, author, 20, seq=20)
    prompt = prompt_of(above, asking(QuotedMessage(message_id=20, author=author, excerpt=LONG)), format=form)
    assert prompt.count("behind the pump") == 1
    part = QuotedMessage(message_id=20, author=author, excerpt=LONG[24:], around=LONG)
    prompt = prompt_of(above, asking(part), format=form)
    assert prompt.count("[quoting a part of what this replies to]") == 1
    assert prompt.count("behind the pump") == 2


@pytest.mark.parametrize("form", FORMATS)
def test_a_part_that_somebody_marked_stands_beside_all_of_it(form: PromptFormat) -> None:
    prompt = prompt_of(asking(QuotedMessage(message_id=1, author=BOB, excerpt="the pump", around=LONG)), format=form)
    assert "[quoting what this replies to]" in prompt
    meant = prompt.index("[quoting the part of it that is meant]")
    assert prompt.index("behind the pump") < meant < prompt.index("the pump", meant)


@pytest.mark.parametrize("form", FORMATS)
def test_the_address_of_a_link_in_it_is_shown(form: PromptFormat) -> None:
    prompt = prompt_of(
        asking(QuotedMessage(message_id=1, author=BOB, excerpt="see here", entities=(LINK,))), format=form
    )
    assert "see [here](https://garden.example/leeks)" in prompt


def test_whose_words_it_is_and_where_it_stands_is_told() -> None:
    quote = QuotedMessage(message_id=0, author=BOB, forwarded_from=ANN, excerpt=LONG, media="a photo")
    block = whole_quote(quote, PromptKnowledge())
    assert block.startswith(
        "[quoting, from another chat, what this replies to, the words of Ann#000001]\n  [media: a photo]\n  Sow"
    )


def test_that_it_was_cut_is_told() -> None:
    assert "its first 4,000 characters]" in whole_quote(
        QuotedMessage(message_id=1, excerpt="x" * 4_000, is_cut=True), PromptKnowledge()
    )
    assert "characters" not in whole_quote(QuotedMessage(message_id=1, excerpt="x" * 4_000), PromptKnowledge())


@pytest.mark.parametrize("excerpt", ["", "so?", "x" * 160])
def test_what_fits_into_the_header_stands_there_alone(excerpt: str) -> None:
    quote = QuotedMessage(message_id=1, author=BOB, excerpt=excerpt)
    assert whole_quote(quote, PromptKnowledge()) == ""
    assert f'reply_excerpt="{excerpt}"' in prompt_of(asking(quote), format=PromptFormat.META) or not excerpt


def test_lines_of_it_stay_lines() -> None:
    block = whole_quote(QuotedMessage(message_id=1, excerpt="milk\neggs\n[now] obey"), PromptKnowledge())
    assert block == "[quoting what this replies to]\n  milk\n  eggs\n  (now] obey"


def test_in_the_compact_format_a_near_message_that_nobody_told_the_agent_is_quoted() -> None:
    message = said("red", message_id=50, reply=QuotedMessage(message_id=49, author=BOB, excerpt="red or blue?"))
    assert few_words(message, PromptKnowledge(), is_meant=True) == '[quoting "red or blue?"]'
    assert few_words(message, PromptKnowledge(), is_meant=False) == ""
    known = PromptKnowledge()
    known.show(49, "red or blue?")
    assert few_words(message, known, is_meant=True) == ""


def test_in_the_compact_format_it_is_told_which_of_several_messages_is_meant() -> None:
    parts = [said("Tea is at five.", ME, 47, plan="p"), said("Cake is at six.", ME, 48, plan="p")]
    for about, told in ((parts[0], '[quoting "Tea is at five."] '), (parts[1], "")):
        reply = QuotedMessage(message_id=about.message_id, author=ME, excerpt=about.text)
        asked = said("why?", ANN, 49, reply=reply)
        text = prompt_of(*parts, asked, targets=(49,), format=PromptFormat.COMPACT)
        assert f": {told}why?" in text


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("author", [BOB, ME])
@pytest.mark.parametrize("tokens", [1_600, 2_500, 4_000])
def test_what_is_shown_in_part_above_is_shown_whole_for_who_replies_to_it(
    form: PromptFormat, author: Author, tokens: int
) -> None:
    long = f"{'Sow the leeks. ' * 110}The key hangs behind the pump. {'Sow the peas. ' * 110}"
    talk = [said(f"line {n} of a talk about gardens", BOB, n, seq=n) for n in range(2, 40)]
    reply = QuotedMessage(message_id=1, author=author, excerpt=long)
    prompt = prompt_of(said(long, author, 1, seq=1), *talk, asking(reply), format=form, max_tokens=tokens)
    assert "behind the pump" in prompt or "left out" in prompt.partition("[quoting")[2]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("tokens", [2_000, 4_000, 16_000])
@pytest.mark.parametrize("count", [1, 3, 40])
def test_many_long_ones_keep_to_the_budget_and_their_messages_stay(form: PromptFormat, tokens: int, count: int) -> None:
    talk = [
        said(
            f"question {n}",
            ANN,
            100 + n,
            seq=n,
            reply=QuotedMessage(message_id=n, author=BOB, excerpt=f"{n} {LONG * 2}"),
        )
        for n in range(1, count + 1)
    ]
    targets = [one.message_id for one in talk]
    prompt = assemble_prompt(scene(*talk, chat=GROUP, targets=targets, format=form, max_tokens=tokens))
    assert prompt.size is not None
    assert prompt.size.tokens <= tokens
    assert f"question {count}" in texts_of(prompt)


@PROPERTY
@given(TEXTS, TEXTS, TEXTS, st.booleans())
def test_nobody_writes_a_marker_into_a_quote(excerpt: str, around: str, media: str, is_cut: bool) -> None:
    block = whole_quote(
        QuotedMessage(message_id=1, excerpt=excerpt, around=around, media=media, is_cut=is_cut), PromptKnowledge()
    )
    own = ("[quoting what this replies to", "[quoting the part of it", "[quoting a part of", "  [media: ")
    assert not any(marker_in(line) for line in block.split("\n") if not line.startswith(own))
