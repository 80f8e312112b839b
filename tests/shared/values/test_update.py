"""An update in its envelope."""

from dataclasses import FrozenInstanceError

import pytest

from tests.shared.examples import message_update, update_of


def test_an_update_stays_what_the_channel_told() -> None:
    raw = message_update(7)
    update = update_of(raw)
    assert update.raw == raw
    assert update.envelope.update_id == 7
    with pytest.raises(FrozenInstanceError):
        update.raw = {}  # type: ignore[misc]
