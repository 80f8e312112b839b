"""A reaction is one emoji."""

import pytest
from pydantic import ValidationError

from shared.tasks.react import React


def test_a_reaction_needs_an_emoji() -> None:
    with pytest.raises(ValidationError):
        React(emoji="", message_id=1)
