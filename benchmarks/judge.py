"""How well the rules tell what is meant for the agent when a model is asked about what they leave unclear.

The data and the rules are those of `decisions`; the judge is asked as production asks it. With `GEMINI_API_KEY` it is
Gemini, else the small local model. By hand (`make bench NAME=judge DATA=file`), because it costs hours or money. Its
answers are kept, so that an interrupted run goes on where it was. `MOST=150` asks about so many lines, drawn at random.
"""

import os
import random
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.answers import KeptAnswers
from benchmarks.decisions import Outcome, data_file, decide, people_of, rows_of, score, score_of, written
from local.cloud import CloudSpec, LocalCloud
from local.gemini.download import models_folder
from local.parts import NO_KEY, SMALL_MODEL, Backend
from shared.adapters.gemini.model import GeminiModel
from shared.deciding.circumstances import Circumstances
from shared.deciding.judge import judge
from shared.models.decision import Decision, Tier
from shared.models.message import Message
from shared.models.usage import ModelCall, cost_of
from shared.tick_settings import TickSettings

#: answers of all models and prompts; they cost too much to lie where `make clean` deletes them
KEPT = models_folder().parent / "judge.jsonl"
#: which model judges, and the seconds after which its answer would be no, where nobody set anything else
JUDGE_MODEL, IN_TIME_S = TickSettings.judge_model, TickSettings.judge_timeout_s
#: seconds for one answer: nobody waits, so the small model may take its time
PATIENCE_S, TRIES = 600.0, 3
SEED = 1


@dataclass(frozen=True)
class Case:
    """A line, what the rules say of it, and what the judge would be shown."""

    outcome: Outcome
    message: Message
    given: Circumstances

    @property
    def is_unclear(self) -> bool:
        """Whether the rules leave it to the judge."""
        return self.outcome.judged.tier is Tier.JUDGE


async def measure() -> dict[str, Any]:
    """F1 of the rules, of the rules with the judge, of the rules with one that is never wrong, and the judge's cost."""
    file = data_file()
    cases = cases_of(file)
    drawn = draw(cases, int(os.environ.get("MOST") or len(cases)))
    async with _model() as model:
        said = [await _judged(model, case, place, len(drawn)) for place, case in enumerate(drawn, 1)]
    return {
        "data": file.name,
        "model": model.name,
        **figures(cases, drawn, said),
        "asked_now": model.asked,
        **cost([call for decision in said for call in decision.calls]),
    }


def cases_of(file: Path) -> list[Case]:
    """The lines of a file, decided."""
    rows = rows_of(file)
    people = people_of(rows)
    return [Case(decide(row, people[row["file"]]), *written(row, people[row["file"]])) for row in rows]


def draw(cases: Iterable[Case], most: int) -> list[Case]:
    """So many of the unclear lines, at random; more of them begin with the same ones."""
    unclear = [case for case in cases if case.is_unclear]
    random.Random(SEED).shuffle(unclear)
    return unclear[:most]


@asynccontextmanager
async def _model() -> AsyncGenerator[KeptAnswers]:
    key = os.environ.get("GEMINI_API_KEY", "")
    if key not in {"", NO_KEY}:
        yield KeptAnswers(GeminiModel(JUDGE_MODEL, key, "", PATIENCE_S, TRIES), JUDGE_MODEL, KEPT)
        return
    with LocalCloud(CloudSpec(parts=("gemini",), backend=Backend.SMALL)).running() as cloud:
        model = GeminiModel(SMALL_MODEL, NO_KEY, cloud.gemini_url, PATIENCE_S, TRIES)
        yield KeptAnswers(model, SMALL_MODEL, KEPT)


async def _judged(model: KeptAnswers, case: Case, place: int, drawn: int) -> Decision:
    """What the judge says of a line. Ends the bench if it says nothing: what it said before is kept."""
    decision = await judge(model, case.message, case.given, PATIENCE_S * TRIES)
    if not decision.calls:
        sys.exit(f"the judge gave no answer: {model.trouble or decision.reason}. The same command goes on from here.")
    print(f"{place} of {drawn}: {decision.reason}", file=sys.stderr, flush=True)
    return decision


def figures(cases: Sequence[Case], drawn: Sequence[Case], said: Sequence[Decision]) -> dict[str, Any]:
    """What the rules reach without and with the judge. Each line that it was asked about stands for equally many."""
    unclear = [case for case in cases if case.is_unclear]
    clear = Counter((c.outcome.judged.respond, c.outcome.is_reply) for c in cases if not c.is_unclear)
    answers = Counter((d.respond, c.outcome.is_reply) for c, d in zip(drawn, said, strict=True))
    weight = len(unclear) / max(1, len(drawn))
    best = ((c.outcome.is_reply if c.is_unclear else c.outcome.judged.respond, c.outcome.is_reply) for c in cases)
    return {
        "n": len(cases),
        "unclear": {"n": len(unclear), "replies": sum(case.outcome.is_reply for case in unclear)},
        "judged": {"n": len(drawn), "replies": answers[True, True] + answers[False, True], **_yes(answers)},
        "rules": score((case.outcome.within.respond, case.outcome.is_reply) for case in cases),
        "rules_with_judge": score_of(_sum(clear, answers, weight)),
        "rules_with_perfect_judge": score(best),
    }


def _yes(answers: Mapping[tuple[bool, bool], int]) -> dict[str, int]:
    """How often the judge said yes, and how often rightly."""
    return {"yes": answers[True, True] + answers[True, False], "right": answers[True, True]}


def _sum(
    clear: Mapping[tuple[bool, bool], int], answers: Mapping[tuple[bool, bool], int], weight: float
) -> dict[tuple[bool, bool], float]:
    pairs = ((answered, meant) for answered in (True, False) for meant in (True, False))
    return {pair: clear[pair] + weight * answers[pair] for pair in pairs}


def cost(calls: Sequence[ModelCall]) -> dict[str, Any]:
    """What the answers took when they were given, also those that were kept; dollars if the model has a price."""
    seconds = [call.ms / 1000 for call in calls]
    return {
        "calls": len(calls),
        "prompt_tokens": sum(call.prompt_tokens for call in calls),
        "cached_tokens": sum(call.cached_tokens for call in calls),
        "output_tokens": sum(call.output_tokens + call.thought_tokens for call in calls),
        "seconds": round(sum(seconds), 1),
        "seconds_p50": round(median(seconds or [0]), 1),
        "in_time": sum(s <= IN_TIME_S for s in seconds),
        "dollars": cost_of(calls, datetime.now(UTC)),
    }
