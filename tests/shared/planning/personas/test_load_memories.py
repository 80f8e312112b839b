"""A persona's memories, and errors in their files."""

from pathlib import Path

import pytest

from infra.bundle import ROOT
from shared.base.errors import InvalidPersona
from shared.planning.personas.load import LONGEST_MEMORY, load_agents, load_memories
from shared.values.agent import CuratedMemory


def test_what_everyone_may_know_comes_first(tmp_path: Path) -> None:
    assert load_memories(tmp_path / "none") == ()
    for name, text in (("77.md", "Ann is a vegan.\n"), ("everyone.md", "- The cat is Mau.\n"), (".DS_Store", "x")):
        (tmp_path / name).write_text(text)
    of_ann = CuratedMemory(person=77, text="Ann is a vegan.")
    assert load_memories(tmp_path) == (CuratedMemory(text="- The cat is Mau."), of_ann)


@pytest.mark.parametrize("name", ["everyone.md~", "77.md~", ".77.md.swp", "#77.md#", "Thumbs.db", "desktop.ini"])
def test_what_an_editor_or_a_desk_leaves_is_nobodys_memory(tmp_path: Path, name: str) -> None:
    (tmp_path / "77.md").write_text("Ann is a vegan.")
    (tmp_path / name).write_bytes(b"\xff")
    assert load_memories(tmp_path) == (CuratedMemory(person=77, text="Ann is a vegan."),)


@pytest.mark.parametrize(
    ("name", "text", "todo"),
    [
        ("ann.md", "x", "name the file everyone.md"),
        ("-77.md", "x", "/whoami shows the id"),
        ("077.md", "x", "/whoami shows the id"),
        ("everyone.txt", "x", "name the file everyone.md"),
        ("everyone.md", " \n", "write the memory into it"),
        ("everyone.md", "---\nname: x\n---\nx", "must not have front matter"),
        ("everyone.md", "x" * (LONGEST_MEMORY + 1), "at most 4,000"),
        ("everyone.md", b"\xff\xfe", "UTF-8"),
    ],
)
def test_what_is_odd_stops_the_start(tmp_path: Path, name: str, text: str | bytes, todo: str) -> None:
    (tmp_path / name).write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(InvalidPersona, match=todo):
        load_memories(tmp_path)


def test_they_are_part_of_the_persona(tmp_path: Path) -> None:
    (tmp_path / "moss" / "memory").mkdir(parents=True)
    (tmp_path / "moss" / "agent.md").write_text((ROOT / "agents" / "moss" / "agent.md").read_text())
    (tmp_path / "moss" / "memory" / "everyone.md").write_text("The plum was planted in 1971.")
    found = load_agents([tmp_path, ROOT / "agents"])["moss"]
    assert found.memories == (CuratedMemory(text="The plum was planted in 1971."),)
