"""Prompts go on without changing what was there."""

from shared.models.prompt import Prompt, PromptTurn, Role


def test_a_prompt_is_continued_and_stays_as_it_was() -> None:
    prompt = Prompt(system="s", turns=(PromptTurn(role=Role.USER, parts=("a",)),))
    longer = prompt.with_turns(PromptTurn(role=Role.MODEL, parts=("b",)))
    assert [turn.parts[0] for turn in longer.turns] == ["a", "b"]
    assert len(prompt.turns) == 1
