"""The stored record of a tool's call."""

from typing import Any

import pytest

from shared.values.evolve import evolve
from shared.values.prompt import ToolAnswer, ToolCall
from shared.values.tool_use import (
    KEPT_ANSWER,
    KEPT_ARGUMENTS,
    MOST_RETOLD,
    RETOLD_ANSWER,
    RETOLD_ARGUMENTS,
    ToolUse,
    is_new,
    summarize_tool_uses,
    tool_use_of,
)


def test_a_use_is_kept_shortened() -> None:
    call = ToolCall(name="retrieve", arguments={"urls": ["https://a.example/" + "b" * 5_000]})
    use = tool_use_of(ToolAnswer(call=call, text="p" * 50_000, outside="a page", seconds=1.23456))
    assert (use.name, use.outside, use.seconds, use.is_error) == ("retrieve", "a page", 1.235, False)
    assert tool_use_of(ToolAnswer(call=call, text="p"), 2).asked_by == 2
    assert len(use.arguments) <= KEPT_ARGUMENTS
    assert len(use.answer) <= KEPT_ANSWER


def test_what_is_kept_is_counted_in_bytes() -> None:
    use = tool_use_of(
        ToolAnswer(call=ToolCall(name="n" * 9_000, arguments={"q": "🦊" * 5_000}), text="中\ud800" * 50_000)
    )
    assert len(use.answer.encode()) <= KEPT_ANSWER
    assert max(len(use.arguments.encode()), len(use.name)) <= KEPT_ARGUMENTS
    assert use.answer.endswith("…")


def used(
    name: str = "weather", arguments: str = '{"place": "Kyiv"}', answer: str = "4 °C,\n rain", **fields: Any
) -> ToolUse:
    return ToolUse(name=name, arguments=arguments, answer=answer, **fields)


@pytest.mark.parametrize(
    ("use", "told"),
    [
        (used(), 'weather {"place": "Kyiv"} → 4 °C, rain'),
        (used(is_error=True, answer="no such place"), 'weather {"place": "Kyiv"} → it did not work: no such place'),
        (used(outside="a page", answer="Tea."), 'weather {"place": "Kyiv"} → from outside: "Tea."'),
        (used(is_retold=False, answer="a secret"), 'weather {"place": "Kyiv"} → it is not told again'),
        (used(is_retold=False, answer="a secret", outside="x"), 'weather {"place": "Kyiv"} → it is not told again'),
        (used(is_retold=False, is_error=True, answer="a secret"), 'weather {"place": "Kyiv"} → it did not work'),
    ],
)
def test_later_it_is_told_in_short_with_where_it_is_from(use: ToolUse, told: str) -> None:
    assert summarize_tool_uses([use]) == (told,)


def test_what_is_told_later_is_bounded_and_each_once() -> None:
    assert summarize_tool_uses([used(), used()]) == summarize_tool_uses([used()])
    many = summarize_tool_uses([used(name=f"n{n}") for n in range(MOST_RETOLD + 3)])
    assert (len(many), many[-1]) == (MOST_RETOLD + 1, "and 3 more")
    tried = [*(used(name=f"n{n}", is_error=True) for n in range(MOST_RETOLD)), used(name="at last")]
    assert [one.split()[0] for one in summarize_tool_uses(tried)] == ["n0", "n1", "n2", "n3", "at", "and"]
    (long,) = summarize_tool_uses([used(arguments="a" * 500, answer="b " * 500)])
    assert len(long) <= RETOLD_ARGUMENTS + RETOLD_ANSWER + 20


@pytest.mark.parametrize(
    ("answers", "is_asked"),
    [([], True), (["ok"], False), (["error"], True), (["error", "error"], False), (["error", "ok"], False)],
)
def test_a_call_is_made_again_only_once_and_if_it_failed(answers: list[str], is_asked: bool) -> None:
    call = ToolCall(name="retrieve", arguments={"urls": ["https://a.example"]})
    given = [ToolAnswer(call=evolve(call, id="x"), text="x", is_error=one == "error") for one in answers]
    assert is_new(call, [], given) is is_asked
    other = evolve(call, name="search")
    assert is_new(other, [call], given)
    assert not is_new(call, [other, call], [])
