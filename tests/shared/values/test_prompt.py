"""Prompts can be continued without changing their beginning, and know their length."""

from datetime import UTC, datetime

from shared.values.evolve import evolve
from shared.values.prompt import (
    CompressionSummary,
    Prompt,
    PromptSize,
    PromptTurn,
    SearchResult,
    SearchResults,
    ToolAnswer,
    ToolCall,
    ToolDeclaration,
    TurnRole,
)

PROMPT = Prompt(system="be", turns=(PromptTurn(role=TurnRole.USER, parts=("a", "bcd")),))
SIZE = PromptSize(tokens=5, max_tokens=9, layers={"system": 2}, messages_shown=1, messages_cut=0, texts_shortened=0)


def test_a_prompt_is_continued_and_stays_as_it_was() -> None:
    prompt = evolve(PROMPT, size=SIZE)
    longer = prompt.with_turns(PromptTurn(role=TurnRole.MODEL, parts=("b",)))
    assert [turn.parts[0] for turn in longer.turns] == ["a", "b"]
    assert (len(prompt.turns), longer.size) == (1, SIZE)


def test_a_prompt_counts_its_characters_with_the_ends_of_lines() -> None:
    assert PROMPT.characters == 2 + 2 + 4
    assert PROMPT.with_turns(PromptTurn(role=TurnRole.MODEL, parts=("b",))).characters == 10


def test_what_tools_were_asked_and_answered_counts() -> None:
    answer = ToolAnswer(call=ToolCall(id="c1", name="add", arguments={"a": 1}), text="12345")
    assert answer.characters == 2 + 3 + 5 + 1
    turns = (
        PromptTurn(role=TurnRole.MODEL, verbatim="x" * 30),
        PromptTurn(role=TurnRole.USER, answers=(answer, answer)),
    )
    assert PROMPT.with_turns(*turns).characters == PROMPT.characters + 30 + 2 * 11


def test_tools_that_may_be_called_are_part_of_a_prompt() -> None:
    tool = ToolDeclaration(name="add", description="Adds.", parameters={"type": "object"})
    told = PROMPT.with_tools([tool])
    assert (told.tools, told.may_call, PROMPT.tools) == ((tool,), True, ())
    assert told.characters == PROMPT.characters + len(tool.model_dump_json())


def test_a_summary_can_be_stored_and_read_again() -> None:
    made = CompressionSummary(up_to_seq=7, text="Ann has a cat.", made_at=datetime(2026, 3, 1, tzinfo=UTC))
    assert CompressionSummary.model_validate_json(made.model_dump_json()) == made


def test_a_search_that_finds_nothing_is_an_answer_too() -> None:
    assert SearchResults(results=()).shown_with == ()
    assert SearchResult(title="A", url="https://a.example").snippet == ""
