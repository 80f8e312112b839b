"""A wait is no longer than Cloud Tasks can schedule."""

import pytest
from pydantic import ValidationError

from shared.tasks.wait import LONGEST_WAIT_SECONDS, Wait


@pytest.mark.parametrize("seconds", [-1, LONGEST_WAIT_SECONDS + 1])
def test_what_cannot_be_waited_is_refused(seconds: int) -> None:
    with pytest.raises(ValidationError):
        Wait(seconds=seconds)
