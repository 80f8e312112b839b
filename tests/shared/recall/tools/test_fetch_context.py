"""Tests of the tool `fetch_context`."""

from dataclasses import replace

import pytest

from shared.base.errors import ToolFailed
from shared.memory.by_owner import MemoriesByOwner
from shared.memory.forgotten import forget_memory
from shared.memory.visible import visible_memories
from shared.recall.tools.fetch_context import TOOL
from shared.tools.excerpts import ELSEWHERE
from shared.tools.tool import ToolOutput
from shared.values.place import place_of
from tests.shared.examples import ANN, NOW
from tests.shared.memory.facts import PRIVATE, fact
from tests.shared.tools.played import GROUP, PlayedRecall, asked_of, spoken
from tests.shared.tools.toolboxes import CONTEXT

HERE = place_of(CONTEXT.chat)


async def test_returns_turns_with_authors_and_times() -> None:
    answer = await TOOL.run({"conversation": "conv-1"}, asked_of(PlayedRecall(spoken=spoken(HERE))))
    assert answer == ToolOutput(
        (
            "conv-1: untitled; 9 turns in all",
            "turn 5, Fri 2026-05-08 09:30, Ann: when?",
            "turn 5, Fri 2026-05-08 09:30, lull (you): In May.",
        )
    )


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        ({}, (None, None)),
        ({"first": 5}, (5, 5)),
        ({"first": 5.0, "last": 8}, (5, 8)),
        ({"first": -3, "last": 900}, (1, 30)),
        ({"first": 8, "last": 5}, (8, 8)),
        ({"first": True, "last": "x"}, (None, None)),
    ],
)
async def test_accepts_any_range(arguments: dict[str, object], asked: tuple[int | None, int | None]) -> None:
    recall = PlayedRecall(spoken=spoken(HERE))
    await TOOL.run({"conversation": "conv-1", **arguments}, asked_of(recall))
    assert recall.asked[1] == ("conv-1", *asked)


@pytest.mark.parametrize(
    ("place", "outside", "expected"),
    [
        (HERE, "", ""),
        (place_of(GROUP), "", ELSEWHERE),
        (HERE, "a forwarded message", "a forwarded message"),
        (place_of(GROUP), "what the agent wrote", f"what the agent wrote, {ELSEWHERE}"),
    ],
)
async def test_marks_words_from_elsewhere_as_outside_text(place: str, outside: str, expected: str) -> None:
    answer = await TOOL.run({"conversation": "c"}, asked_of(PlayedRecall(spoken=spoken(place, outside))))
    assert isinstance(answer, ToolOutput)
    assert answer.outside == expected


async def test_invisible_conversations_look_missing() -> None:
    with pytest.raises(ToolFailed, match="no such conversation"):
        await TOOL.run({"conversation": "conv-1"}, asked_of(PlayedRecall()))
    with pytest.raises(ToolFailed, match="Name the conversation"):
        await TOOL.run({}, asked_of(PlayedRecall()))


async def test_removes_titles_with_forgotten_facts() -> None:
    hers, gone = PRIVATE.person(ANN.id), fact("Ann is scared of geese.", id="mgone")
    owned = forget_memory(MemoriesByOwner({hers: (gone,)}), hers, gone, NOW)
    said = spoken(HERE)
    recall = PlayedRecall(spoken=replace(said, source=replace(said.source, title="Scared of geese")))
    context = replace(asked_of(recall), remembered=visible_memories(owned, PRIVATE))
    answer = await TOOL.run({"conversation": "conv-1"}, context)
    assert isinstance(answer, ToolOutput)
    assert answer.parts[0] == "conv-1: untitled; 9 turns in all"
