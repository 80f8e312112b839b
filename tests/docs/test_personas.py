"""docs/personas.md lists all keys of a persona as in the code, and all personas."""

import re
from enum import Enum
from pathlib import Path

import pytest
from pydantic.fields import FieldInfo

from infra.bundle import ROOT
from shared.base.errors import InvalidPersona
from shared.planning.personas.files import read_file
from shared.planning.personas.load import load_agents
from shared.planning.personas.template import VARIABLES
from shared.tools.toolbox import TOOLS
from shared.values.agent import Codec, FrontMatter
from shared.values.money import AgentLimits

PAGE = (ROOT / "docs" / "personas.md").read_text()
PERSONAS = load_agents([ROOT / "agents"])
SHARED_PROMPTS = sorted((ROOT / "agents" / "prompts").glob("*.md"))


def table_after(heading: str) -> list[list[str]]:
    """Return the cells of the first table below a heading, without its head."""
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def default_of(field: FieldInfo) -> str:
    """Return a default as it would be written in the front matter."""
    if field.is_required():
        return "required"
    match field.default:
        case "":
            return "empty"
        case Enum(value=value):
            return f"`{value}`"
        case bool(value):
            return f"`{str(value).lower()}`"
        case tuple(values):
            return f"`[{', '.join(values)}]`"
        case AgentLimits():
            return "[below](#how-much-may-be-spent)"
    return f"`{field.default}`"


def test_every_key_is_listed_with_its_default_and_nothing_else() -> None:
    keys = [[f"`{name}`", field.description, default_of(field)] for name, field in FrontMatter.model_fields.items()]
    assert table_after("The front matter") == keys


def test_every_variable_is_listed_and_nothing_else() -> None:
    assert sorted(re.findall(r"\{(\w+)\}", "".join(row[0] for row in table_after("The instructions")))) == sorted(
        VARIABLES
    )


def test_every_shared_prompt_is_listed_with_what_it_unlocks() -> None:
    rows = [
        [f"[`{file.stem}`](../agents/prompts/{file.name})", ", ".join(f"`{kind}`" for kind in unlocks)]
        for file in SHARED_PROMPTS
        if (unlocks := read_file(file)[0].get("unlocks", []))
    ]
    assert sorted(table_after("Role prompts")) == sorted(rows)


def test_every_persona_is_told() -> None:
    told = {row[0] for row in table_after("The personas that are here")}
    assert told == {f"[`{name}`](../agents/{name}/agent.md)" for name in PERSONAS}


def test_every_tool_is_told_apart_from_the_kinds_of_task() -> None:
    sentence = " ".join(PAGE.split()).partition("except for the tools: ")[2].partition(". The model")[0]
    unlocked = {one for file in SHARED_PROMPTS for one in read_file(file)[0].get("unlocks", [])}
    assert sorted(re.findall(r"`(\w+)`", sentence)) == sorted(unlocked & TOOLS.keys())


def test_the_prompts_that_lull_lacks_are_told() -> None:
    (row,) = (row for row in table_after("The personas that are here") if row[0].startswith("[`lull`]"))
    told = re.findall(r"`(\w+)`", row[1].partition(" but ")[2])
    assert told == sorted({file.stem for file in SHARED_PROMPTS} - {role.name for role in PERSONAS["lull"].roles})


def test_the_example_is_a_persona(tmp_path: Path) -> None:
    example = PAGE.partition("`agents/heron/agent.md`:\n\n```\n")[2].partition("```")[0]
    (tmp_path / "heron").mkdir()
    (tmp_path / "heron" / "agent.md").write_text(example)
    heron = load_agents([tmp_path, ROOT / "agents"])["heron"]
    assert (heron.front.name, heron.kinds) == ("Heron", ("think", "send", "wait"))


def test_a_codec_is_one_of_those_that_there_are(tmp_path: Path) -> None:
    head = "---\nname: Odd\nusername: odd_bot\ncodec: {codec}\n---\nBe odd.\n"
    file = tmp_path / "odd" / "agent.md"
    file.parent.mkdir()
    file.write_text(head.format(codec="markdown"))
    assert load_agents([tmp_path, ROOT / "agents"])["odd"].front.codec is Codec.MARKDOWN
    file.write_text(head.format(codec="xml"))
    with pytest.raises(InvalidPersona, match=r"agent\.md:4: codec: .*`json`, held to a schema"):
        load_agents([tmp_path, ROOT / "agents"])


def test_no_two_personas_answer_to_one_name() -> None:
    names = [name.lower() for other in PERSONAS.values() for name in (*other.names, other.front.username)]
    assert len(names) == len(set(names))


def test_no_shared_prompt_speaks_of_one_persona() -> None:
    names = [re.escape(name) for other in PERSONAS.values() for name in (*other.names, other.front.username)]
    named = re.compile(rf"\b(?:{'|'.join(names)})\b", re.IGNORECASE)
    files = sorted((ROOT / "agents" / "prompts").rglob("*.md"))
    assert [file.name for file in files if named.search(file.read_text())] == []


def test_the_page_explains_no_key_twice() -> None:
    section = PAGE.partition("## The front matter\n")[2].partition("\n## ")[0]
    told = [
        name
        for line in section.splitlines()
        if line.startswith("- **")
        for name in re.findall(r"`(\w+)`", line.partition(":")[0])
    ]
    assert sorted(told) == sorted(set(told))
    assert set(told) <= set(FrontMatter.model_fields)


def test_the_librarian_reacts_in_its_own_way_and_cannot_wait() -> None:
    librarian, lull = PERSONAS["librarian"], PERSONAS["lull"]
    reacting = {agent.id: next(r for r in agent.roles if r.name == "reacting") for agent in (librarian, lull)}
    assert reacting["librarian"].text != reacting["lull"].text
    assert (librarian.kinds, librarian.front.pace.value) == (
        ("think", "send", "remember", "forget", "react"),
        "instant",
    )


def test_the_tutor_never_writes_unasked() -> None:
    tutor = PERSONAS["tutor"]
    assert (tutor.kinds, tutor.front.pace.value) == (
        ("think", "send", "remember", "forget", "sticker", "send-media", "voice"),
        "human",
    )
    assert [role.name for role in tutor.roles] == [
        "chat",
        "remembering",
        "recalling",
        "pronouns",
        "correcting",
        "practising",
        "stickering",
        "showing",
        "speaking",
    ]
