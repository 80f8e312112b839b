"""The style of the Terraform."""

import re
import shutil
import subprocess

import pytest

from infra.bundle import ROOT
from tests.infra.inventory.files import texts_of
from tests.infra.workspace import Workspace
from tests.infra.writing import blocks, mistakes

MODULES = sorted(module.name for module in (ROOT / "infra" / "modules").iterdir())


def test_no_rule_is_broken() -> None:
    texts = texts_of(ROOT / "infra")
    assert len(list(blocks(texts, "variable"))) > 40
    assert list(mistakes(texts)) == []


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


@pytest.mark.parametrize("folder", ["", *(f"modules/{module}" for module in MODULES)])
def test_its_own_tests_pass(planning: Workspace, folder: str) -> None:
    inside = planning.inside(folder)
    inside.must("init", "-input=false")
    said = inside.must("test")
    assert re.search(r"Success! [1-9]\d* passed, 0 failed", said)
