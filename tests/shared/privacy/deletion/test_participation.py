"""A person's part in a conversation: which answers of the agent were answers to the person."""

import pytest

from shared.privacy.deletion.entries import without
from shared.privacy.deletion.forgotten import ForgottenSubject
from shared.privacy.deletion.participation import TELLING, Participation
from shared.values.decision import Decision, DecisionTier
from shared.values.deletion import ERASED
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Author, Edit, Message, QuotedMessage
from tests.shared.examples import ANN, BOB, ME, NOW, said

SILENT = Decision(respond=False, reason="nothing calls the agent", tier=DecisionTier.NONE)
WAITS = Decision(respond=False, reason="its file is looked at", tier=DecisionTier.WAIT)
ANSWERED = Decision(respond=True, reason="it is named", tier=DecisionTier.EXPLICIT)
EVE = Author(id=1_100_000_003, name="Eve")


def left_of(*entries: AnyEntry) -> list[str]:
    """Return the texts of some entries after Ann is forgotten."""
    heard = [evolve(one, seq=number) for number, one in enumerate(entries, start=1)]
    who = ForgottenSubject(ANN.id)
    who.begin("conv-1")
    who.learn(heard)
    who.settle()
    return [str(getattr(without(one, who), "text", "")) for one in heard]


def hers(text: str, decision: Decision | None = None, **more: object) -> Message:
    return said(text, author=ANN, message_id=1, turn=1, decision=decision, **more)


def eves(text: str) -> Message:
    return said(text, author=EVE, message_id=2, turn=1, decision=ANSWERED)


def answer(text: str, to: Author | None = None, message_id: int = 3) -> Message:
    quote = QuotedMessage(message_id=1 if to is ANN else 2, author=to, excerpt="…") if to is not None else None
    return said(text, author=ME, message_id=message_id, turn=1, reply=quote)


@pytest.mark.parametrize(
    ("entries", "stays"),
    [
        ((hers("good morning", SILENT), eves("when is the train?"), answer("At nine.")), True),
        ((hers("good morning", ANSWERED), eves("when is the train?"), answer("At nine.", to=EVE)), True),
        ((hers("how?", ANSWERED), eves("when is the train?"), answer("At nine.")), False),
        ((hers("how?", ANSWERED), eves("when is the train?"), answer("Like this.", to=ANN)), False),
        ((hers("good morning", SILENT), eves("greet her"), answer("Hello!", to=ANN)), False),
        ((hers("what is it?", WAITS), answer("A heron.")), False),
        ((hers("my samovar leaks", SILENT), eves("what of her?"), answer("Her samovar does.")), False),
        ((hers("my samovar leaks", SILENT), eves("my samovar leaks"), answer("Mend the samovar.")), True),
        (
            (
                hers("samovr?", SILENT),
                Edit(at=NOW, message_id=1, author=ANN, text="samovar?", decision=ANSWERED),
                answer("It boils water."),
            ),
            False,
        ),
        (
            (
                hers("good morning", SILENT),
                said("heron", author=BOB, message_id=2, turn=1, forwarded_from=ANN),
                answer("A bird."),
            ),
            False,
        ),
    ],
    ids=[
        "beside what called for nothing", "below somebody else's question", "to both", "below theirs",
        "below what called for nothing", "what waited",
        "made of their words", "made of what somebody else said, too", "what an edit asked", "to what was passed on",
    ],
)  # fmt: skip
def test_an_answer_to_somebody_else_stays_though_they_spoke_in_its_turn(
    entries: tuple[AnyEntry, ...], *, stays: bool
) -> None:
    written = str(getattr(entries[-1], "text", ""))
    assert left_of(*entries)[-1] == (written if stays else ERASED)


def test_what_a_command_of_theirs_was_answered_goes_with_all_that_it_was_rewritten_to() -> None:
    asked = said("/whoami", author=ANN, message_id=1, is_command=True)
    told = said("Asia/Baku", author=ME, message_id=2, is_command=True, reply=QuotedMessage(message_id=1, author=ANN))
    again = Edit(at=NOW, message_id=2, author=ME, text="Asia/Tokyo")
    other = said("/whoami", author=BOB, message_id=4, is_command=True)
    his = said("Europe/Kyiv", author=ME, message_id=5, is_command=True, reply=QuotedMessage(message_id=4, author=BOB))
    assert left_of(asked, told, again, other, his) == [ERASED, ERASED, ERASED, "/whoami", "Europe/Kyiv"]


def test_an_edit_of_what_was_passed_on_is_nobodys_own_word() -> None:
    words = "the heron marmalade biscuit is behind the clock"
    passed_on = said(words, author=BOB, message_id=7, forwarded_from=ANN)
    edit = Edit(at=NOW, message_id=7, author=BOB, text=words)
    repeated = said(f"So: {words}.", author=ME, message_id=8)
    assert left_of(said("tea", author=ANN), passed_on, edit, repeated)[1:] == [ERASED] * 3


def test_the_language_is_that_of_most_messages_and_not_all_are_looked_at() -> None:
    heard = Participation()
    assert heard.language == ""
    for text in ("to jest dom", "co to jest?", "where is the house?", "42"):
        heard.note_language(text)
    assert heard.language == "pl"
    for _ in range(2 * TELLING):
        heard.note_language("where is the house?")
    assert heard.languages.total() == TELLING
