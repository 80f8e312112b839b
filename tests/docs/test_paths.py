"""The files that documents name exist, and a newcomer's questions are answered."""

import ast
import re
from pathlib import Path

import pytest

from infra.bundle import ROOT

PAGES = sorted(
    [
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "shared").glob("*/README.md"),
        *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
        *(ROOT / folder / "README.md" for folder in ("infra", "local/telegram")),
    ]
)
FOLDERS = "agents|benchmarks|docs|functions|infra|local|operations|shared|tests"
#: a path in backticks; parts in angle brackets or braces are placeholders
NAMED = re.compile(rf"`((?:{FOLDERS})/[\w./-]+)`")
LINKED = re.compile(r"\]\((?!https?:)([^)#\s]+)")
#: a link to a heading, of this page or of another
TO_HEADING = re.compile(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)")
#: files that a person or a tool creates
MADE = {"agents/heron/agent.md", "infra/terraform.tfvars", "infra/.terraform.lock.hcl"}
#: a word of each of the five questions
QUESTIONS = ("order of a prompt", "burst", "command", "tried again", "lease")
FILE = re.compile(r"\]\(\.\./([\w./]+\.py)\)")
#: a name in a file: `name` in [file](…)
ANSWER = re.compile(r"`(\w+)` in \[[\w./]+\]\(\.\./([\w./]+\.py)\)")


def rows() -> list[tuple[str, str]]:
    """Return the questions with their answers."""
    section = (ROOT / "docs" / "architecture.md").read_text().partition("## Where to look\n")[2].partition("\n## ")[0]
    cells = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")]
    return [(question.strip(), answer.strip()) for question, answer in cells[2:]]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_file_that_is_named_is_there(page: Path) -> None:
    text = page.read_text()
    named = [path for path in NAMED.findall(text) if path not in MADE and not (ROOT / path).exists()]
    linked = [path for path in LINKED.findall(text) if not (page.parent / path).exists()]
    assert (named, linked) == ([], [])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_heading_that_is_linked_is_there(page: Path) -> None:
    links = [(page.parent / path if path else page, heading) for path, heading in TO_HEADING.findall(page.read_text())]
    assert [f"{file.name}#{heading}" for file, heading in links if heading not in headings_of(file)] == []


def headings_of(page: Path) -> set[str]:
    """Return the ids that GitHub gives to the headings of a page."""
    heads = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_the_map_has_every_folder_once_in_the_order_of_their_layers() -> None:
    layers = (ROOT / ".importlinter").read_text().partition("layers =\n")[2]
    folders = re.findall(r"\w+", re.sub("#.*", "", layers))
    table = (ROOT / "CONTRIBUTING.md").read_text().partition("| folder | what is there |\n")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == folders


@pytest.mark.parametrize("folder", sorted(one.parent.name for one in (ROOT / "shared").glob("*/__init__.py")))
def test_every_folder_has_a_short_readme(folder: str) -> None:
    lines = (ROOT / "shared" / folder / "README.md").read_text().splitlines()
    assert len(lines) <= 80
    assert any(line.startswith("# ") for line in lines)


def test_the_questions_of_a_newcomer_are_answered() -> None:
    asked = [question for question, _ in rows()]
    assert [word for word in QUESTIONS if not any(word in question for question in asked)] == []


@pytest.mark.parametrize(("question", "answer"), rows())
def test_an_answer_names_what_is_there_in_two_files_at_most(question: str, answer: str) -> None:
    files = set(FILE.findall(answer))
    assert 1 <= len(files) <= 2
    assert {file for _, file in ANSWER.findall(answer)} == files
    for name, file in ANSWER.findall(answer):
        assert name in defined_in(ROOT / file), f"{file} has no {name}"


def defined_in(file: Path) -> set[str]:
    """Return the functions, methods and classes of a file."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, kinds)}
