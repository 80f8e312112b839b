"""Thoughts are parsed and dropped."""

import pytest
from pydantic import ValidationError

from shared.tasks.plan import PlannedTask
from shared.tasks.think import Think


def test_a_thought_stands_in_no_plan() -> None:
    assert not Think.traits.is_kept
    with pytest.raises(ValidationError):
        PlannedTask.model_validate({"task": Think(text="hm").model_dump()})
