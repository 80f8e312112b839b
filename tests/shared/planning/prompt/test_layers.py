"""The background: shown whole if it fits, and cut where it is least missed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.planning.prompt.layers import (
    LONG_AGO,
    MEMORY,
    RECALLED,
    SO_FAR,
    PromptLayer,
    layer_needs,
    memory_blocks,
    recalled_blocks,
    summary_blocks,
)
from shared.values.origin import OWN, Passage
from shared.values.prompt import CompressionSummary
from tests.shared.examples import NOW, PROPERTY
from tests.shared.planning.prompt.scenes import TEXTS, marker_in, scene

FACTS = tuple(f"fact number {n}" for n in range(20))


def compression(text: str) -> CompressionSummary:
    return CompressionSummary(up_to_seq=9, text=text, made_at=NOW)


def test_nothing_known_takes_no_room() -> None:
    assert set(layer_needs(scene()).values()) == {0}
    assert (summary_blocks(scene(), 1_000), memory_blocks(scene(), 1_000), recalled_blocks(scene(), 1_000)) == (
        ([], []),
        [],
        [],
    )


def test_each_block_has_its_title_and_its_lines_are_moved_in() -> None:
    known = scene(
        facts=["Ann has a cat.", "It is\ncalled Tom."], recalled=["Ann: at noon"], digests=["A quiet month."],
        compression=compression("Ann asked\nfor tea."),
    )  # fmt: skip
    assert memory_blocks(known, 1_000) == [f"[{MEMORY}]\n  - Ann has a cat.\n  - It is\n    called Tom."]
    assert recalled_blocks(known, 1_000) == [f"[{RECALLED}]\n  - Ann: at noon"]
    assert summary_blocks(known, 1_000) == (
        [f"[{LONG_AGO}]\n  A quiet month."],
        [f"[{SO_FAR}]\n  Ann asked\n  for tea."],
    )


def test_a_summary_says_its_span_and_when_it_was_made() -> None:
    title = "summary: what was said here in the 7 days up to 2026-03-01"
    shown, _ = summary_blocks(scene(digests=[Passage(text="A quiet week.", source=OWN, title=title)]), 1_000)
    assert shown == [f"[{title}]\n  A quiet week."]


def test_the_oldest_memories_and_the_worst_finds_go_first() -> None:
    (block,) = memory_blocks(scene(facts=FACTS), 200)
    assert block.startswith(f"[{MEMORY}; ")
    assert block.endswith("  - fact number 18\n  - fact number 19")
    (found,) = recalled_blocks(scene(recalled=FACTS), 200)
    assert found.endswith("fact number 0")
    assert "fact number 19" not in found


def test_the_summary_of_this_conversation_has_the_first_claim() -> None:
    known = scene(digests=["m" * 900, "w" * 900], compression=compression("c" * 900))
    long_ago, (so_far,) = summary_blocks(known, 1_100)
    assert "c" * 900 in so_far
    assert long_ago == []
    (week,), _ = summary_blocks(known, 1_700)
    assert "www [cut: 900 characters" in week
    assert summary_blocks(known, 100) == ([], [])


BLOCKS = {"facts": memory_blocks, "recalled": recalled_blocks}


@pytest.mark.parametrize("name", BLOCKS)
@PROPERTY
@given(st.lists(TEXTS, max_size=5), st.integers(0, 400))
def test_a_list_keeps_to_its_room_and_holds_no_marker(name: str, texts: list[str], room: int) -> None:
    found = BLOCKS[name](scene(**{name: texts}), room)
    assert sum(len(text) + 1 for text in found) <= room
    for line in "\n".join(found).splitlines()[1:]:
        assert line.startswith("  ")
        assert not marker_in(line)


def test_a_cut_makes_no_marker() -> None:
    for room in range(300, 420):
        _, (so_far,) = summary_blocks(scene(compression=compression("[nowhere" * 90)), room)
        assert not marker_in(so_far.partition("\n")[2].replace("[cut: ", ""))


@PROPERTY
@given(st.lists(TEXTS, max_size=3), TEXTS, st.integers(0, 900))
def test_summaries_keep_to_their_room_and_hold_no_marker(digests: list[str], text: str, room: int) -> None:
    long_ago, so_far = summary_blocks(scene(digests=digests, compression=compression(text * 9)), room)
    assert sum(len(text) + 1 for text in (*long_ago, *so_far)) <= room
    for block in (*long_ago, *so_far):
        for line in block.splitlines()[1:]:
            assert line.startswith("  ")
            assert not marker_in(line.replace("[cut: ", ""))


@PROPERTY
@given(st.lists(TEXTS, max_size=4), TEXTS)
def test_what_has_the_room_that_it_needs_is_whole(texts: list[str], text: str) -> None:
    fields: dict[str, Any] = {"facts": texts, "recalled": texts, "digests": texts, "compression": compression(text)}
    known = scene(**fields)
    budgets = layer_needs(known)
    assert memory_blocks(known, budgets[PromptLayer.FACTS]) == memory_blocks(known, 10**6)
    assert recalled_blocks(known, budgets[PromptLayer.RELEVANT]) == recalled_blocks(known, 10**6)
    assert summary_blocks(known, budgets[PromptLayer.SUMMARIES]) == summary_blocks(known, 10**6)
