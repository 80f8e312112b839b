"""No sentence of a prompt mentions a feature that its request lacks: any persona, codec, format, model and tools."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, combinations, product
from pathlib import Path
from typing import TypeAlias

import pytest

from infra.bundle import ROOT
from shared.planning.personas.load import SMALL, load_agents, load_model_notes
from shared.planning.prompt.scene import Scene
from shared.tools.toolbox import TOOLS
from shared.values.agent import Agent, Codec, ModelNotes, RolePrompt
from shared.values.evolve import evolve
from shared.values.prompt_format import PromptFormat
from tests.shared.examples import ME, said
from tests.shared.planning.prompt.claims import request_of, untrue
from tests.shared.planning.prompt.scenes import GROUP, scene

FOLDER = ROOT / "agents"
PERSONAS = load_agents([FOLDER])
#: a model that has the notes of each file; those of small models are for models without notes of their own
NOTED = {file.stem: file.stem for file in sorted(FOLDER.glob("prompts/models/*.md"))} | {SMALL: "a-small-2b"}
NOTES = {name: load_model_notes([FOLDER], model) for name, model in NOTED.items()}
MODELS = {"": ModelNotes(), **NOTES}
Case: TypeAlias = tuple[Agent, PromptFormat, ModelNotes]
TALK = (
    said("look", media="a photo", message_id=1, seq=1),
    said("nice", ME, message_id=2, seq=2),
    said("what is 3 % of 7?", message_id=3, seq=3),
)


@cache
def roles_of(persona: str) -> tuple[RolePrompt, ...]:
    """Return the role prompts of a persona, and all others that it may have as well."""
    own = PERSONAS[persona].roles
    names = {role.name for role in own}
    others = {role.name: role for agent in PERSONAS.values() for role in agent.roles if role.name not in names}
    return (*own, *(others[name] for name in sorted(others) if (FOLDER / f"prompts/{name}.md").is_file()))


@cache
def agents_of(persona: str) -> tuple[Agent, ...]:
    """Return a persona with up to two role prompts, all but one, and all; and with either codec.

    No sentence depends on more than two, and the number of all choices would double with each prompt.
    """
    roles = roles_of(persona)
    counts = {count for count in (0, 1, 2, len(roles) - 1, len(roles)) if 0 <= count <= len(roles)}
    choices = chain.from_iterable(combinations(roles, count) for count in sorted(counts))
    agent = PERSONAS[persona]
    return tuple(
        evolve(agent, roles=chosen, front=evolve(agent.front, codec=codec)) for chosen, codec in product(choices, Codec)
    )


def cases_of(persona: str, models: dict[str, ModelNotes] = MODELS) -> Iterator[Case]:
    """Return all requests of a persona: its agents, both formats, every model."""
    return product(agents_of(persona), PromptFormat, models.values())


def scene_of(case: Case) -> Scene:
    agent, form, notes = case
    tools = [TOOLS[name].declaration for name in agent.tools] if notes.calls_functions else []
    return scene(*TALK, agent=agent, notes=notes, format=form, tools=tools, targets=[3], chat=GROUP)


def complaints(found: Scene) -> list[str]:
    request = request_of(found)
    return list(untrue(request, f"{request.prompt.system}\n\n{request.prompt.turns[-1].parts[-1]}"))


@pytest.mark.parametrize("persona", sorted(PERSONAS))
def test_every_sentence_is_true_of_its_request(persona: str) -> None:
    wrong = {complaint for case in cases_of(persona) for complaint in complaints(scene_of(case))}
    assert wrong == set()


def _files() -> list[Path]:
    return sorted(file for file in FOLDER.rglob("*.md") if re.search(r"\{(?:if|unless) ", file.read_text()))


def _marks() -> Iterator[tuple[str, int]]:
    for file in _files():
        yield from ((file.relative_to(FOLDER).as_posix(), n) for n in range(len(_opened(file.read_text()))))


def _opened(text: str) -> list[re.Match[str]]:
    return list(re.finditer(r"\{(?:if|unless) [^{}]*\}", text))


@pytest.mark.parametrize(("file", "number"), list(_marks()))
def test_without_any_one_condition_some_sentence_would_be_untrue(file: str, number: int) -> None:
    """Replaces one condition of a file at a time by one that always holds (`{if }`)."""
    text = (FOLDER / file).read_text()
    mark = _opened(text)[number]
    changed = f"{text[: mark.start()]}{{if }}{text[mark.end() :]}".rpartition("---\n")[2].strip()
    original = text.rpartition("---\n")[2].strip()
    cases = list(_cases_with(original))
    random.Random(number).shuffle(
        cases
    )  # cases that need the same condition are neighbours, so a shuffled order meets one sooner
    assert any(complaints(_with(scene_of(case), original, changed)) for case in cases)


def _cases_with(text: str) -> Iterator[Case]:
    for persona in sorted(PERSONAS):
        texts = {PERSONAS[persona].instructions, *(role.text for role in roles_of(persona))}
        models = {name: notes for name, notes in MODELS.items() if text in texts or notes.text == text}
        yield from cases_of(persona, models)


def _with(found: Scene, text: str, other: str) -> Scene:
    """Return the scene with another text in the place of one of its prompts."""
    roles = tuple(evolve(role, text=role.text.replace(text, other)) for role in found.agent.roles)
    agent = evolve(found.agent, roles=roles)
    return replace(found, agent=agent, notes=ModelNotes(text=found.notes.text.replace(text, other)))


@pytest.mark.parametrize(
    ("sentence", "codec", "form", "tools"),
    [
        ("Give `reply_to` only in a group.", Codec.JSON, PromptFormat.COMPACT, False),
        ("An empty list of tasks means that you stay silent.", Codec.MARKDOWN, PromptFormat.META, False),
        ("There is no function to call.", Codec.JSON, PromptFormat.META, True),
        ("`calculate` is a function, not a task.", Codec.JSON, PromptFormat.META, False),
        ("`react` puts one `emoji` on the message.", Codec.JSON, PromptFormat.COMPACT, False),
        ("If it needs no words, react to it.", Codec.MARKDOWN, PromptFormat.COMPACT, False),
        ("Each line is `Name#number: text`.", Codec.JSON, PromptFormat.META, False),
        ("`rewrite` changes a message.", Codec.JSON, PromptFormat.META, True),
        ('{"tasks":[{"kind":"send","text":"x","mood":1}]}', Codec.JSON, PromptFormat.META, False),
    ],
)
def test_an_untrue_sentence_is_found(sentence: str, codec: Codec, form: PromptFormat, tools: bool) -> None:
    lull = PERSONAS["lull"]
    agent = evolve(lull, front=evolve(lull.front, codec=codec))
    declared = [TOOLS["calculate"].declaration] if tools else []
    found = scene(said("hi"), agent=agent, format=form, tools=declared, targets=[1], notes=ModelNotes())
    assert complaints(found) == []
    assert complaints(replace(found, notes=ModelNotes(text=sentence)))
