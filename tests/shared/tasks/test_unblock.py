"""`unblock`: how a model writes it."""

from datetime import timedelta

from shared.models.agent import Codec
from shared.models.measure import Measure, MeasureKind
from shared.spelling.reply import ParsedReply, parse_reply


def test_a_model_writes_it() -> None:
    parsed = parse_reply('{"tasks": [{"kind": "unblock", "person": 77}]}', ("send", "unblock"), Codec.JSON)
    assert isinstance(parsed, ParsedReply)
    (task,) = parsed.tasks
    assert task.measure == Measure(MeasureKind.UNBLOCK, 77)
    assert (task.pause(), task.summary()) == (timedelta(), "unblocks 77")
