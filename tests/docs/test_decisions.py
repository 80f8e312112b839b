"""Each decision is one short file of the same form, and the index names each once."""

import re

import pytest

from infra.bundle import ROOT

FOLDER = ROOT / "docs" / "decisions"
FILES = sorted(FOLDER.glob("[0-9]*.md"))
INDEX = (FOLDER / "README.md").read_text()
#: the most decisions; a decision that no longer applies is deleted
MOST = 40
#: the most lines of a decision, one screen
MOST_LINES = 45


def test_the_index_names_each_decision_once_with_its_title() -> None:
    rows = re.findall(r"^\| \[(\d{4})\]\((\S+)\) \| (.+) \|$", INDEX, re.MULTILINE)
    assert [name for _, name, _ in rows] == [file.name for file in FILES]
    heads = [file.read_text().splitlines()[0] for file in FILES]
    assert [f"# {number}. {title}" for number, _, title in rows] == heads
    assert len(FILES) <= MOST


@pytest.mark.parametrize("name", [file.name for file in FILES])
def test_a_decision_has_its_four_parts_on_one_screen(name: str) -> None:
    text = (FOLDER / name).read_text()
    assert name.startswith(text.split()[1].rstrip("."))
    assert re.search(r"^Status: accepted, \d{4}-\d\d-\d\d$", text, re.MULTILINE)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"]
    assert len(text.splitlines()) <= MOST_LINES
