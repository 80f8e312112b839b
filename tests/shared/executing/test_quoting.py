"""Whom the agent answered stands in the transcript."""

from shared.executing.quoting import quote_in
from shared.models.message import EXCERPT_CHARACTERS, Edit, Message, Quote
from tests.shared.values import ANN, BOB, NOW

ASKED = Message(seq=1, at=NOW, message_id=5, author=ANN, text="when?", forwarded_from=BOB)


def test_a_message_is_quoted_as_it_reads_by_now() -> None:
    edit = Edit(seq=2, at=NOW, message_id=5, author=ANN, text="when and where?" * 40)
    assert quote_in([ASKED], 5) == Quote(message_id=5, author=ANN, forwarded_from=BOB, excerpt="when?")
    quote = quote_in([ASKED, edit], 5)
    assert quote is not None
    assert (quote.forwarded_from, quote.excerpt) == (BOB, edit.text[:EXCERPT_CHARACTERS])


def test_what_is_not_there_any_more_is_quoted_by_its_id() -> None:
    assert quote_in([ASKED], 4) == Quote(message_id=4)
    assert quote_in([ASKED], None) is None
    photo = ASKED.model_copy(update={"text": "", "media": "a photo"})
    assert quote_in([photo], 5) == Quote(message_id=5, author=ANN, forwarded_from=BOB, excerpt="a photo")
