"""What is kept of a tool's call."""

from shared.models.prompt import ToolAnswer, ToolCall
from shared.models.tool_use import KEPT_ANSWER, KEPT_ARGUMENTS, use_of


def test_a_use_is_kept_shortened() -> None:
    call = ToolCall(name="retrieve", arguments={"urls": ["https://a.example/" + "b" * 5_000]})
    use = use_of(ToolAnswer(call=call, text="p" * 50_000, outside="a page", seconds=1.23456))
    assert (use.name, use.outside, use.seconds, use.is_error) == ("retrieve", "a page", 1.235, False)
    assert use_of(ToolAnswer(call=call, text="p"), 2).asked_by == 2
    assert len(use.arguments) <= KEPT_ARGUMENTS
    assert len(use.answer) <= KEPT_ANSWER


def test_what_is_kept_is_counted_in_bytes() -> None:
    use = use_of(ToolAnswer(call=ToolCall(name="n" * 9_000, arguments={"q": "🦊" * 5_000}), text="中\ud800" * 50_000))
    assert len(use.answer.encode()) <= KEPT_ANSWER
    assert max(len(use.arguments.encode()), len(use.name)) <= KEPT_ARGUMENTS
    assert use.answer.endswith("…")
