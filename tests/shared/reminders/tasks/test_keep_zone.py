"""Tests of the task `keep-zone`."""

from datetime import timedelta

import pytest

from shared.planning.format.reply import ParsedReply, parse_reply
from shared.reminders.tasks.keep_zone import NO_ZONE, KeepZone
from shared.values.agent import Codec
from tests.shared.examples import NOW


@pytest.mark.parametrize(
    ("reply", "codec"),
    [
        ('{"tasks": [{"kind": "keep-zone", "zone": "Asia/Tokyo"}]}', Codec.JSON),
        ("# «keep-zone»\n\nAsia/Tokyo", Codec.MARKDOWN),
    ],
)
def test_parses_the_task(reply: str, codec: Codec) -> None:
    parsed = parse_reply(reply, ("send", "keep-zone"), codec)
    assert isinstance(parsed, ParsedReply)
    (task,) = parsed.tasks
    assert isinstance(task, KeepZone)
    assert task.told_zone == task.summary() == task.pending(0, None).text == "Asia/Tokyo"
    assert task.pause() == timedelta()


def test_resolves_the_zone_or_returns_to_the_model() -> None:
    assert KeepZone(zone="tokyo").at_instants(NOW, "UTC") == KeepZone(zone="Asia/Tokyo")
    assert KeepZone(zone="+2").at_instants(NOW, "UTC") == NO_ZONE
    assert KeepZone(zone="my secret").at_instants(NOW, "UTC") == NO_ZONE
