import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import httpx
import pytest

from infra.bundle import ROOT, bundle_files, function_names, requirements, stage, uv, write_zip
from tests.infra.alone import PYTHON, Alone
from tests.infra.given import examples_for


def test_the_functions_are_those_of_the_folder() -> None:
    assert set(function_names()) == {
        folder.name for folder in (ROOT / "functions").iterdir() if (folder / "main.py").exists()
    }
    assert {"tick", "webhook"} <= set(function_names())


@pytest.mark.parametrize("function", function_names())
def test_a_bundle_holds_the_function_the_domain_and_the_agents(function: str) -> None:
    files = bundle_files(function)
    assert files["main.py"] == (ROOT / "functions" / function / "main.py").read_bytes()
    assert {
        "shared/wiring/settings/environment.py",
        "agents/lull/agent.md",
        "agents/prompts/chat.md",
        "requirements.txt",
    } <= files.keys()
    assert not [path for path in files if path.startswith(("local/", "tests/")) or "__pycache__" in path]


def test_what_a_package_has_beside_its_modules_comes_with_them() -> None:
    def has_wording(function: str) -> bool:
        return any(path.startswith("shared/base/wording/") for path in bundle_files(function))

    assert "shared/base/wording/en.json" in bundle_files("tick")
    assert not has_wording("webhook"), "it says nothing, and has to start fast"


def test_no_function_is_deployed_anew_for_a_readme() -> None:
    assert not [path for name in function_names() for path in bundle_files(name) if path.endswith("/README.md")]


def test_the_page_on_privacy_comes_with_the_function_that_everybody_can_reach() -> None:
    assert [name for name in function_names() if "docs/privacy.md" in bundle_files(name)] == ["webhook"]


def test_the_same_sources_are_the_same_bytes(tmp_path: Path) -> None:
    first = write_zip("webhook", tmp_path / "first.zip").read_bytes()
    for file in (ROOT / "agents").rglob("*.md"):
        os.utime(file)
    assert write_zip("webhook", tmp_path / "second.zip").read_bytes() == first


def test_requirements_are_locked_with_hashes_and_only_the_functions_own() -> None:
    webhook, tick = requirements("webhook").decode(), requirements("tick").decode()
    assert "google-cloud-firestore==" in webhook
    assert "--hash=sha256:" in webhook
    assert "python-telegram-bot==" in tick
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
    assert done.stderr.strip() == f"unknown function webhok; expected one of: {', '.join(function_names())}"


def test_a_changed_line_makes_new_bundles_only_of_what_holds_it(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    ignored = shutil.ignore_patterns("__pycache__", "modules")
    for folder in ("shared", "agents", "docs", "functions", "infra"):
        shutil.copytree(ROOT / folder, checkout / folder, ignore=ignored)
    for file in ("pyproject.toml", "uv.lock"):
        shutil.copy(ROOT / file, checkout / file)
    edits = {
        "shared/planning/prompt/closing.py": {"console", "tick"},
        "functions/webhook/main.py": {"webhook"},
        "shared/base/logs.py": set(function_names()),
    }
    before, *then = bundled(checkout, *edits)
    for (file, changed), after in zip(edits.items(), then, strict=True):
        assert {name for name in after if after[name] != before[name]} == changed, file
        before = after


#: runs inside a checkout: one process reads an unchanged file once for all functions and edits
BUNDLING = """
import hashlib, json, sys
from infra.bundle import BUILD, ROOT, function_names, write_zip
for file in ["", *sys.argv[1:]]:
    if file:
        with (ROOT / file).open("a") as edited:
            edited.write("# another line\\n")
    zips = {name: write_zip(name, BUILD / f"{name}.zip").read_bytes() for name in function_names()}
    print(json.dumps({name: hashlib.sha256(content).hexdigest() for name, content in zips.items()}))
"""


def bundled(checkout: Path, *edits: str) -> list[dict[str, str]]:
    """Hash the zips of all functions, as a checkout writes them: first unchanged, then with one more line in
    each file.
    """
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(uv()).parent), os.environ["PATH"]])}
    command = [sys.executable, "-c", BUNDLING, *edits]
    done = subprocess.run(command, cwd=checkout, env=environment, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


IMPORTING = """
import importlib, json, sys
sys.path.append(sys.argv[1])
import main
print(json.dumps(sorted(sys.modules)))
for name in sys.argv[2:]:
    importlib.import_module(name)
"""
#: modules for functions that have the bots' tokens
OF_BOTS = {"telegram", "httpx"}
WITH_TOKENS = {"shared.wiring.tick", "shared.wiring.maintain", "shared.wiring.describe_media"}
#: modules that are imported only when needed; the function that describes files always needs storage
LATE = {"google.cloud.storage", "botocore", "shared.wiring.archiving", "shared.upkeep.archives.s3"}


@pytest.fixture(scope="module", params=function_names())
def alone(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Alone:
    """Lay out a function's bundle with only its own requirements."""
    return Alone(request.param, tmp_path_factory.mktemp(request.param), examples_for(request.param))


def test_everything_in_a_bundle_can_be_imported_with_what_it_asks_for(alone: Alone) -> None:
    command = [*PYTHON, "-c", IMPORTING, str(alone.bundle), *alone.modules]
    done = subprocess.run(command, cwd=alone.bundle, env=alone.env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    loaded = set(json.loads(done.stdout))
    assert not {name.split(".")[0] for name in loaded} & {"local", "tests", "pytest", "infra", "operations"}
    at_once = {"google.cloud.storage"} if "shared.wiring.describe_media" in loaded else set()
    assert loaded.isdisjoint(LATE - at_once)
    assert WITH_TOKENS & loaded or loaded.isdisjoint(OF_BOTS)


def test_the_archives_come_with_what_stores_and_what_erases_in_them() -> None:
    with_archives = {name for name in function_names() if "shared/upkeep/archives/s3.py" in bundle_files(name)}
    assert with_archives == {"erase", "summarize"}


def test_what_a_bundle_does_not_ask_for_is_not_there(alone: Alone) -> None:
    done = subprocess.run(
        [*PYTHON, "-c", "import pytest"], cwd=alone.bundle, env=alone.env, capture_output=True, text=True, check=False
    )
    assert "No module named 'pytest'" in done.stderr


def test_a_bundle_serves_alone(alone: Alone, tmp_path: Path) -> None:
    function = alone.bundle.parent.name.rstrip("0123456789")
    with alone.served(function, tmp_path / "said") as url:
        answer = httpx.get(f"{url}/healthz", timeout=30)
    assert (answer.status_code, answer.text) == (200, "ok")
