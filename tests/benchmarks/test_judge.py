"""What the bench of the judge counts, without a model; the lines are those of the sample."""

from datetime import UTC, datetime

import pytest

from benchmarks import judge
from benchmarks.decisions import SAMPLE, score
from benchmarks.judge import Case, cases_of, cost, draw, figures
from shared.deciding.judge import judge_prompt
from shared.models.decision import Decision, Tier
from shared.models.usage import ModelCall, cost_of


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return cases_of(SAMPLE)


def said(respond: bool) -> Decision:
    return Decision(respond=respond, reason="judged", tier=Tier.JUDGE)


def test_what_is_drawn_is_unclear_and_the_same_each_time(cases: list[Case]) -> None:
    every = draw(cases, len(cases))
    assert len(every) == sum(case.is_unclear for case in cases) > 5
    assert all(case.outcome.judged.tier is Tier.JUDGE for case in every)
    assert [case.message for case in draw(cases, 5)] == [case.message for case in every[:5]]


def test_the_judge_is_shown_the_line_and_what_was_said_before_it(cases: list[Case]) -> None:
    case = draw(cases, 1)[0]
    lines = str(judge_prompt(case.message, case.given).turns[0].parts[0]).splitlines()
    assert len(lines) > 1
    assert lines[-1].endswith(case.message.text[-40:])


def test_a_judge_that_is_always_right_reaches_what_a_perfect_one_does(cases: list[Case]) -> None:
    every = draw(cases, len(cases))
    found = figures(cases, every, [said(case.outcome.is_reply) for case in every])
    assert found["rules_with_judge"] == found["rules_with_perfect_judge"]
    assert found["rules_with_judge"]["f1"] > found["rules"]["f1"]
    assert found["judged"] == {"n": len(every), "replies": found["unclear"]["replies"]} | dict.fromkeys(
        ("yes", "right"), found["unclear"]["replies"]
    )


def test_a_judge_that_says_no_changes_no_more_than_not_to_ask(cases: list[Case]) -> None:
    every = draw(cases, len(cases))
    found = figures(cases, every, [said(False)] * len(every))
    assert found["rules_with_judge"] == score((c.outcome.judged.respond, c.outcome.is_reply) for c in cases)


def test_those_drawn_stand_for_all_that_are_unclear(cases: list[Case]) -> None:
    every = draw(cases, len(cases))
    half = every[: len(every) // 2]
    yes = figures(cases, half, [said(True)] * len(half))
    clear = [case.outcome for case in cases if not case.is_unclear]
    answered = sum(o.judged.respond for o in clear) + len(every)
    meant = sum(case.outcome.is_reply for case in half) * len(every) / len(half)
    right = sum(o.judged.respond and o.is_reply for o in clear) + meant
    assert yes["rules_with_judge"]["precision"] == round(right / answered, 3)


def test_cost_counts_tokens_seconds_and_dollars() -> None:
    calls = [
        ModelCall(model=judge.JUDGE_MODEL, prompt_tokens=700, cached_tokens=100, output_tokens=5, ms=900),
        ModelCall(model=judge.JUDGE_MODEL, prompt_tokens=300, thought_tokens=7, output_tokens=5, ms=5_100),
    ]
    dollars = cost_of(calls, datetime.now(UTC))
    assert dollars
    assert cost(calls) == {
        "calls": 2,
        "prompt_tokens": 1_000,
        "cached_tokens": 100,
        "output_tokens": 17,
        "seconds": 6.0,
        "seconds_p50": 3.0,
        "in_time": 1,
        "dollars": dollars,
    }
    assert cost([ModelCall(model="a small one")])["dollars"] is None
