"""Tests of the tool `recall_facts`."""

from datetime import UTC
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.memory.lines import QUOTED
from shared.memory.tools.recall_facts import TOOL
from shared.tools.tool import ToolContext, ToolOutput
from shared.values.agent import CuratedMemory
from shared.values.chat_key import ChatKind
from shared.values.memory import VisibleMemories
from tests.shared.examples import ANN, JSON_VALUES, KEY, NOW, PROPERTY
from tests.shared.memory.facts import fact

TEA, NUTS = fact("Ann drinks jasmine tea.", id="mtea"), fact("Ann is allergic to nuts.", id="mnuts")
FORWARDED = fact("Bob owes Ann.", id="mq", outside="a forwarded message")
KNOWN = VisibleMemories(
    curated=(CuratedMemory(text="The cat is Mau."),), common=(TEA,), personal=(NUTS,), quoted=(FORWARDED,)
)


def context(known: VisibleMemories = KNOWN) -> ToolContext:
    return ToolContext(asker=ANN, chat=KEY, kind=ChatKind.PRIVATE, conversation="", now=NOW, zone=UTC, remembered=known)


async def asked(where: ToolContext, **arguments: Any) -> ToolOutput:
    jsonschema.validate(arguments, dict(TOOL.parameters))
    found = await TOOL.run(arguments, where)
    assert isinstance(found, ToolOutput)
    return found


async def test_returns_all_memories_and_counts_quoted_ones() -> None:
    where = context()
    answer = await asked(where)
    listed, more = answer.parts
    assert listed.splitlines() == [
        "- (always) The cat is Mau.",
        "- mtea (Ann, 2026-03-01): Ann drinks jasmine tea. [in a private chat]",
        "- mnuts (Ann, 2026-03-01): Ann is allergic to nuts. [in a private chat]",
    ]
    assert more.startswith("Besides, 1 of what words from outside asked")
    assert (answer.outside, where.touched) == ("", {"mtea", "mnuts"})


async def test_marks_quoted_memories() -> None:
    answer = await asked(context(), quoted=True)
    assert "Bob owes Ann." in answer.parts[0]
    assert answer.outside == QUOTED
    assert (await asked(context(), quoted=True, words="tea")).outside == ""


@pytest.mark.parametrize(("words", "found"), [("teas", {"mtea"}), ("allergies Mau", {"mnuts"}), ("rum", set())])
async def test_filters_by_words(words: str, found: set[str]) -> None:
    where = context()
    answer = await asked(where, words=words)
    assert where.touched == found
    assert answer.parts[0].startswith("- ") is bool(found)


@PROPERTY
@given(st.dictionaries(st.sampled_from(("words", "quoted", "x")), JSON_VALUES))
async def test_accepts_any_arguments(arguments: dict[str, object]) -> None:
    assert isinstance(await TOOL.run(arguments, context()), ToolOutput)
