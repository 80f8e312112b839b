"""A reaction is one emoji."""

import pytest
from pydantic import ValidationError

from shared.tasks.react import React
from shared.tasks.task import Telling


def test_a_reaction_needs_an_emoji() -> None:
    with pytest.raises(ValidationError):
        React(emoji="", message_id=1)


def test_it_is_told_by_its_emoji() -> None:
    reaction = React(emoji="👍", message_id=9)
    assert reaction.summary() == "👍 on message 9"
    assert reaction.pending(0, None) == Telling("react")
