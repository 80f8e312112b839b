"""The code with which a person becomes an agent's owner."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.values.registration import ClaimCode, claim_code, claim_link
from tests.shared.examples import PROPERTY

CODE = claim_code("the-secret", "lull", 42)


def test_it_is_the_same_for_the_same_and_another_for_anything_else() -> None:
    assert claim_code("the-secret", "lull", 42) == CODE
    others = {
        claim_code("another", "lull", 42),
        claim_code("the-secret", "moss", 42),
        claim_code("the-secret", "lull", 4),
    }
    assert len(others | {CODE}) == 4


@PROPERTY
@given(st.text(min_size=1, max_size=64), st.text(min_size=1, max_size=32), st.integers(1, 2**52))
def test_telegram_takes_its_link(secret: str, agent: str, bot_id: int) -> None:
    link = claim_link("lull_bot", claim_code(secret, agent, bot_id))
    # core.telegram.org/bots/features#deep-linking
    assert re.fullmatch(r"https://t\.me/lull_bot\?start=claim_[a-z2-7]{20}", link)


@pytest.mark.parametrize("written", [CODE, CODE.upper(), f" {CODE}\n"])
def test_it_may_be_typed(written: str) -> None:
    assert ClaimCode(CODE).matches(written)


@PROPERTY
@given(st.text() | st.sampled_from(["\ud800", CODE[:-1], f"{CODE}a", f"claim_{CODE}"]))
def test_nothing_else_is_it(written: str) -> None:
    assert not ClaimCode(CODE).matches(written)


def test_it_is_not_shown() -> None:
    assert CODE not in repr(ClaimCode(CODE))
