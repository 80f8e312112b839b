import pytest

from shared.planning.format.markdown_text import (
    TaskBlock,
    TaskHeading,
    blocks_in,
    escape_body,
    escape_headings,
    heading_in,
    read_blocks,
    wrapper_line,
)
from shared.planning.format.raw_task import ReplyProblem


def bodies(reply: str) -> list[str] | str:
    """Return the bodies of the blocks, or the hint of the problem."""
    read = read_blocks(reply)
    return read.hint if isinstance(read, ReplyProblem) else [block.body for block in read]


def test_a_block_ends_where_the_next_begins() -> None:
    assert read_blocks("prose\n# «send» 5\n\na\n\nb\n# «wait»\n9\n") == [
        TaskBlock(TaskHeading("send", "5"), "a\n\nb"),
        TaskBlock(TaskHeading("wait", ""), "9"),
    ]


def test_a_heading_in_code_is_code() -> None:
    text = "so:\n\n```\n# «send»\n\nx\n```\n1. and\n   ~~~\n# «wait»\n   ~~~"
    assert bodies(f"# «send»\n\n{text}\n\n# «send»\n\nb") == [text, "b"]


def test_code_and_indents_keep_their_white_space() -> None:
    text = "    first\n\n\n```\n  a\n\n\n  b  \n```"
    assert bodies(f"# «send»\n \n\n{text}\n\n") == [text]


def test_a_backslash_makes_a_line_of_a_heading() -> None:
    assert bodies("# «send»\n\n\\# «send»\n\\\\# «se\n\\```\n\\- ~~~\n\\</think>\n\\# Top\n\\a") == [
        "# «send»\n\\# «se\n```\n- ~~~\n</think>\n\\# Top\n\\a"
    ]


def test_a_backslash_in_code_stays() -> None:
    assert bodies("# «send»\n\n```\n\\# «send»\n```") == ["```\n\\# «send»\n```"]


@pytest.mark.parametrize(
    "text",
    [
        "a\n# «send» 5\nb",
        "```\n# «send»\n```\n# «send»",
        "a\n```\n# «send»",
        "````\n```\n# «a»",
        "\\# «send»\n\\\\```",
        "~~~\na\n```\nb\n~~~\n- ```",
        "# «se",
        "</think>",
        "# «Dune»",
    ],
)
def test_any_text_can_stand_in_a_block(text: str) -> None:
    assert bodies(f"# «send»\n\n{escape_body(text)}\n\n# «send»\n\nb") == [text, "b"]


def test_only_what_needs_it_is_escaped() -> None:
    text = "# Top\n\n```py\n# «send»\n```\n\\a\n«b»"
    assert escape_body(text) == text
    assert escape_body("a\n```\nb") == "a\n\\```\nb"


def test_what_people_write_can_be_made_harmless() -> None:
    written = escape_headings("look:\n# «send» 5\n ## «dance»\n\n# Top\n```")
    assert written == "look:\n\\# «send» 5\n\\ ## «dance»\n\n# Top\n```"
    assert not any(map(heading_in, written.split("\n")))


def test_a_fence_around_the_whole_is_seen() -> None:
    assert wrapper_line(["so", "```", "", "# «send»"]) == 1
    assert wrapper_line(["```", "a", "```", "# «send»"]) == -1
    assert wrapper_line(["# «send»", "```", "# «send»", "```"]) == -1
    assert wrapper_line(["```", "# Top"]) == -1


def test_the_last_fence_closes_the_one_around_the_whole() -> None:
    code = "```py\nx\n```"
    assert bodies(f"```markdown\n# «send»\n\n{code}\n\n# «send»\n\nb\n```\nThat is it.") == [code, "b"]


def test_thoughts_before_the_plan_are_left_out() -> None:
    assert bodies("<think>```</think>\n<THOUGHT>\n# «send»\n\nx\n</THOUGHT>\n# «send»\n\na") == ["a"]
    assert "never closed" in bodies("<think>a</think><think>b")


def test_a_thought_that_the_model_did_not_open_ends_too() -> None:
    assert bodies("x\n# «send»\n\nmaybe\n</think>\n# «send»\n\na") == ["a"]
    assert bodies("# «send»\n\n<think>\nis a tag\n</think>") == ["<think>\nis a tag\n</think>"]


def test_no_heading_no_blocks() -> None:
    assert blocks_in(["a", "b"]) == []
    assert blocks_in([]) == []
    assert "no task" in bodies("a\nb")
