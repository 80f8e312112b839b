"""Of whoever has no answer nothing is heard, until they are let in."""

from shared.models.access import ADMITTED
from shared.models.decision import Decision, Tier
from shared.models.message import Edit, Event, Message, Reaction
from shared.prompting.heard import heard
from tests.shared.values import ANN, BOB, NOW, said

REFUSED = Decision(respond=False, reason="a stranger", tier=Tier.ACCESS)


def refused(seq: int) -> Message:
    return said(f"secret {seq}", ANN, seq, seq=seq, decision=REFUSED)


def test_of_who_is_refused_no_word_is_heard_and_of_others_every_one() -> None:
    others = said("hello", BOB, 2, seq=2, decision=Decision(respond=False, reason="x", tier=Tier.NONE))
    edit = Edit(at=NOW, seq=3, message_id=1, author=ANN, text="a new secret")
    liked = Reaction(at=NOW, seq=4, message_id=1, author=BOB, emojis=("👍",))
    assert heard([refused(1), others, edit, liked]) == (others,)
    mended = Edit(at=NOW, seq=5, message_id=2, author=BOB, text="hello!")
    assert heard([others, mended]) == (others, mended)


def test_what_waited_is_heard_once_they_are_let_in_and_nothing_after_it_that_is_refused() -> None:
    let_in = Event(at=NOW, seq=2, kind=ADMITTED, note="the owner decided: once")
    assert heard([refused(1), let_in, refused(3)]) == (refused(1), let_in)
