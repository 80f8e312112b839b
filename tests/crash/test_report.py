"""The report of outcomes: points, counts, words and the table."""

import pytest

from benchmarks.crash import figures, in_words, table
from benchmarks.relay.ledger import Moment, Request, Step
from tests.crash.judging import Verdict
from tests.crash.playing import Outcome, Point
from tests.crash.rounds import points_of

STORE, SEND, LOOK = Step("webhook", "store"), Step("tick", "Telegram sendMessage"), Step("tick", "look")
COMMIT = Step("tick", "Firestore Commit chats")
WAY = tuple(Request(number, step) for number, step in enumerate((STORE, SEND, LOOK), 1))


def struck(request: Request, moment: Moment, verdict: Verdict) -> Outcome:
    return Outcome("wait", Point("wait", request.step, moment), request, WAY, verdict)


UNKNOWN = struck(WAY[1], Moment.BEFORE, Verdict(unknown=1))
ARRIVED = struck(WAY[1], Moment.AFTER, Verdict(unknown=1, arrived=1))
FAULTY = struck(WAY[2], Moment.AFTER, Verdict(lost=("this", "that"), stuck=("held", "unread"), late=1))
MISSED = Outcome("burst", Point("burst", STORE, Moment.BEFORE), None, WAY, Verdict())


def test_every_request_of_the_undisturbed_way_has_two_points() -> None:
    whole = Outcome("wait", None, None, WAY, Verdict())
    assert points_of([whole]) == [Point("wait", step, moment) for step in (STORE, SEND, LOOK) for moment in Moment]
    assert points_of([whole, UNKNOWN]) == points_of([whole])
    assert {point.step for point in points_of([UNKNOWN])} == {STORE, SEND}


def test_what_was_counted_in_all_and_by_story() -> None:
    counted = figures([UNKNOWN, ARRIVED, FAULTY, MISSED])
    stories = counted.pop("stories")
    of_all = {"points": 3, "lost": 2, "doubled": 0, "unknown": 2, "unexplained": 0, "stuck": 1, "missed": 1, "late": 1}
    assert counted == of_all
    assert stories["burst"] == dict.fromkeys(of_all, 0) | {"missed": 1}
    assert set(stories) == {"burst", "wait"}


def test_a_faulty_outcome_is_told_with_its_way() -> None:
    assert in_words(UNKNOWN) == []
    told = "\n".join(in_words(FAULTY))
    assert "lost: this; lost: that; stuck: held; stuck: unread" in told
    assert "1 webhook: store" in told


@pytest.mark.parametrize(
    ("way", "moment", "is_explained"),
    [
        ((STORE, COMMIT), Moment.AFTER, True),
        ((STORE, COMMIT), Moment.BEFORE, False),
        ((STORE, COMMIT, SEND), Moment.BEFORE, True),
        ((STORE, COMMIT, SEND, COMMIT), Moment.BEFORE, True),
        ((STORE, COMMIT, SEND, LOOK), Moment.BEFORE, False),
        ((STORE, COMMIT, SEND, LOOK, COMMIT), Moment.BEFORE, False),
    ],
)
def test_an_unknown_delivery_is_explained_between_its_attempt_and_its_record(
    way: tuple[Step, ...], moment: Moment, is_explained: bool
) -> None:
    requests = tuple(Request(number, step) for number, step in enumerate(way, 1))
    outcome = Outcome("wait", Point("wait", way[-1], moment), requests[-1], requests, Verdict(unknown=1))
    assert outcome.is_explained == is_explained
    assert ("unknown without need" in "".join(in_words(outcome))) != is_explained
    assert struck(requests[-1], moment, Verdict()).is_explained


def test_the_table_has_a_row_for_each_kind_of_request() -> None:
    rows = table([FAULTY, ARRIVED, UNKNOWN, MISSED, struck(WAY[0], Moment.BEFORE, Verdict())]).splitlines()[2:]
    assert rows == [
        "| webhook | store |  | answered once ×1 | – |",
        "| tick | Telegram sendMessage |  | unknown: 1, never left ×1 | unknown: 1, had arrived ×1 |",
        "| tick | look | after a sendMessage | – | **lost: this; lost: that; stuck: held; stuck: unread** ×1 |",
    ]
