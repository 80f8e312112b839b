import pytest

from shared.planning.format.json_text import MAX_REPLY_BYTES
from shared.planning.format.raw_task import ReplyProblem
from shared.planning.format.reply import ParsedReply, parse_reply, reply_text
from shared.planning.preview import first_text
from shared.tasks.task import Task
from shared.values.agent import Codec
from tests.shared.examples import react, send, wait


def parsed(reply: str) -> ParsedReply:
    found = parse_reply(reply, ("send", "schedule"), Codec.TEXT)
    assert isinstance(found, ParsedReply)
    return found


@pytest.mark.parametrize(
    "reply",
    [
        "Hello there.",
        "First.\n\n- one\n- two",
        '{"tasks": []}',
        "# «send»\n\nas it is written",
        "```python\nprint(1)\n```",
        "\U0001f98a",
    ],
)
def test_the_whole_reply_is_one_message(reply: str) -> None:
    assert [(task.kind, task.words) for task in parsed(f"\n {reply} \n").tasks] == [("send", reply)]


@pytest.mark.parametrize("reply", ["", " \n\t", "\u200b", "\u2800\n"])
def test_a_blank_reply_is_silence(reply: str) -> None:
    assert parsed(reply) == ParsedReply((), ())


def test_a_reply_beyond_the_limit_goes_back_to_the_model() -> None:
    found = parse_reply("a" * (MAX_REPLY_BYTES + 1), ("send",), Codec.TEXT)
    assert isinstance(found, ReplyProblem)
    assert "Answer again in a few sentences." in found.hint


@pytest.mark.parametrize(
    ("tasks", "text"),
    [
        ((), ""),
        ((send(text="One."),), "One."),
        ((send(text="One."), wait(after=("1",)), send("3", "Two.", after=("2",))), "One.\n\nTwo."),
        ((react(),), "(done)"),
    ],
)
def test_what_was_said_is_written_as_the_model_would_say_it(tasks: tuple[Task, ...], text: str) -> None:
    assert reply_text(tasks, Codec.TEXT) == text


def test_the_text_is_shown_as_it_grows() -> None:
    assert [first_text(written, Codec.TEXT) for written in ("", "\n", "Once", "Once upon ")] == [
        "",
        "",
        "Once",
        "Once upon",
    ]
