from dataclasses import replace

import pytest

from tests.crash.judging import Facts, KeptFaults, Verdict, judge
from tests.crash.queues import Queues
from tests.crash.stories import Answer, Story, whole
from tests.stories.play import Chat, Person


async def _tell(_chat: Chat, _person: Person, _queues: Queues) -> list[int]:
    return []


LONG = (Answer("long", 0, "lo"), Answer("long", 1, "ng"))
STORY = Story(_tell, (), (whole("Yes."), *LONG), may_say=("Late.",))
GOOD = Facts(
    written=[1, 2], stored=[1, 2], updates=[11, 12], transcript=[11, 12], said=["Yes.", "lo", "ng"], incidents=0
)


def test_nothing_is_wrong_when_everything_is_there_once() -> None:
    assert judge(STORY, GOOD) == Verdict()


@pytest.mark.parametrize(
    ("facts", "word"),
    [
        (replace(GOOD, stored=[1]), "message 2 is not in the inbox"),
        (replace(GOOD, transcript=[12]), "update 11 is not in the transcript"),
        (replace(GOOD, said=["lo", "ng"]), "the answer 'Yes.' never came"),
        (replace(GOOD, said=["lo", "ng"], incidents=1), "the answer 'Yes.' never came"),
        (replace(GOOD, unarchived=["conv-1 is not in the archive"]), "conv-1 is not in the archive"),
        (replace(GOOD, files=KeptFaults(lost=("x is not described",))), "x is not described"),
        (replace(GOOD, incidents=1), "0 deliveries were in doubt, 1 are incidents"),
        (replace(GOOD, doubtful=frozenset({("long", 1)})), "1 deliveries were in doubt, 0 are incidents"),
        (replace(GOOD, unknown=frozenset({("long", 1)})), "'long', part 1, is unknown without a reason"),
    ],
)
def test_what_is_missing_is_lost(facts: Facts, word: str) -> None:
    verdict = judge(STORY, facts)
    assert word in verdict.lost
    assert (verdict.doubled, verdict.stuck) == ((), ())
    assert f"lost: {word}" in verdict.faults


@pytest.mark.parametrize(
    ("facts", "word"),
    [
        (replace(GOOD, stored=[1, 2, 2]), "2 is 2 times in the inbox"),
        (replace(GOOD, transcript=[11, 12, 11]), "11 is 2 times in the transcript"),
        (replace(GOOD, files=KeptFaults(doubled=("x was told 2 times",))), "x was told 2 times"),
        (replace(GOOD, said=["Yes.", "lo", "ng", "lo"]), "'lo' was said 2 times"),
        (replace(GOOD, said=["Yes.", "lo", "ng", "Late.", "Late."]), "'Late.' was said 2 times"),
        (replace(GOOD, said=["Yes.", "lo", "ng", "Sorry."]), "'Sorry.' was said, which nobody expected"),
    ],
)
def test_what_is_there_too_often_is_doubled(facts: Facts, word: str) -> None:
    verdict = judge(STORY, facts)
    assert verdict.doubled == (word,)
    assert (verdict.lost, verdict.stuck) == ((), ())


def test_a_chat_that_is_not_at_rest_is_stuck() -> None:
    assert judge(STORY, replace(GOOD, unrest=["the chat is held"])).faults == ("stuck: the chat is held",)


@pytest.mark.parametrize(("said", "arrived"), [(["Yes.", "lo"], 0), (["Yes.", "lo", "ng"], 1)])
def test_a_delivery_in_doubt_at_the_kill_may_be_unknown_and_there_or_not(said: list[str], arrived: int) -> None:
    one = frozenset({("long", 1)})
    facts = replace(GOOD, said=said, doubtful=one, unknown=one, incidents=1)
    assert judge(STORY, facts) == Verdict(unknown=1, arrived=arrived)


def test_a_delivery_in_doubt_excuses_no_other_answer_and_no_second_sending() -> None:
    one = frozenset({("long", 1)})
    doubt = replace(GOOD, doubtful=one, unknown=one, incidents=1)
    assert judge(STORY, replace(doubt, said=["Yes.", "ng"])).lost == ("the answer 'lo' never came",)
    assert judge(STORY, replace(doubt, said=["Yes.", "lo", "ng", "ng"])).doubled == ("'ng' was said 2 times",)


def test_an_unknown_delivery_of_a_plan_that_was_replaced_stays_an_incident() -> None:
    facts = replace(GOOD, said=["lo", "ng"], doubtful=frozenset({("Yes.", 0)}), incidents=1)
    assert judge(STORY, facts) == Verdict(unknown=1)


def test_an_answer_to_what_came_late_is_counted() -> None:
    assert judge(STORY, replace(GOOD, said=["Yes.", "lo", "ng", "Late."])) == Verdict(late=1)
