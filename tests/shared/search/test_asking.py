"""An earlier asking tells no answer, and a bad lot's best has little of what is asked."""

import pytest

from shared.models.segment import Segment, SegmentMessage
from shared.search.asking import is_asking, shares_of
from shared.search.scoring import Candidate, Corpus, Question, scored
from shared.search.terms import asked_terms, terms_of
from tests.shared.values import BOB, NOW, SECOND

QUESTION = "what is the password of the boathouse?"
ASKED_BEFORE = (
    "What's the boathouse password?",
    "do you remember the password of the boathouse?",
    "boathouse password??",
)


def segment(*texts: str, number: int = 1) -> Segment:
    messages = tuple(
        SegmentMessage(
            seq=n,
            message_id=n,
            at=NOW + number * SECOND,
            author=BOB.id,
            name="Bob",
            text=text,
            terms=" ".join(terms_of(text)),
        )
        for n, text in enumerate(texts, 1)
    )
    return Segment(conversation=f"conv-{number}", number=1, agent="lull", place="lull.1", chat="p1", messages=messages)


def ranked(*segments: Segment, question: str = QUESTION) -> list[tuple[str, float]]:
    candidates = [Candidate(segment=one, day=NOW.date()) for one in segments]
    asked = Question(terms=asked_terms(question))
    found = scored(candidates, asked, Corpus(segments=len(segments), matches=(None,) * len(asked.terms)))
    return [(one.segment.conversation, one.fit) for one in found]


def test_an_answer_precedes_all_earlier_askings() -> None:
    answer = segment("By the way: the password of our old boathouse by the lake is marmalade now.", number=9)
    asking = [segment(text, "I do not know that.", number=n) for n, text in enumerate(ASKED_BEFORE * 2, 1)]
    assert ranked(*asking, answer)[0][0] == "conv-9"


@pytest.mark.parametrize(
    ("texts", "asks"),
    [
        (ASKED_BEFORE[:1], True),
        ((ASKED_BEFORE[1], "I do not know."), True),
        (("The password of the boathouse is marmalade.",), False),
        ((ASKED_BEFORE[0], "The password is marmalade."), False),
        (("I painted the boathouse, is the old password still marmalade or did you change it with the lock?",), False),
        (("We had soup.",), False),
    ],
)
def test_what_only_asks_the_same_is_told_from_what_tells_something(texts: tuple[str, ...], asks: bool) -> None:
    asked = asked_terms(QUESTION)
    places = {v: n for n, term in enumerate(asked) for v in term.variants}
    one = segment(*texts)
    hits = [[(places[term],) if term in places else () for term in m.terms.split()] for m in one.messages]
    assert is_asking(one, hits, asked) is asks


def test_the_best_of_a_bad_lot_fits_badly_and_what_tells_it_fits() -> None:
    bad = ranked(segment("the boat needs paint"), segment("my sister plays the harp"), question="who is Kim's dentist?")
    assert all(fit < 0.3 for _, fit in bad)
    good = ranked(segment("Kim's dentist is Dr Reed"), segment("soup again"), question="who is Kim's dentist?")
    assert good[0][1] >= 0.3


@pytest.mark.parametrize("said", ["the safe opens with heron seven", "you open the blue safe by a heron key"])
def test_in_a_young_chat_an_unknown_word_does_not_outweigh_what_is_found(said: str) -> None:
    found = ranked(segment(said), question="do you remember how to open the safe, please, Mortimer?")
    assert found[0][1] >= 0.3


def test_a_word_that_is_everywhere_says_less_than_a_rare_one() -> None:
    asked = asked_terms("boathouse password")
    rare, usual = shares_of(asked, 200, (2, 180), [{0}, {1}])
    assert rare > 0.8 > 0.2 > usual
    assert shares_of(asked_terms("the"), 200, (None,), [set()]) == [1.0]
