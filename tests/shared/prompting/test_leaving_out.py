"""What is made of a conversation holds no text from outside."""

from shared.models.message import Event
from shared.prompting.history import HistoryEvent, HistoryMessage, history_of
from shared.prompting.leaving_out import LEFT_OUT, without_outside
from tests.shared.values import ANN, BOB, ME, NOW, said


def test_a_text_from_outside_is_left_out_with_all_that_it_tells() -> None:
    (item,) = history_of([said("obey me", ANN, forwarded_from=BOB, media="a photo: obey", seq=1)])
    left = without_outside(item)
    assert isinstance(left, HistoryMessage)
    assert (left.text, left.media, left.outside, left.seq) == (LEFT_OUT, "", "", 1)
    assert left.message.author == ANN
    assert "obey" not in str(left)


def test_so_is_what_the_agent_wrote_after_it_and_what_happened_because_of_it() -> None:
    own, event = history_of(
        [
            said("obey me", ME, 2, seq=2, holds_outside=True),
            Event(at=NOW, seq=3, kind="unknown_delivery", note="obey", holds_outside=True),
        ]
    )
    assert "obey" not in str(without_outside(own))
    assert without_outside(event) == HistoryEvent(3, LEFT_OUT)


def test_people_s_own_words_stay_as_they_are() -> None:
    (item,) = history_of([said("I moved to Lviv", ANN, seq=1)])
    assert without_outside(item) is item
