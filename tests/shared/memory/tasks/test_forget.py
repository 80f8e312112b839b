"""Tests of the task `forget`."""

import pytest

from shared.base.wording.words import words_in
from shared.memory.tasks.forget import NO_SUCH, Forget
from shared.planning.format.reply import ParsedReply, parse_reply
from shared.values.agent import Codec
from shared.values.evolve import evolve
from shared.values.memory import MemoryWish


@pytest.mark.parametrize(
    ("reply", "codec"),
    [('{"tasks": [{"kind": "forget", "memory": "m1"}]}', Codec.JSON), ("# «forget»\n\nm1", Codec.MARKDOWN)],
)
def test_refers_to_a_memory_by_id(reply: str, codec: Codec) -> None:
    parsed = parse_reply(reply, ("send", "forget"), codec)
    assert isinstance(parsed, ParsedReply)
    assert parsed.tasks[0].memory_wish == MemoryWish(memory="m1")


def test_confirmation_quotes_the_memory() -> None:
    named = Forget(memory="m1", said="your list of songs").naming({"m1": "Ann is allergic to nuts."})
    assert isinstance(named, Forget)
    assert named.asked_for(words_in("en")) == "Forget: Ann is allergic to nuts."
    assert Forget(memory="m1").naming({}) == NO_SUCH


def test_has_a_short_summary() -> None:
    task = Forget(memory="m1")
    assert (task.summary(), task.pending(0, None).text, task.naming({"m1": "x"})) == (
        "m1",
        "m1",
        evolve(task, said="x"),
    )
    assert not task.pause()
