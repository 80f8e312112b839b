"""A person's pace."""

from datetime import timedelta

import pytest

from shared.tasks.send import human_pace


@pytest.mark.parametrize(("length", "seconds"), [(-1, 2), (0, 2), (60, 3), (90, 3.5), (360, 8), (4096, 8)])
def test_longer_texts_take_longer_but_never_long(length: int, seconds: float) -> None:
    assert human_pace(length) == timedelta(seconds=seconds)
