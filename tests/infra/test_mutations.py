"""Unsafe edits of the Terraform, each of which a requirement in policy.py finds.

One plan has all edits; each finding belongs to exactly one of them.
"""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests.infra.policy import findings
from tests.infra.workspace import Plan, Workspace


@dataclass(frozen=True)
class Edit:
    """An edit that somebody might make, and its finding."""

    name: str
    file: str
    old: str
    new: str
    said: str


UNSAFE = [Edit(**edit) for edit in yaml.safe_load((Path(__file__).parent / "edits.yaml").read_text())]


@pytest.fixture(scope="module")
def found(applied: Workspace, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """List the findings with all unsafe edits."""
    edited = applied.copied(tmp_path_factory.mktemp("edited") / "copy")
    with ExitStack() as edits:
        for edit in UNSAFE:
            edits.enter_context(edited.edited(edit.file, edit.old, edit.new))
        return findings(edited.plan(archive=True).resources)


@pytest.mark.parametrize("edit", UNSAFE, ids=lambda edit: edit.name)
def test_what_is_unsafe_is_found(found: list[str], edit: Edit) -> None:
    assert [sentence for sentence in found if edit.said in sentence], found


def test_without_an_edit_nothing_is_found(everything: Plan, over_vertex: Plan) -> None:
    assert findings(everything.resources) == findings(over_vertex.resources) == []


def test_what_is_said_of_an_edit_is_said_of_no_other() -> None:
    said = [edit.said for edit in UNSAFE]
    assert [one for i, one in enumerate(said) if any(one in other for other in said[:i] + said[i + 1 :])] == []
