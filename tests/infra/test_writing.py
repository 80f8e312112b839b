"""How the Terraform is written."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.bundle import ROOT
from tests.infra.workspace import Workspace

FILES = sorted((ROOT / "infra").rglob("*.tf"))
MODULES = sorted((ROOT / "infra" / "modules").iterdir())


def blocks(kind: str) -> Iterator[tuple[str, str]]:
    """Every block of a kind: where and what it is, and its text."""
    for file in FILES:
        for found in re.finditer(rf'^{kind} "([^"]+)"(?: "([^"]+)")? \{{\n(.*?)^\}}', file.read_text(), re.S | re.M):
            yield f"{file.relative_to(ROOT)}: {found[2] or found[1]}", found[3]


def test_every_variable_is_described_and_has_a_type() -> None:
    found = list(blocks("variable"))
    assert len(found) > 40
    assert [name for name, text in found if not re.search(r'^  description = "[A-Z].+\."$', text, re.M)] == []
    assert [name for name, text in found if not re.search(r"^  type +=", text, re.M)] == []


def test_every_output_is_described() -> None:
    assert [
        name for name, text in blocks("output") if not re.search(r'^  description = "[A-Z].+\."$', text, re.M)
    ] == []


def test_nothing_runs_commands_and_no_block_is_a_default() -> None:
    texts = {file: file.read_text() for file in FILES}
    assert [file for file, text in texts.items() if "provisioner" in text or "-exec" in text] == []
    assert [name for name, _ in blocks("resource") if name.endswith((": default", ": main"))] == []


def test_no_file_is_longer_than_three_hundred_lines() -> None:
    assert [file for file in FILES if len(file.read_text().splitlines()) > 300] == []


def test_every_module_pins_its_provider_as_the_whole_does() -> None:
    pin = re.compile(r'version = "(~> 8\.\d+)"')
    root = pin.findall((ROOT / "infra" / "versions.tf").read_text())
    assert [pin.findall((module / "versions.tf").read_text()) for module in MODULES] == [root] * len(MODULES)


def test_it_is_formatted(terraform: None) -> None:
    done = subprocess.run(
        ["terraform", "fmt", "-check", "-recursive", "infra"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_examples_are_taken_as_they_are(fresh: Workspace) -> None:
    said = fresh.must("plan", "-input=false", "-var-file=terraform.tfvars.example")
    assert "google_monitoring_alert_policy" in said
    shutil.copy(fresh.folder / "backend.tf.example", fresh.folder / "backend.tf")
    fresh.must("init", "-input=false", "-backend=false")
    fresh.must("validate")


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_every_modules_own_tests_pass(applied: Workspace, module: Path) -> None:
    inside = Workspace(applied.folder / "modules" / module.name, applied.reattach)
    inside.must("init", "-input=false")
    said = inside.must("test")
    assert re.search(r"Success! [1-9]\d* passed, 0 failed", said)
