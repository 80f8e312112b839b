"""Scores of a search: the share of the evidence (the turns that answer a question) that is among the first results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from statistics import fmean, median
from typing import Final

from benchmarks.recalled.writing import Turn
from shared.tools.excerpts import describe_findings
from shared.values.recalled import RecallHit, RecallHits

RANKS: Final = (1, 5, 10)
#: characters per token of an English prompt, roughly
CHARACTERS_PER_TOKEN: Final = 4


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The results of a search for one question, and its cost."""

    evidence: Sequence[Turn]
    findings: RecallHits
    seconds: float


def shares(answer: Answer) -> Mapping[str, float]:
    """Return the shares of the evidence that are among the first 1, 5 and 10 results: by segment and by session."""
    found = answer.findings.found
    ranked = list(dict.fromkeys(one.source.conversation for one in found))
    wanted = {turn.conversation for turn in answer.evidence}
    scores: dict[str, float] = {}
    for rank in RANKS:
        scores[f"segment_r{rank}"] = fmean(any(_holds(one, turn) for one in found[:rank]) for turn in answer.evidence)
        scores[f"session_r{rank}"] = len(wanted.intersection(ranked[:rank])) / len(wanted)
    return scores | {"any_session_r5": float(not wanted.isdisjoint(ranked[:5]))}


def figures_of(answers: Sequence[Answer], shown: int) -> dict[str, float | int]:
    """Return the means over the questions, with shares in percent. `shown`: the number of results that the model is
    shown.
    """
    scores = [shares(one) for one in answers]
    means = {name: round(100 * fmean(one[name] for one in scores), 1) for name in scores[0]}
    return {
        "questions": len(answers),
        **means,
        "p50_ms": round(1000 * median(one.seconds for one in answers), 1),
        "reads_per_query": round(fmean(one.findings.reads for one in answers), 1),
        "most_reads": max(one.findings.reads for one in answers),
        "tokens_per_query": round(fmean(_tokens(one.findings, shown) for one in answers)),
    }


def _holds(found: RecallHit, turn: Turn) -> bool:
    is_there = found.source.conversation == turn.conversation
    return is_there and found.stretch.first_seq <= turn.seq <= found.stretch.last_seq


def _tokens(findings: RecallHits, shown: int) -> int:
    """Return roughly the number of tokens in the search tool's answer."""
    told = describe_findings(replace(findings, found=findings.found[:shown]), UTC)
    return sum(map(len, told)) // CHARACTERS_PER_TOKEN
