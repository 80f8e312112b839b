import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from infra.bundle import ROOT, bundle_files, functions, requirements, stage, write_zip


def test_the_functions_are_those_of_the_folder() -> None:
    assert functions() == ("tick", "webhook")


@pytest.mark.parametrize("function", functions())
def test_a_bundle_holds_the_function_the_domain_and_the_agents(function: str) -> None:
    files = bundle_files(function)
    assert files["main.py"] == (ROOT / "functions" / function / "main.py").read_bytes()
    assert {"shared/settings.py", "agents/lull/agent.md", "agents/prompts/chat.md", "requirements.txt"} <= files.keys()
    assert not [path for path in files if path.startswith(("local/", "tests/")) or "__pycache__" in path]


def test_the_same_sources_are_the_same_bytes(tmp_path: Path) -> None:
    first = write_zip("webhook", tmp_path / "first.zip").read_bytes()
    for file in (ROOT / "shared").rglob("*.md"):
        os.utime(file)
    assert write_zip("webhook", tmp_path / "second.zip").read_bytes() == first


def test_requirements_are_locked_with_hashes_and_only_the_functions_own() -> None:
    webhook, tick = requirements("webhook").decode(), requirements("tick").decode()
    assert "google-cloud-firestore==" in webhook
    assert "--hash=sha256:" in webhook
    assert "google-genai==" in tick
    for name in ("google-genai==", "python-telegram-bot==", "pytest==", "xllamacpp=="):
        assert name not in webhook


def test_a_staged_folder_has_the_zips_files(tmp_path: Path) -> None:
    folder = stage("tick", tmp_path / "tick")
    with zipfile.ZipFile(write_zip("tick", tmp_path / "tick.zip")) as archive:
        assert sorted(archive.namelist()) == sorted(
            file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()
        )


def test_a_function_that_there_is_not_is_named() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "infra.bundle", "webhok"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.strip() == "there is no function webhok; there are: tick, webhook"
