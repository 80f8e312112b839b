import itertools
import re

from shared.planning.format.markdown_codec import tasks_in_markdown
from shared.planning.format.raw_task import ReplyProblem
from shared.planning.format.reply import ParsedReply, parse_reply
from shared.planning.format.schema import format_instructions
from shared.planning.personas.template import unknown_variable
from shared.tasks.registry import plannable
from shared.tasks.send import Send
from shared.values.agent import Codec


def kinds_told(text: str) -> list[str]:
    """Return the kinds of the blocks that are shown before the example."""
    return re.findall(r"^# «([\w-]+)»", text.partition("For example:")[0], re.MULTILINE)


def test_json_is_held_by_its_schema() -> None:
    assert format_instructions(tuple(plannable()), Codec.JSON) == ""


def test_only_what_is_unlocked_is_told_and_always_in_the_same_order() -> None:
    for kinds in itertools.permutations(("send", "react")):
        assert kinds_told(format_instructions(kinds, Codec.MARKDOWN)) == ["send", "react", "think"]
    assert kinds_told(format_instructions(plannable(), Codec.MARKDOWN)) == [*plannable(), "think"]


def test_every_kind_tells_what_stands_where() -> None:
    text = format_instructions(("send", "wait", "react"), Codec.MARKDOWN)
    assert "# «send»\n\nWhat to write, in markdown.\n\n" in text
    assert "# «wait»\n\nseconds: 60\n\n" in text
    assert "# «react» 12345\n\nOne emoji that Telegram allows as a reaction. 👍 👎 ❤ " in text
    assert "The number in `# «send» 12345` is the message_id to quote; omit it to quote none." in text
    assert "The number in `# «react» 12345` is the message to react to." in text


def test_what_is_told_of_each_kind_is_read_as_that_kind() -> None:
    blocks = format_instructions(plannable(), Codec.MARKDOWN).partition("The number in")[0]
    read = tasks_in_markdown(blocks)
    assert not isinstance(read, ReplyProblem)
    assert [task.kind for task in read] == [*plannable(), "think"]


def test_the_example_is_a_plan() -> None:
    example = format_instructions(("send",), Codec.MARKDOWN).partition("For example:")[2]
    assert parse_reply(example, ("send",), Codec.MARKDOWN) == ParsedReply(
        (Send(id="1", text="At nine, as always."),), ()
    )


def test_no_variable_is_in_it_for_the_prompt_to_fill() -> None:
    assert unknown_variable(format_instructions(plannable(), Codec.MARKDOWN)) == ""
    assert "{" not in format_instructions(plannable(), Codec.MARKDOWN)
