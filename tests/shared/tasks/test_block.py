"""`block`: how a model writes it, and that neither text from outside nor a button leads to it."""

from datetime import timedelta

import pytest
from pydantic import ValidationError

from shared.models.agent import Codec
from shared.models.measure import Measure, MeasureKind
from shared.spelling.reply import ParsedReply, parse_reply
from shared.tasks.block import Block
from shared.tasks.confirm import Confirm
from shared.tasks.registry import usable

KINDS = ("block", "unblock", "shutdown", "clear-conversation")


@pytest.mark.parametrize(
    ("reply", "codec"),
    [
        ('{"tasks": [{"kind": "block", "person": 77, "why": "floods"}]}', Codec.JSON),
        ("# «block» person=77 why=floods", Codec.MARKDOWN),
    ],
)
def test_a_model_writes_it(reply: str, codec: Codec) -> None:
    parsed = parse_reply(reply, ("send", "block"), codec)
    assert isinstance(parsed, ParsedReply)
    (task,) = parsed.tasks
    assert isinstance(task, Block)
    assert task.measure == Measure(MeasureKind.BLOCK, 77, "floods")
    assert (task.pause(), task.summary()) == (timedelta(), "blocks 77")


@pytest.mark.parametrize("kind", KINDS)
def test_no_measure_may_follow_text_from_outside(kind: str) -> None:
    assert usable(("send", kind), names_messages=True) == ("send", kind)
    assert usable(("send", kind), names_messages=True, saw_outside=True) == ("send",)


@pytest.mark.parametrize(
    "act",
    [
        {"kind": "block", "person": 7},
        {"kind": "unblock", "person": 7},
        {"kind": "shutdown"},
        {"kind": "clear-conversation"},
    ],
)
def test_it_cannot_be_had_by_a_button_either(act: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="no kind of task that has to be asked for"):
        Confirm(text="Shall I?", act=act)
