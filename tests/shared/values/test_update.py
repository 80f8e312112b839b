"""An update in its envelope."""

from dataclasses import FrozenInstanceError

import pytest

from shared.values.chat_key import ChatKind
from shared.values.update import Envelope, InboxUpdate, own_update_id
from tests.shared.examples import KEY, NOW, message_update, update_of


def test_an_update_stays_what_the_channel_told() -> None:
    raw = message_update(7)
    update = update_of(raw)
    assert update.raw == raw
    assert update.envelope.update_id == 7
    with pytest.raises(FrozenInstanceError):
        update.raw = {}  # type: ignore[misc]


def test_one_of_lull_s_own_has_the_id_that_earlier_versions_gave_it() -> None:
    assert own_update_id("abcdefghijkl@2026-03-01T12:10:00+00:00") == 1_378_109_106_011_161
    assert (
        own_update_id("photo lull.7.0 (5,) described", range(9_001 * 10**12, 9_007 * 10**12)) == 9_004_932_624_122_216
    )


def test_one_of_lull_s_own_lies_in_the_inbox_as_telegram_s_do() -> None:
    envelope = Envelope(update_id=own_update_id("a"), kind="woken", key=KEY, chat_kind=ChatKind.NONE)
    update = InboxUpdate.own(envelope, {"state": "once"}, NOW)
    assert update.raw == {"update_id": envelope.update_id, "woken": {"state": "once"}}
    assert (update.envelope, update.received_at) == (envelope, NOW)
