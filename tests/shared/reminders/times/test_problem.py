"""Tests of schedule problems."""

import pytest

from shared.reminders.times.problem import UnusableTime
from shared.reminders.times.rule import read_rule


def test_it_is_a_sentence_that_quotes_nobody() -> None:
    with pytest.raises(UnusableTime) as refused:
        read_rule("FREQ=a secret")
    assert str(refused.value).endswith(".")
    assert "secret" not in str(refused.value).lower()
