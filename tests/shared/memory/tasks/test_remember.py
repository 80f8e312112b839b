"""Tests of the task `remember`, with and without text from outside."""

from typing import Any

import pytest

from shared.base.wording.words import words_in
from shared.memory.tasks.remember import Remember
from shared.planning.format.reply import ParsedReply, parse_reply, reply_text
from shared.values.agent import Codec
from shared.values.memory import MemoryScope, MemoryWish

KINDS = ("send", "remember", "forget")


@pytest.mark.parametrize(
    ("reply", "codec"),
    [
        ('{"tasks": [{"kind": "remember", "text": "Ann likes tea.", "scope": "chat", "memory": "M1"}]}', Codec.JSON),
        ("# «remember» memory=M1 scope=chat\n\nAnn likes tea.", Codec.MARKDOWN),
    ],
)
def test_parses_one_task(reply: str, codec: Codec) -> None:
    parsed = parse_reply(reply, KINDS, codec)
    assert isinstance(parsed, ParsedReply)
    (task,) = parsed.tasks
    assert task.memory_wish == MemoryWish(text="Ann likes tea.", memory="m1", scope=MemoryScope.CHAT)
    assert parse_reply(reply_text(parsed.tasks, codec), KINDS, codec) == parsed


def test_parses_scope_and_sharing_from_a_markdown_heading() -> None:
    parsed = parse_reply("# «remember» 12345 is_for_groups=true\n\nAnn is a vegan.", KINDS, Codec.MARKDOWN)
    assert isinstance(parsed, ParsedReply)
    assert parsed.tasks[0].memory_wish == MemoryWish(text="Ann is a vegan.", is_for_groups=True, message_id=12345)


@pytest.mark.parametrize("reply", ['{"tasks": [{"kind": "remember", "memory": "m1", "text": ""}]}'])
def test_an_empty_text_forgets_the_memory(reply: str) -> None:
    parsed = parse_reply(reply, KINDS)
    assert isinstance(parsed, ParsedReply)
    assert parsed.tasks[0].memory_wish == MemoryWish(memory="m1")


@pytest.mark.parametrize(
    ("more", "asked"),
    [
        ({}, "Remember: Ann likes tea."),
        ({"scope": "chat"}, "Remember for this chat: Ann likes tea."),
        ({"scope": "agent"}, "Remember for everyone: Ann likes tea."),
        ({"is_for_groups": True}, "Remember, also in groups: Ann likes tea."),
        ({"text": "", "memory": "m1"}, "Forget: Ann hates tea."),
    ],
)
def test_confirmation_names_the_fact_and_its_scope(more: dict[str, Any], asked: str) -> None:
    task = Remember.model_validate({"text": "Ann likes tea.", **more})
    found = task.naming({"m1": "Ann hates tea."})
    assert isinstance(found, Remember)
    assert found.reaches_further
    assert found.asked_for(words_in("en")) == asked


def test_has_a_short_summary() -> None:
    task = Remember(text="Ann likes tea.", memory="m1")
    assert (task.summary(), task.pending(0, None).text) == ("person, m1, Ann likes tea.", "Ann likes tea.")
    assert not task.pause()
