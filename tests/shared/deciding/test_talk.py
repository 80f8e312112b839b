"""The messages of a talk, and their addressees."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from shared.deciding.circumstances import DecisionContext, DecisionSettings
from shared.deciding.talk import LONGEST_TALK, USUAL_TALK, audience_of, is_for, talk_before, talk_lines
from shared.values.chat_key import ChatKind
from shared.values.evolve import evolve
from shared.values.message import Author, Message, QuotedMessage
from tests.shared.deciding.groups import CEM, PEOPLE, SELF, answered, group
from tests.shared.examples import ANN, BOB, ME, NOW, said

EVERYBODY = list(PEOPLE.values())
MANNERS = DecisionSettings(active=timedelta(seconds=120), follow_up=timedelta(seconds=60))


def among(*earlier: Message) -> DecisionContext:
    return DecisionContext(kind=ChatKind.SUPERGROUP, me=SELF, earlier=earlier)


def test_a_talk_ends_where_nobody_wrote_for_too_long() -> None:
    first, second, third, fourth = (
        said(str(n), message_id=n, at=NOW + timedelta(seconds=s)) for n, s in enumerate((0, 10, 131, 251), 1)
    )
    assert talk_before(second, (first,), MANNERS) == (first,)
    assert talk_before(third, (first, second), MANNERS) == ()
    assert talk_before(fourth, (first, second, third), MANNERS) == (third,)


def test_before_a_message_is_what_was_said_earlier_in_its_order_without_events() -> None:
    first, second, third = group("Ann: 1", "Bob: 2", "Cem: 3")
    event = said("Ann joined", message_id=9, at=NOW, is_service=True)
    assert among(third, second, event, first).spoken_before(third) == (first, second)
    assert among(third, second).spoken_before(first) == ()


def test_of_the_same_second_the_lower_id_is_earlier() -> None:
    mine = said("yes?", ME, 7, at=NOW + timedelta(milliseconds=900))
    answer = said("this", ANN, 8, at=NOW)
    assert among(mine).spoken_before(answer) == (mine,)
    assert among(answer).spoken_before(mine) == ()


def test_a_long_talk_is_looked_at_from_its_end() -> None:
    *messages, last = group(*(f"Ann: {n}" for n in range(40)))
    assert list(talk_before(last, messages, MANNERS)) == messages[-USUAL_TALK:]


@pytest.mark.parametrize(
    ("others", "step", "expected"),
    [
        (15, timedelta(seconds=2), 18),
        (USUAL_TALK - 3, timedelta(seconds=2), USUAL_TALK),
        (31, timedelta(seconds=2), USUAL_TALK),
        (LONGEST_TALK - 3, timedelta(milliseconds=500), LONGEST_TALK),
        (LONGEST_TALK - 2, timedelta(milliseconds=500), LONGEST_TALK - 1),
        (LONGEST_TALK, timedelta(milliseconds=500), USUAL_TALK),
    ],
    ids=["in between", "few", "too late", "many", "the question is too far", "both are too far"],
)
def test_a_talk_reaches_back_to_what_the_agent_answered_while_a_follow_up_may_come(
    others: int, step: timedelta, expected: int
) -> None:
    before = [f"Cem: {n}" for n in range(40)]
    lines = (
        "Ann: @lull_bot the time?",
        "Bob: hm",
        "lull: Five.",
        *(f"Bob: {n}" for n in range(others)),
        "Ann: and now",
    )
    *messages, last = group(*before, *lines, step=step)
    messages[40] = answered(messages[40])
    assert list(talk_before(last, messages, MANNERS)) == messages[-expected:]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Ann: good morning", set()),
        ("Ann: @cem_y, come here", {CEM.id}),
        ("Ann: I saw @Cem_Y there", {CEM.id}),
        ("Ann: @stranger, come here", {"stranger"}),
        ("Ann: Cem, come here", {CEM.id}),
        ("Ann: come here, bob!", {BOB.id}),
        ("Ann: Cem Yıldız: now", {CEM.id}),
        ("Ann: Bob was here", set()),
        ("Ann: Bobby, come here", set()),
        ("Ann: Ann, that is me", set()),
        ("Ann: lull, come here", {ME.id}),
        ("Ann: I like what lull said", {ME.id}),
        ("Ann: @lull_bot come here", {ME.id}),
        ("lull: Ann, it is five", {ANN.id}),
        ("lull: lull is my name", set()),
    ],
)
def test_whom_a_message_is_for(line: str, expected: set[int | str]) -> None:
    assert audience_of(group(line)[0], EVERYBODY, SELF) == expected


def test_a_name_without_letters_calls_nobody() -> None:
    flame = Author(id=9, name="🔥🔥")
    assert audience_of(said("🔥🔥"), [flame], SELF) == set()
    assert audience_of(said("🔥1, hi"), [Author(id=9, name="🔥1")], SELF) == {9}


def test_a_reply_is_for_whom_it_replies_to_unless_that_is_its_author() -> None:
    assert audience_of(group("Bob: hm", "Ann > Bob: no")[1], EVERYBODY, SELF) == {BOB.id}
    assert audience_of(group("Ann: hm", "Ann > Ann: no")[1], EVERYBODY, SELF) == set()
    assert audience_of(said("no", reply=QuotedMessage(message_id=1)), EVERYBODY, SELF) == set()


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (group("Ann: @Lull_Bot hi")[0], "mentioned"),
        (group("Ann: /roll@lull_bot 3")[0], "named by a command"),
        (group("lull: hi", "Ann > lull: hi")[1], "a reply to the agent"),
        (group("Ann: what does ルルさん say")[0], "called by name"),
        (group("Ann: @lull_bots hi")[0], ""),
        (said("lull", entities=({"type": "code", "offset": 0, "length": 4},)), ""),
        (said(""), ""),
    ],
)
def test_how_a_message_means_the_agent(message: Message, expected: str) -> None:
    assert is_for(message, SELF) == expected


def audiences(spoken: Sequence[Message], of_last: int | None = None) -> list[frozenset[int | str]]:
    return [line.to for line in talk_lines(spoken[-(of_last or len(spoken)) :], spoken, EVERYBODY, SELF)]


def test_what_the_agent_says_to_nobody_by_name_is_for_whom_it_chose_to_answer() -> None:
    ann, bob, mine = group("Ann: @lull_bot the time?", "Bob: hm", "lull: Five.")
    assert audiences((answered(ann), bob, mine)) == [{ME.id}, set(), {ANN.id}]
    assert audiences((ann, bob, mine)) == [{ME.id}, set(), set()]
    assert audiences((answered(ann), bob, mine), of_last=1) == [{ANN.id}]


def test_what_a_plan_says_later_is_for_whom_it_began_to_answer() -> None:
    ann, first, bob, answer, later, other = group(
        "Ann: lull, wake me", "lull: I will.", "Bob: lull, hi", "lull: Hi.", "lull: Good morning!", "lull: Well."
    )
    by_plan = [evolve(m, plan=p) for m, p in ((first, "p1"), (answer, "p2"), (later, "p1"))]
    spoken = (answered(ann), by_plan[0], answered(bob), by_plan[1], by_plan[2], other)
    assert audiences(spoken) == [{ME.id}, {ANN.id}, {ME.id}, {BOB.id}, {ANN.id}, {BOB.id}]
    assert audiences(spoken, of_last=2) == [{ANN.id}, {BOB.id}]


def test_what_the_agent_says_in_reply_is_for_whom_it_replies_to() -> None:
    ann, _bob, mine = group("Ann: @lull_bot the time?", "Bob: hm", "lull > Bob: Five.")
    assert audiences((answered(ann), mine)) == [{ME.id}, {BOB.id}]
