"""Messages: pace, parts, notes to the model, and replies."""

from datetime import timedelta

import pytest

from shared.tasks.send import Send, human_pace, quote_in, with_link_preview
from shared.tasks.task import TaskNote
from shared.telegram.markdown.render import render
from shared.values.evolve import evolve
from shared.values.message import EXCERPT_CHARACTERS, Edit, Message, QuotedMessage
from tests.shared.examples import ANN, BOB, NOW, send

#: a text that needs three messages
LONG = "\n\n".join(f"part {n} " + "x" * 3000 for n in range(3))


@pytest.mark.parametrize(("length", "seconds"), [(-1, 2), (0, 2), (60, 3), (90, 3.5), (360, 8), (4096, 8)])
def test_longer_texts_take_longer_but_never_long(length: int, seconds: float) -> None:
    assert human_pace(length) == timedelta(seconds=seconds)


def test_it_is_typed_as_long_as_its_text_takes() -> None:
    assert send(text="x" * 60).typing_time() == timedelta(seconds=3)


def test_a_long_text_leaves_in_parts() -> None:
    assert (send(text="Hello.").parts(), send(text=LONG).parts()) == (1, 3)


def test_of_a_text_that_left_in_part_the_rest_is_pending() -> None:
    assert send(text="Hello.").pending(0, None) == TaskNote("send", "Hello.")
    what, rest = send(text=LONG).pending(2, None)
    assert what == "send the rest of a text (its first 2 parts were sent already):"
    assert rest is not None
    assert rest.startswith("part 2 xxx")


def test_of_a_text_in_doubt_the_part_is_told() -> None:
    _, text = send(text=LONG).in_doubt(1)
    assert text is not None
    assert text.startswith("part 1 xxx")
    assert send(text="Hello.").in_doubt(7).text == "Hello."


ASKED = Message(seq=1, at=NOW, message_id=5, author=ANN, text="when?", forwarded_from=BOB)


def test_a_message_is_quoted_as_it_reads_by_now() -> None:
    edit = Edit(seq=2, at=NOW, message_id=5, author=ANN, text="when and where?" * 40)
    assert quote_in([ASKED], 5) == QuotedMessage(message_id=5, author=ANN, forwarded_from=BOB, excerpt="when?")
    quote = quote_in([ASKED, edit], 5)
    assert quote is not None
    assert (quote.forwarded_from, quote.excerpt) == (BOB, edit.text[:EXCERPT_CHARACTERS])


def test_quotes_a_lost_message_by_its_id() -> None:
    assert quote_in([ASKED], 4) == QuotedMessage(message_id=4)
    assert quote_in([ASKED], None) is None
    photo = evolve(ASKED, text="", media="a photo")
    assert quote_in([photo], 5) == QuotedMessage(message_id=5, author=ANN, forwarded_from=BOB, excerpt="a photo")


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (["Tea", "Tea ", " ", "Cof\nfee", "\ud83d"], ("Tea", "Cof fee", "\ufffd")),
        ([str(n) for n in range(12)], tuple(str(n) for n in range(8))),
        (["x" * 60], ("x" * 39 + "…",)),
        (["**Tea**, please", "`No`", "> 5", "**", "Tea, please"], ("Tea, please", "No", "> 5", "**")),
        ("Tea", ("Tea",)),
        ([" "], ()),
        (None, ()),
        ([{"text": "Yes"}, {"label": "**No**", "value": 5}, {}], ("Yes", "No")),
    ],
)
def test_choices_are_few_short_and_different(written: object, kept: tuple[str, ...]) -> None:
    assert Send.model_validate({"text": "Tea?", "choices": written}).offered == kept


def test_without_choices_there_is_nobody_to_offer_them_to() -> None:
    offer = Send(text="Tea?", choices=("Yes",), choices_for="everyone")
    assert offer.is_for_everyone()
    assert offer.offering(()) == Send(text="Tea?")


@pytest.mark.parametrize(
    ("markdown", "preview"),
    [
        ("See https://evil.example/?q=secret and https://known.example/a.", "https://known.example/a"),
        ("See [this](https://known.example/a).", "https://known.example/a"),
        ("See https://evil.example/?q=secret.", ""),
        ("See https://known.example/a?q=secret.", ""),
        ("Nothing to see.", ""),
    ],
)
def test_only_a_link_that_nobody_made_up_has_a_preview(markdown: str, preview: str) -> None:
    (text,) = render(markdown)
    assert with_link_preview(text, ("https://known.example/a",)).preview == preview
