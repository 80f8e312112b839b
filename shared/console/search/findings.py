"""Search results as JSON: a snippet with the positions of the matching words, and the message to jump to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from shared.base.language.terms import QueryTerm, query_terms, spans_of
from shared.recall.candidates import channel_of
from shared.recall.search import NO_MODEL, NO_NEIGHBOURS, NO_VECTOR, NO_WORDS
from shared.values.place import chat_of
from shared.values.recalled import RecallHit, RecallHits

Json = dict[str, Any]

#: names of the reasons why a search was worse than usual; the page has a sentence for each
TROUBLES: Final = {NO_MODEL: "no_model", NO_NEIGHBOURS: "no_neighbours", NO_VECTOR: "no_vector", NO_WORDS: "no_words"}


def findings_view(found: Sequence[tuple[str, RecallHits]], question: str, language: str, limit: int) -> Json:
    """Return the results of all agents' searches, the best first. `found`: pairs of an agent and its results."""
    terms = query_terms(question, language)
    hits = sorted(((agent, hit) for agent, hits in found for hit in hits.found), key=lambda one: -one[1].score)
    troubles = [hits.trouble for _, hits in found if hits.trouble]
    return {
        "items": [hit_view(agent, hit, terms) for agent, hit in hits[:limit]],
        "next": "",
        "total": sum(hits.total for _, hits in found),
        "reads": sum(hits.reads for _, hits in found),
        "trouble": TROUBLES.get(troubles[0], "other") if troubles else "",
    }


def hit_view(agent: str, hit: RecallHit, terms: Sequence[QueryTerm]) -> Json:
    """Return one result. `hits` are the ranges of the snippet's characters that match, as [start, end]."""
    best = next((one for one in hit.messages if one.message_id == hit.message_id), None)
    return {
        "agent": agent,
        "conversation": hit.source.conversation,
        "title": hit.source.title,
        "chat": hit.source.chat,
        "chat_title": hit.source.chat_title,
        "is_private": chat_of(hit.source.place).is_private,
        "channel": channel_of(hit.source.chat),
        "at": hit.at.isoformat(),
        "seq": best.seq if best is not None else hit.stretch.first_seq,
        "first_turn": hit.stretch.first_turn,
        "last_turn": hit.stretch.last_turn,
        "snippet": hit.snippet,
        "hits": ranges_in(hit.snippet, terms),
        "score": round(hit.score, 3),
        "fit": round(hit.fit, 3),
        "topics": list(hit.topics),
        "notes": [{"text": one.text, "happened": one.happened} for one in hit.notes[:3]],
        "outside": list(hit.outside),
    }


def ranges_in(text: str, terms: Sequence[QueryTerm]) -> list[list[int]]:
    """Return the ranges of a text's words that match a term of the question. Adjacent ranges are joined."""
    wanted = {variant for term in terms for variant in term.variants}
    ranges = list[list[int]]()
    for start, end, variants in spans_of(text):
        if wanted.isdisjoint(variants):
            continue
        if ranges and start <= ranges[-1][1]:
            ranges[-1][1] = max(end, ranges[-1][1])
        else:
            ranges.append([start, end])
    return ranges
