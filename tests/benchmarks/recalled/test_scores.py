"""Shares of the evidence."""

from benchmarks.recalled.scores import Answer, figures_of, shares
from benchmarks.recalled.writing import Turn
from shared.values.chat_key import ChatKey
from shared.values.recalled import FoundRange, RecallHit, RecallHits, SourceConversation
from tests.shared.examples import NOW

CHAT = ChatKey(agent="lull", chat_id=7).id


def found(conversation: str, first: int, last: int) -> RecallHit:
    return RecallHit(
        source=SourceConversation(conversation=conversation, chat=CHAT, place="a.1"),
        stretch=FoundRange(first_turn=1, last_turn=1, first_seq=first, last_seq=last),
        message_id=1, at=NOW, snippet="Ann: " + "x" * 200, score=0.5,
    )  # fmt: skip


def answer(*evidence: Turn) -> Answer:
    findings = (found("a", 1, 5), found("b", 1, 9), found("b", 10, 12), *(found(f"c{n}", 1, 2) for n in range(9)))
    return Answer(evidence=evidence, findings=RecallHits(found=findings, reads=20), seconds=0.25)


def test_a_turn_is_found_with_the_segment_that_holds_it() -> None:
    scores = shares(answer(Turn("a", 5), Turn("b", 11)))
    assert (scores["segment_r1"], scores["segment_r5"], scores["session_r1"], scores["session_r5"]) == (0.5, 1, 0.5, 1)


def test_a_conversation_counts_once_and_in_the_place_of_its_best_segment() -> None:
    scores = shares(answer(Turn("b", 1), Turn("b", 99), Turn("none", 1)))
    assert (scores["session_r1"], scores["session_r5"], scores["segment_r5"]) == (0, 0.5, 1 / 3)
    assert scores["any_session_r5"] == 1
    assert shares(answer(Turn("c8", 1)))["session_r10"] == 0


def test_the_figures_are_means_and_what_a_prompt_gets() -> None:
    figures = figures_of([answer(Turn("a", 1)), answer(Turn("none", 1))], 2)
    assert (figures["questions"], figures["segment_r1"], figures["p50_ms"], figures["reads_per_query"]) == (
        2,
        50,
        250,
        20,
    )
    assert 100 <= figures["tokens_per_query"] <= 200
