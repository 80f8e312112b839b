import asyncio
from pathlib import Path

import pytest

from local.model.fetch import SourceFailed
from local.model.hub import TRIES, Hub
from local.model.state import Progress
from tests.local.model.file_server import file_server
from tests.local.model.model_files import CONTENT, model_file

HUB = Hub(pause_s=0)


async def test_a_file_comes_whole(tmp_path: Path) -> None:
    progress = Progress(len(CONTENT))
    with file_server(CONTENT) as server:
        await HUB.fetch(model_file(server.url), tmp_path / "kept", progress)
    assert (tmp_path / "kept").read_bytes() == CONTENT
    assert progress.done_bytes == len(CONTENT)


async def test_a_cut_connection_is_gone_on_with(tmp_path: Path) -> None:
    with file_server(CONTENT, cuts=[3_000, 2_000]) as server:
        await HUB.fetch(model_file(server.url), tmp_path / "kept", Progress(0))
        assert server.ranges == ["bytes=0-", "bytes=3000-", "bytes=5000-"]
    assert (tmp_path / "kept").read_bytes() == CONTENT


async def test_what_an_earlier_run_kept_is_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "kept").write_bytes(CONTENT[:4_321])
    with file_server(CONTENT) as server:
        await HUB.fetch(model_file(server.url), tmp_path / "kept", Progress(0))
        assert server.ranges == ["bytes=4321-"]
    assert (tmp_path / "kept").read_bytes() == CONTENT


async def test_a_server_that_knows_no_ranges_starts_over(tmp_path: Path) -> None:
    (tmp_path / "kept").write_bytes(b"x" * 5_000)
    with file_server(CONTENT, knows_ranges=False) as server:
        await HUB.fetch(model_file(server.url), tmp_path / "kept", Progress(0))
    assert (tmp_path / "kept").read_bytes() == CONTENT


async def test_a_connection_that_brings_nothing_is_given_up(tmp_path: Path) -> None:
    (tmp_path / "kept").write_bytes(CONTENT[:100])
    with file_server(CONTENT, cuts=[0] * TRIES) as server:
        with pytest.raises(SourceFailed, match="broke again and again"):
            await HUB.fetch(model_file(server.url), tmp_path / "kept", Progress(0))
        assert len(server.ranges) == TRIES
    assert (tmp_path / "kept").read_bytes() == CONTENT[:100]


async def test_nobody_there_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(SourceFailed, match=r"127\.0\.0\.1 cannot be reached"):
        await HUB.fetch(model_file(), tmp_path / "kept", Progress(0))


async def test_a_server_that_goes_away_in_between_is_asked_again(tmp_path: Path) -> None:
    async def give_some(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server.close()
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 200 OK\r\ncontent-length: {len(CONTENT)}\r\n\r\n".encode() + CONTENT[:4_000])
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(give_some, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/model.gguf"
    with pytest.raises(SourceFailed, match=r"broke again and again \(ConnectError\)"):
        await HUB.fetch(model_file(url), tmp_path / "kept", Progress(0))
    assert (tmp_path / "kept").read_bytes() == CONTENT[:4_000]


@pytest.mark.parametrize("status", [404, 403, 500])
async def test_a_refusal_is_said_with_its_status(tmp_path: Path, status: int) -> None:
    with file_server(CONTENT, status=status) as server:
        with pytest.raises(SourceFailed, match=f"answered {status}"):
            await HUB.fetch(model_file(server.url), tmp_path / "kept", Progress(0))
        assert len(server.ranges) == 1


async def test_more_bytes_than_the_file_has_are_not_kept(tmp_path: Path) -> None:
    with file_server(CONTENT + b"more") as server, pytest.raises(SourceFailed, match="more bytes"):
        await HUB.fetch(model_file(server.url), tmp_path / "kept", Progress(0))
    assert not (tmp_path / "kept").exists()
