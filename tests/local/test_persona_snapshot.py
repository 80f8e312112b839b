import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from local.options import CannotStart
from local.parts import PERSONA_PROBLEM
from local.persona_snapshot import PersonaSnapshot
from local.processes import ROOT
from shared.planning.personas.load import load_agents, load_everything

#: ten lines, each of which refers to the one before nine times
BOMB = "\n".join(f"a{n}: &a{n} [{','.join(['x' if n == 0 else f'*a{n - 1}'] * 9)}]" for n in range(10))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    others = shutil.ignore_patterns("librarian", "moss", "tutor")  # each persona reads the same prompts
    shutil.copytree(ROOT / "agents", tmp_path / "agents", ignore=others)
    return tmp_path / "agents"


def test_what_runs_is_what_was_read_whole(source: Path, tmp_path: Path) -> None:
    snapshot = PersonaSnapshot((source,), tmp_path / "kept")
    before = snapshot.take()
    persona = source / "lull" / "agent.md"
    whole = persona.read_text()
    persona.write_text(whole.replace("prompts:", "promts:"))
    with pytest.raises(CannotStart, match="A persona cannot be read") as told:
        snapshot.take()
    assert str(persona) in str(told.value)
    assert str(snapshot.folders[0].parent.parent) not in str(told.value)
    assert load_agents(snapshot.folders) == before
    persona.write_text(whole + "You like rain.\n")
    assert "You like rain." in snapshot.take()["lull"].model_dump_json()
    assert load_agents(snapshot.folders).keys() == before.keys()


def test_an_edit_changes_nothing_that_runs_before_it_is_taken(source: Path, tmp_path: Path) -> None:
    snapshot = PersonaSnapshot((source,), tmp_path / "kept")
    before = snapshot.take()
    (source / "lull" / "agent.md").write_text("nonsense")
    assert load_agents(snapshot.folders) == before


def test_a_folder_that_went_away_leaves_what_runs(source: Path, tmp_path: Path) -> None:
    snapshot = PersonaSnapshot((source,), tmp_path / "kept")
    snapshot.take()
    source.rename(tmp_path / "elsewhere")
    with pytest.raises(CannotStart):
        snapshot.take()
    assert load_agents(snapshot.folders)


def test_what_is_wrong_is_kept_until_everything_is_right(source: Path, tmp_path: Path) -> None:
    snapshot, kept = PersonaSnapshot((source,), tmp_path / "kept"), tmp_path / "kept" / PERSONA_PROBLEM
    persona = source / "lull" / "agent.md"
    whole = persona.read_text()
    persona.write_text("---\nname: lull\n")
    with pytest.raises(CannotStart):
        snapshot.take()
    assert json.loads(kept.read_text()) == {
        "file": str(persona),
        "line": 1,
        "why": "the front matter that starts here has no closing line ---",
    }
    persona.write_text(whole)
    snapshot.take()
    assert not kept.exists()


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("prompts/models/small.md", "---\nfunctions: true\n", "no closing line"),
        ("prompts/models/other.md", "---\nwithholds: [{a: b}]\n---\nIt is slow.\n", "withholds must be a list"),
        ("prompts/models/other.md", "Say {nonsense}.\n", "there is no variable {nonsense}"),
        ("media/cat.json", "{", "not JSON"),
        ("lull/media/cat.json", "[]", "write one object"),
        ("lull/memory/ann.md", "She likes tea.\n", "name the file everyone.md"),
        ("lull/photos/index.json", "{", "not JSON"),
        ("lull/agent.md", f"---\nname: {'[' * 5_000}\n---\nYou are Lull.\n", "not YAML"),
        ("another/agent.md", "You are another.\n", "name: Field required"),
        ("another/agent.md", "", "name: Field required"),
        ("lull/agent.md", "---\nname: Lull\n", "no closing line"),
        ("lull/agent.md", "---\nnmae: Lull\n---\nYou are Lull.\n", "did you mean 'name'?"),
        ("lull/agent.md", "---\nname: !!python/object/apply:os.system [ls]\n---\nYou are Lull.\n", "not YAML"),
        ("lull/agent.md", f"---\n{BOMB}\n---\nYou are Lull.\n", "unknown key 'a0'"),
        ("lull/agent.md", f"---\nname: {'9' * 5_000}\n---\nYou are Lull.\n", "not YAML"),
        ("lull/agent.md", "---\nname: &a [*a]\n---\nYou are Lull.\n", "name: write a string; put numbers"),
        ("prompts/chat.md", "x" * 300_000, "the file has 300,000 characters"),
        ("media/cat.json", f'{{"a": {"9" * 5_000}}}', "not JSON"),
        ("lull/photos/index.json", f"[{'9' * 5_000}]", "not JSON"),
        ("twin/agent.md", "---\nname: A\nusername: lull_bot\nprompts: [chat]\n---\nYou are A.\n", "is also the bot of"),
    ],
)
def test_whatever_functions_read_is_read_before_they_do(
    source: Path, tmp_path: Path, file: str, text: str, why: str
) -> None:
    snapshot, kept = PersonaSnapshot((source,), tmp_path / "kept"), tmp_path / "kept" / PERSONA_PROBLEM
    persona = source / "lull" / "agent.md"
    snapshot.take()
    persona.write_text(persona.read_text() + "You like rain.\n")
    before = snapshot.take()
    (source / file).parent.mkdir(parents=True, exist_ok=True)
    (source / file).write_text(text)
    with pytest.raises(CannotStart, match=re.escape(why)):
        snapshot.take()
    assert json.loads(kept.read_text())["file"] == str(source / file)
    assert load_everything(snapshot.folders) == before


def test_a_folder_that_cannot_be_copied_says_the_first_reason(source: Path, tmp_path: Path) -> None:
    snapshot = PersonaSnapshot((source,), tmp_path / "kept")
    snapshot.take()
    for name in ("a.md", "b.md"):
        (source / "lull" / name).symlink_to(tmp_path / "nowhere")
    with pytest.raises(CannotStart) as told:
        snapshot.take()
    assert str(told.value).count("No such file") == 1
    assert "[(" not in str(told.value)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("lull/agent.md", "---\nname: Lüll\n---\nDu bist Lüll.\n".encode("latin-1"), "not UTF-8"),
        ("lull/agent.md", "---\nname: Lull\n---\nYou are Lull.\n".encode("utf-16"), "not UTF-8"),
        ("prompts/chat.md", b"\xff\xfe", "not UTF-8"),
        ("lull/memory/everyone.md", b"\xff\xfe", "not UTF-8"),
    ],
)
def test_another_encoding_is_told(source: Path, tmp_path: Path, name: str, content: bytes, why: str) -> None:
    check_refused(source, tmp_path, lambda: _write(source / name, content), why)


def _write(file: Path, content: bytes) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(content)


@pytest.mark.parametrize(
    ("instead", "why"),
    [
        (lambda file: file.mkdir(), "Is a directory"),
        (os.mkfifo, "it is not a file"),
        (lambda file: file.symlink_to("nowhere"), "No such file"),
        (lambda file: file.symlink_to(file), "Too many levels"),
        (lambda file: file.symlink_to("/dev/zero"), "it is not a file"),
    ],
)
def test_what_is_no_file_is_told(source: Path, tmp_path: Path, instead: Callable[[Path], None], why: str) -> None:
    def replaced() -> None:
        (source / "lull" / "agent.md").unlink()
        instead(source / "lull" / "agent.md")

    check_refused(source, tmp_path, replaced, why)


def test_a_file_as_large_as_no_persona_s_is_not_copied(source: Path, tmp_path: Path) -> None:
    def enlarged() -> None:
        with (source / "lull" / "film.mp4").open("wb") as film:
            film.truncate(10**12)

    check_refused(source, tmp_path, enlarged, "it is larger than 50 MB")


def check_refused(source: Path, tmp_path: Path, edit: Callable[[], None], why: str) -> None:
    """Check that the persona of before the edit still runs, and that the page shows the reason."""
    snapshot, kept = PersonaSnapshot((source,), tmp_path / "kept"), tmp_path / "kept" / PERSONA_PROBLEM
    before = snapshot.take()
    edit()
    with pytest.raises(CannotStart, match=re.escape(why)):
        snapshot.take()
    assert why in json.loads(kept.read_text())["why"]
    assert load_everything(snapshot.folders) == before
