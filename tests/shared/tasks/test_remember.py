"""`remember`: how a model writes it, and what it may not have once text from outside was seen."""

import pytest

from shared.models.agent import Codec
from shared.models.memory import MemoryScope, MemoryWish
from shared.spelling.reply import ParsedReply, parse_reply, reply_text
from shared.spelling.schema import plan_schema
from shared.tasks.remember import Remember

KINDS = ("send", "remember", "forget")


@pytest.mark.parametrize(
    ("reply", "codec"),
    [
        ('{"tasks": [{"kind": "remember", "text": "Ann likes tea.", "scope": "chat", "memory": "M1"}]}', Codec.JSON),
        ("# «remember» memory=M1 scope=chat\n\nAnn likes tea.", Codec.MARKDOWN),
    ],
)
def test_it_is_one_task(reply: str, codec: Codec) -> None:
    parsed = parse_reply(reply, KINDS, codec)
    assert isinstance(parsed, ParsedReply)
    (task,) = parsed.tasks
    assert task.memory_wish == MemoryWish(text="Ann likes tea.", memory="m1", scope=MemoryScope.CHAT)
    assert parse_reply(reply_text(parsed.tasks, codec), KINDS, codec) == parsed


def test_in_markdown_a_heading_says_whose_word_it_is_and_that_groups_may_know() -> None:
    parsed = parse_reply("# «remember» 12345 is_for_groups=true\n\nAnn is a vegan.", KINDS, Codec.MARKDOWN)
    assert isinstance(parsed, ParsedReply)
    assert parsed.tasks[0].memory_wish == MemoryWish(text="Ann is a vegan.", is_for_groups=True, message_id=12345)


@pytest.mark.parametrize("reply", ['{"tasks": [{"kind": "remember", "memory": "m1", "text": ""}]}'])
def test_an_empty_text_forgets(reply: str) -> None:
    parsed = parse_reply(reply, KINDS)
    assert isinstance(parsed, ParsedReply)
    assert parsed.tasks[0].memory_wish == MemoryWish(memory="m1")


def test_after_text_from_outside_only_a_new_one_of_whoever_is_answered_is_left() -> None:
    task = Remember(text="Ann likes tea.", memory="m1", scope="agent", is_for_groups=True, message_id=5)
    assert task.after_outside() == Remember(text="Ann likes tea.", message_id=5)
    for saw_outside, names in ((False, {"memory", "scope", "is_for_groups"}), (True, set())):
        schema = str(plan_schema(("remember",), saw_outside=saw_outside))
        assert {name for name in ("memory", "scope", "is_for_groups") if f"'{name}'" in schema} == names


def test_it_says_what_it_is_in_a_few_words() -> None:
    task = Remember(text="Ann likes tea.", memory="m1")
    assert (task.summary(), task.pending(0, None).text) == ("person, m1, Ann likes tea.", "Ann likes tea.")
    assert not task.pause()
