"""Tests of the tool `search_conversations`."""

from datetime import date

import jsonschema
import pytest

from shared.base.errors import ToolFailed
from shared.recall.tools.search_conversations import TOOL
from shared.tools.excerpts import ELSEWHERE, NOTHING
from shared.tools.tool import ToolOutput
from shared.values.place import Asker, place_of
from shared.values.recalled import RecallHits, RecallQuery
from shared.values.segment import SegmentNote
from tests.shared.tools.played import ANN, PlayedRecall, asked_of, finding
from tests.shared.tools.toolboxes import CONTEXT

HERE = place_of(CONTEXT.chat)


async def told(recall: PlayedRecall, **arguments: object) -> ToolOutput:
    answer = await TOOL.run({"query": "the trip", **arguments}, asked_of(recall))
    assert isinstance(answer, ToolOutput)
    return answer


async def test_returns_results_with_conversation_turns_day_score_and_link() -> None:
    notes = (
        SegmentNote(id="b", text="Ann moved to Lviv", happened="2026-05"),
        SegmentNote(id="a", text="Ann lives in Kyiv", superseded_on=date(2026, 5, 8)),
    )
    answer = await told(PlayedRecall(RecallHits(found=(finding(topics=("trip",), notes=notes),), total=4)))
    assert answer.parts == (
        '1. conv-1: "Trip" in "Friends"; turns 5-8; Fri 2026-05-08; score 0.83; topics: trip\n'
        "Bob: we go in May\n"
        "noted: Ann moved to Lviv (2026-05)\n"
        "noted: Ann lives in Kyiv [no longer so since 2026-05-08]\n"
        "https://t.me/c/1234567890/77",
        "4 matches; the best 1 are shown.",
    )


async def test_says_if_nothing_was_found_or_the_search_was_degraded() -> None:
    answer = await told(PlayedRecall(RecallHits(trouble="Searched by words alone.")))
    assert answer == ToolOutput((f"{NOTHING} Searched by words alone.",))


@pytest.mark.parametrize(
    ("fields", "outside"),
    [
        ({}, ELSEWHERE),
        ({"people": (ANN.id,)}, ELSEWHERE),
        ({"place": HERE, "title_outside": "a title"}, "a title"),
        ({"people": (ANN.id,), "outside": ("a forwarded message",)}, f"a forwarded message, {ELSEWHERE}"),
        ({"place": HERE, "outside": ("what the agent wrote", "a forward")}, "what the agent wrote, a forward"),
        ({"place": HERE}, ""),
    ],
)
async def test_words_of_others_in_another_chat_are_from_outside(fields: dict[str, object], outside: str) -> None:
    assert (await told(PlayedRecall(RecallHits(found=(finding(**fields),))))).outside == outside


async def test_passes_on_filters_and_asker() -> None:
    recall = PlayedRecall()
    filters = {"since": "2026-05", "until": "2026-05", "person": "Bob", "chat": "Friends", "conversation": "conv-1"}
    await told(recall, limit=99.0, **filters)
    assert recall.asked[0] == Asker(chat=CONTEXT.chat, places=(HERE,), person=ANN.id, is_explicit=True)
    wanted = recall.asked[1]
    assert isinstance(wanted, RecallQuery)
    assert (wanted.since, wanted.until, wanted.limit) == (date(2026, 5, 1), date(2026, 5, 31), 20)
    assert (wanted.person, wanted.chat, wanted.conversation) == ("Bob", "Friends", "conv-1")


@pytest.mark.parametrize("wrong", [{"query": ""}, {"query": 5}, {"query": "\udc80"}, {"query": "x", "since": "in May"}])
async def test_explains_invalid_queries(wrong: dict[str, object]) -> None:
    with pytest.raises(ToolFailed):
        await TOOL.run(wrong, asked_of(PlayedRecall()))


def test_the_example_is_a_valid_call() -> None:
    jsonschema.validate({"query": "x", "since": "2026", "limit": 3}, dict(TOOL.parameters))
