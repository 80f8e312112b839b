"""`block`: the form in which a model writes it. After text from outside only the owner is asked to confirm it."""

from datetime import timedelta

import pytest

from shared.access.tasks.block import BlockPerson
from shared.base.wording.words import words_in
from shared.planning.format.reply import ParsedReply, parse_reply
from shared.values.access_action import AccessAction, AccessActionKind
from shared.values.agent import Codec

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
    assert isinstance(task, BlockPerson)
    assert task.access_action == AccessAction(AccessActionKind.BLOCK, 77, "floods")
    assert (task.pause(), task.summary()) == (timedelta(), "blocks 77")


def test_the_owner_is_asked_and_nobody_else() -> None:
    task = BlockPerson(person=7)
    assert (task.reaches_further, task.traits.asks_owner) == (True, True)
    with pytest.raises(NotImplementedError):
        task.asked_for(words_in("en"))
