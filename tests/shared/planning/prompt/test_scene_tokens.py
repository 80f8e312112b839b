"""Estimates of tokens approach what the model reports, and stay within bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.model_call import ModelCall
from shared.planning.prompt.estimate import FEWEST_TOKENS, MOST, NEAR, text_tokens, updated_estimate
from shared.planning.prompt.scene import FIRST_CHARACTERS_PER_TOKEN, LEAST, characters_in, tokens_of
from shared.values.prompt import Attachment, Prompt, PromptTurn, TurnRole
from tests.shared.examples import PROPERTY
from tests.shared.planning.prompt.files import JPEG

#: it counts as part of the prompt's own texts
TEXT = Attachment(mime_type="text/plain", content=b"jam")
RATIOS = st.floats(LEAST, MOST)


@pytest.mark.parametrize("true_ratio", [1.4, 2.1, 2.8, 4.0])
def test_a_few_reports_are_enough_for_any_script(true_ratio: float) -> None:
    estimate = FIRST_CHARACTERS_PER_TOKEN
    for _ in range(6):
        estimate = updated_estimate(estimate, 20_000, round(20_000 / true_ratio))
    assert abs(estimate / true_ratio - 1) <= NEAR + 0.01


@PROPERTY
@given(RATIOS, st.integers(0, 10**7), st.integers(0, 10**7))
def test_an_estimate_moves_towards_the_report_and_stays_in_bounds(old: float, characters: int, tokens: int) -> None:
    new = updated_estimate(old, characters, tokens)
    assert LEAST <= new <= MOST
    if characters and tokens >= FEWEST_TOKENS:
        seen = min(max(characters / tokens, LEAST), MOST)
        assert abs(new - seen) <= abs(old - seen) + 0.001


def test_a_report_that_says_nothing_new_changes_nothing() -> None:
    assert updated_estimate(2.0, 2_060, 1_000) == 2.0
    assert updated_estimate(2.0, 10, 5) == 2.0
    assert updated_estimate(2.0, 0, 5_000) == 2.0
    assert updated_estimate(2.0, 9_000, 0) == 2.0


@PROPERTY
@given(st.integers(1, 10**6), RATIOS)
def test_what_has_room_is_never_estimated_as_more(tokens: int, ratio: float) -> None:
    assert tokens_of(characters_in(tokens, ratio), ratio) <= tokens


@pytest.mark.parametrize(
    ("attached", "media_tokens", "text"),
    [((), 0, 300), ((JPEG,), 258, 42), ((JPEG,), 0, 0), ((), 258, 42), ((TEXT,), 0, 0), ((JPEG, TEXT), 258, 0)],
)
def test_only_the_tokens_of_texts_are_learned_from(
    attached: tuple[Attachment, ...], media_tokens: int, text: int
) -> None:
    prompt = Prompt(system="s", turns=(PromptTurn(role=TurnRole.USER, parts=("hi",), attached=attached),))
    assert text_tokens(prompt, ModelCall(model="m", prompt_tokens=300, media_tokens=media_tokens)) == text
