"""Wrong edits of the Terraform, each of which must be caught: by Terraform itself, or by what a deployment must be.

Those that only the second catches are made together, in one plan: what is said of each is said of no other.
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
    """What somebody might write, and what is then said."""

    name: str
    file: str
    old: str
    new: str
    said: str


STORED = yaml.safe_load((Path(__file__).parent / "edits.yaml").read_text())
MALFORMED = [Edit(**edit) for edit in STORED["malformed"]]
UNSAFE = [Edit(**edit) for edit in STORED["unsafe"]]


@pytest.fixture(scope="module")
def edited(applied: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A copy of the deployment whose files may be edited."""
    return applied.copied(tmp_path_factory.mktemp("edited") / "copy")


@pytest.fixture(scope="module")
def found(edited: Workspace) -> list[str]:
    """What is found when all unsafe edits are made."""
    with ExitStack() as edits:
        for edit in UNSAFE:
            edits.enter_context(edited.edited(edit.file, edit.old, edit.new))
        return findings(edited.plan(archive=True).resources)


@pytest.mark.parametrize("edit", MALFORMED, ids=lambda edit: edit.name)
def test_terraform_refuses_what_is_malformed(edited: Workspace, edit: Edit) -> None:
    with edited.edited(edit.file, edit.old, edit.new):
        ran = edited.run("validate")
    assert ran.code == 1
    assert edit.said in ran.sentence


@pytest.mark.parametrize("edit", UNSAFE, ids=lambda edit: edit.name)
def test_what_is_unsafe_is_found(found: list[str], edit: Edit) -> None:
    assert [sentence for sentence in found if edit.said in sentence], found


def test_without_an_edit_nothing_is_found(edited: Workspace, everything: Plan, over_vertex: Plan) -> None:
    assert findings(everything.resources) == findings(over_vertex.resources) == []
    assert edited.run("validate").code == 0


def test_what_is_said_of_an_edit_is_said_of_no_other() -> None:
    said = [edit.said for edit in UNSAFE]
    assert [one for i, one in enumerate(said) if any(one in other for other in said[:i] + said[i + 1 :])] == []
