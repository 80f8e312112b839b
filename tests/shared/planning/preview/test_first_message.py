"""The preview of an unfinished reply, for every plan, every spelling and every place."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.planning.format.reply import reply_text
from shared.planning.preview import first_text
from shared.tasks.send import Send
from shared.tasks.task import Task
from shared.tasks.wait import Wait
from shared.values.agent import Codec
from tests.shared.planning.format.plans import PROPERTY, SPELLINGS, items_of, plans

#: JSON inside a string is not among them: it is shown when it is whole, and sent
READABLE = ("escaped", "indented", "bare list", "loose", "smart quotes", "bare keys")
both = pytest.mark.parametrize("codec", [Codec.JSON, Codec.MARKDOWN])


def first_of(tasks: tuple[Task, ...]) -> str:
    """Return the text of the first message, if no wait comes before it."""
    first = next((task for task in tasks if isinstance(task, Send | Wait)), None)
    return first.text if isinstance(first, Send) else ""


def shown(reply: str, codec: Codec) -> list[str]:
    """Return the preview of each beginning of a reply."""
    return [first_text(reply[:length], codec) for length in range(len(reply) + 1)]


def only_grows(texts: list[str]) -> bool:
    return all(later.startswith(text) for text, later in pairwise(texts))


@PROPERTY
@both
@given(data=st.data(), before=st.sampled_from(["", "Sure:\n\n", "<think>{ # «send»\n\nno</think>"]))
def test_only_the_first_message_is_shown_and_it_only_grows(codec: Codec, data: st.DataObject, before: str) -> None:
    tasks = data.draw(plans(most=3, codec=codec))
    texts = shown(f"{before}{reply_text(tasks, codec)}\n\n", codec)
    assert only_grows(texts)
    assert texts[-1] == first_of(tasks)


@pytest.mark.parametrize("text", ["- ```\ncode\n```", "1. ~~~\ncode\n~~~", "- a\n- ```\n  code\n  ```"])
def test_code_in_the_item_of_a_list_is_not_shown_and_taken_back(text: str) -> None:
    texts = shown(f"{reply_text((Send(id='1', text=text),), Codec.MARKDOWN)}\n\n", Codec.MARKDOWN)
    assert only_grows(texts)
    assert texts[-1] == text


@PROPERTY
@pytest.mark.parametrize("spelling", READABLE)
@given(tasks=plans(most=2), fence=st.sampled_from(["", "```json\n"]))
def test_every_spelling_of_json_is_understood(spelling: str, tasks: tuple[Task, ...], fence: str) -> None:
    texts = shown(fence + SPELLINGS[spelling](items_of(tasks)), Codec.JSON)
    assert only_grows(texts)
    assert texts[-1] == first_of(tasks)


@PROPERTY
@given(plans(most=2, codec=Codec.MARKDOWN))
def test_a_fence_around_a_plan_of_markdown_is_never_shown(tasks: tuple[Task, ...]) -> None:
    texts = shown(f"```markdown\n{reply_text(tasks, Codec.MARKDOWN)}\n```", Codec.MARKDOWN)
    assert only_grows(texts)
    assert first_of(tasks).startswith(texts[-1])


@PROPERTY
@both
@given(text=st.text(alphabet=st.sampled_from("{}[]\",:\\u0de#«»<>/`~ \n'“”*abksendtx1\ud83d\ude00é")))
def test_anything_may_be_read(codec: Codec, text: str) -> None:
    assert isinstance(first_text(text, codec), str)
    first_text(text, codec).encode()


@both
def test_half_a_surrogate_pair_is_not_shown(codec: Codec) -> None:
    reply = reply_text((Send(id="1", text="a 🙂"),), codec)
    broken = reply.replace("🙂", "\ud83d\ude42")
    before = broken[: broken.index("\ud83d")]
    assert first_text(before + "\ud83d", codec).rstrip() == "a"
    assert first_text(before + "\ud83d\ude42", codec) == "a 🙂"


def test_a_reply_that_is_too_long_to_be_used_is_not_shown() -> None:
    assert first_text(json.dumps({"tasks": [{"kind": "send", "text": "x" * 400_000}]})) == ""


@both
def test_a_long_reply_is_read_as_it_comes(codec: Codec) -> None:
    text = "\n".join(f"{number}. line, “quoted” \\ and 🙂" for number in range(400)).rstrip()
    reply = reply_text((Send(id="1", text=text),), codec)
    step = len(reply) // 200
    texts = [first_text(reply[:end], codec) for end in range(0, len(reply) + step, step)]
    assert only_grows(texts)
    assert texts[-1] == text
