"""Answers are kept as they come, for what was asked of whom; only those that are whole."""

import itertools
from pathlib import Path

import pytest

from benchmarks.answers import KeptAnswers
from shared.adapters.gemini.model import GeminiModel
from shared.errors import ModelRefused
from shared.models.prompt import Prompt, PromptTurn, Role
from tests.stories.play import Model

_numbers = itertools.count(1)
SCHEMA = {"type": "object"}


def prompt() -> Prompt:
    """What no other test asks."""
    return Prompt(system="s", turns=(PromptTurn(role=Role.USER, parts=(f"crocus {next(_numbers)}",)),))


async def test_what_was_answered_is_not_asked_again_also_by_a_later_run(
    gemini: GeminiModel, script: Model, tmp_path: Path
) -> None:
    await script.will({"text": "one"}, {"text": "two"})
    asked, file = prompt(), tmp_path / "new" / "answers.jsonl"
    model = KeptAnswers(gemini, "m", file)
    first = await model.generate(asked, SCHEMA)
    again = await model.generate(asked, SCHEMA)
    later = KeptAnswers(gemini, "m", file)
    assert [first.text, again.text, (await later.generate(asked, SCHEMA)).text] == ["one"] * 3
    assert (model.asked, later.asked) == (1, 0)
    assert (await later.generate(prompt(), SCHEMA)).text == "two"
    assert "crocus" not in file.read_text()


async def test_another_model_another_schema_and_another_prompt_are_asked(gemini: GeminiModel, tmp_path: Path) -> None:
    asked = prompt()
    model, other = (KeptAnswers(gemini, name, tmp_path / "a") for name in "mn")
    keys = {model.key(asked, SCHEMA), other.key(asked, SCHEMA), model.key(asked, None), model.key(prompt(), SCHEMA)}
    assert len(keys) == 4
    assert model.key(asked, SCHEMA) in keys


async def test_a_line_that_was_cut_is_asked_again_and_spoils_no_other(
    gemini: GeminiModel, script: Model, tmp_path: Path
) -> None:
    await script.will(*({"text": text} for text in ("one", "two", "two", "three")))
    prompts, file = [prompt() for _ in range(3)], tmp_path / "answers.jsonl"
    model = KeptAnswers(gemini, "m", file)
    for asked in prompts[:2]:
        await model.generate(asked, None)
    file.write_text(file.read_text()[:-30])
    cut = KeptAnswers(gemini, "m", file)
    assert [(await cut.generate(asked, None)).text for asked in prompts] == ["one", "two", "three"]
    assert cut.asked == 2
    whole = KeptAnswers(gemini, "m", file)
    assert [(await whole.generate(asked, None)).text for asked in prompts] == ["one", "two", "three"]
    assert whole.asked == 0


async def test_failures_and_answers_that_were_cut_are_not_kept(
    gemini: GeminiModel, script: Model, tmp_path: Path
) -> None:
    await script.will({"status": 400, "error": "no"}, {"text": "o", "finish_reason": "MAX_TOKENS"}, {"text": "one"})
    asked, model = prompt(), KeptAnswers(gemini, "m", tmp_path / "answers.jsonl")
    with pytest.raises(ModelRefused) as failed:
        await model.generate(asked, None)
    assert model.trouble == str(failed.value)
    assert not (await model.generate(asked, None)).is_complete
    assert (await model.generate(asked, None)).text == "one"
