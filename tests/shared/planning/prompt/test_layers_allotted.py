"""The budget: every layer gets a share, nothing is wasted, and the whole is never exceeded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.text import level
from shared.planning.prompt.layers import MOST_ASKED, SHARES, PromptLayer, allot, newest_that_fit
from tests.shared.examples import PROPERTY

NEEDS = st.dictionaries(st.sampled_from(list(PromptLayer)), st.integers(0, 5_000))
BUDGETS = st.integers(0, 6_000)


def test_the_shares_are_the_whole() -> None:
    assert set(SHARES) == set(PromptLayer)
    assert sum(SHARES.values()) == pytest.approx(1)


@PROPERTY
@given(NEEDS, BUDGETS, st.integers(0, 7_000))
def test_a_budget_is_kept_and_used(needs: dict[PromptLayer, int], budget: int, least: int) -> None:
    got = allot(needs, budget, least=least)
    assert sum(got.values()) <= budget
    assert all(0 <= got[layer] <= needs.get(layer, 0) for layer in PromptLayer)
    assert got[PromptLayer.IMMEDIATE] >= min(needs.get(PromptLayer.IMMEDIATE, 0), least, budget)
    if sum(got.values()) < budget:
        assert got == {layer: needs.get(layer, 0) for layer in PromptLayer}


@PROPERTY
@given(NEEDS, BUDGETS, st.integers(0, 7_000))
def test_what_is_asked_goes_before_all_shares(needs: dict[PromptLayer, int], budget: int, asked: int) -> None:
    got = allot(needs, budget, asked)
    assert sum(got.values()) <= budget
    assert got[PromptLayer.IMMEDIATE] >= min(needs.get(PromptLayer.IMMEDIATE, 0), asked, int(MOST_ASKED * budget))


def test_the_others_share_what_is_asked_leaves() -> None:
    got = allot(dict.fromkeys(PromptLayer, 2_000), 1_000, asked=1_500)
    assert [got[layer] for layer in PromptLayer] == [752, 49, 33, 33, 133]


@PROPERTY
@given(NEEDS, BUDGETS)
def test_each_layer_can_count_on_its_share(needs: dict[PromptLayer, int], budget: int) -> None:
    got = allot(needs, budget)
    assert all(got[layer] >= min(needs.get(layer, 0), int(share * budget) - 1) for layer, share in SHARES.items())


def test_what_others_leave_goes_to_the_first_in_line() -> None:
    needs = {PromptLayer.IMMEDIATE: 600, PromptLayer.FACTS: 150, PromptLayer.RECENT: 900}
    assert allot(needs, 1_000) == {
        PromptLayer.IMMEDIATE: 500, PromptLayer.SUMMARIES: 0, PromptLayer.FACTS: 100, PromptLayer.RELEVANT: 0,
        PromptLayer.RECENT: 400,
    }  # fmt: skip


@PROPERTY
@given(st.lists(st.integers(0, 300)), st.integers(0, 3_000))
def test_cutting_to_one_level_keeps_the_short_and_fits(lengths: list[int], budget: int) -> None:
    most = level(lengths, budget)
    cut = [min(length, most) for length in lengths]
    assert sum(cut) <= budget
    if sum(lengths) <= budget:
        assert cut == lengths


def test_a_level_without_room_is_nothing() -> None:
    assert level([5, 9], -3) == 0
    assert level([], 10) == 0
    assert level([10, 100, 100], 110) == 50


@PROPERTY
@given(st.lists(st.text(max_size=9)), st.integers(-5, 60))
def test_the_newest_are_kept_and_fit(texts: list[str], budget: int) -> None:
    kept = newest_that_fit(texts, budget)
    assert sum(len(text) + 1 for text in kept) <= max(budget, 0)
    assert tuple(texts[len(texts) - len(kept) :]) == kept
    if len(kept) < len(texts):
        assert sum(len(text) + 1 for text in texts[len(texts) - len(kept) - 1 :]) > budget
