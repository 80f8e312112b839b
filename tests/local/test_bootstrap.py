import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from local import bootstrap
from local.bootstrap import NotReady, fetch_uv, find_uv, is_synced, make_importable, newer_python, sync
from local.processes import ROOT


def script(file: Path, body: str) -> str:
    """Write a script in place of uv or Python."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return str(file)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    root.mkdir()
    (root / "uv.lock").write_text("version = 1\n")
    return root


def installing(root: Path) -> str:
    """Give the script of a uv that makes an environment and records its arguments."""
    body = f'echo "$@ $UV_COMPILE_BYTECODE" >> {root}/asked; mkdir -p .venv/bin; touch .venv/bin/python'
    return script(root / "bin" / "uv", body)


def test_it_is_read_by_pythons_that_are_too_old_so_that_they_can_say_so() -> None:
    ast.parse(Path(bootstrap.__file__).read_text(), feature_version=(3, 7))


def test_installing_happens_once_for_each_lock_file(checkout: Path) -> None:
    uv = installing(checkout)
    assert not is_synced(checkout)
    sync(checkout, uv, sys.executable)
    assert is_synced(checkout)
    assert (checkout / "asked").read_text() == f"sync --frozen --quiet --python {sys.executable} 1\n"
    (checkout / "uv.lock").write_text("version = 2\n")
    assert not is_synced(checkout)


def test_an_installation_that_fails_is_tried_again_the_next_time(checkout: Path) -> None:
    (checkout / ".venv" / "bin").mkdir(parents=True)
    (checkout / ".venv" / "bin" / "python").touch()
    with pytest.raises(NotReady, match="could not be installed"):
        sync(checkout, script(checkout / "uv", "exit 1"), sys.executable)
    assert not is_synced(checkout)


def test_the_environments_own_programs_find_lulls_packages(checkout: Path) -> None:
    packages = checkout / ".venv" / "lib" / "python3.12" / "site-packages"
    packages.mkdir(parents=True)
    make_importable(checkout)
    assert (packages / "lull.pth").read_text() == f"{checkout}\n"
    (packages / "lull.pth").write_text("/moved/away\n")
    make_importable(checkout)
    assert (packages / "lull.pth").read_text() == f"{checkout}\n"


def test_an_environment_of_another_checkout_is_left_as_it_is(checkout: Path, tmp_path: Path) -> None:
    packages = tmp_path / "other" / ".venv" / "lib" / "python3.12" / "site-packages"
    packages.mkdir(parents=True)
    (checkout / ".venv").symlink_to(tmp_path / "other" / ".venv")
    make_importable(checkout)
    assert list(packages.iterdir()) == []


def test_uv_is_found_on_the_path_before_our_own(checkout: Path) -> None:
    assert find_uv(checkout, str(checkout / "bin")) == ""
    own = script(checkout / ".uv" / "bin" / "uv", "")
    assert find_uv(checkout, str(checkout / "bin")) == own
    assert find_uv(checkout, str(checkout / "bin")) == own
    assert find_uv(checkout, str(Path(installing(checkout)).parent)) == str(checkout / "bin" / "uv")


def test_without_venv_pip_fetches_uv(checkout: Path) -> None:
    """Debian's Python has no ensurepip, which venv needs."""
    python = script(checkout / "python", '[ "$2" = venv ] && exit 1; mkdir -p "$6/bin"; touch "$6/bin/uv"')
    assert fetch_uv(checkout, python) == str(checkout / ".uv" / "bin" / "uv")


def test_without_both_it_says_what_to_install(checkout: Path) -> None:
    with pytest.raises(NotReady, match=r"apt-get install python3-venv.*docs\.astral\.sh/uv"):
        fetch_uv(checkout, script(checkout / "python", "exit 1"))
    assert not (checkout / ".uv").exists()


def test_a_newer_python_is_looked_for_on_the_path(checkout: Path) -> None:
    assert newer_python(str(checkout / "bin")) == ""
    script(checkout / "bin" / "python3.14", "exit 1")  # the file exists, but does not work
    newer = script(checkout / "bin" / "python3.12", "exit 0")
    assert newer_python(str(checkout / "bin")) == newer


def test_it_says_what_it_does_and_a_ready_checkout_hears_nothing(checkout: Path) -> None:
    (checkout / "local").mkdir()
    (checkout / "local" / "bootstrap.py").write_text((ROOT / "local" / "bootstrap.py").read_text())
    path = f"{Path(installing(checkout)).parent}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-I", "local/bootstrap.py"]
    said = [
        subprocess.run(command, cwd=checkout, env={"PATH": path}, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert said == ["First time: installing, about a minute ...\n", ""]
