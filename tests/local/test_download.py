import hashlib
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from local.download import CHUNK_BYTES, DownloadFailed, download, sha256_of
from local.emulator_jar import Asset

CONTENT = bytes(range(256)) * (CHUNK_BYTES // 64)


class FileServer(http.server.ThreadingHTTPServer):
    """A server of CONTENT with ranges; the next `cuts` answers end in the middle."""

    cuts = 0
    status = 206
    content = CONTENT

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.ranges: list[str] = []

    def asset(self, size_bytes: int = len(CONTENT), sha256: str = hashlib.sha256(CONTENT).hexdigest()) -> Asset:
        url = f"http://127.0.0.1:{self.server_port}/file"
        return Asset(what="The file", url=url, size_bytes=size_bytes, sha256=sha256)


class _Handler(http.server.BaseHTTPRequestHandler):
    server: FileServer

    def do_GET(self) -> None:
        asked = self.headers.get("Range", "")
        self.server.ranges.append(asked)
        if self.server.status == 404:
            self.send_error(404)
            return
        begin = int(asked.removeprefix("bytes=").rstrip("-")) if asked and self.server.status == 206 else 0
        rest = self.server.content[begin:]
        self.send_response(206 if begin else 200)
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        if self.server.cuts:
            self.server.cuts -= 1
            rest = rest[: len(rest) // 2]
        self.wfile.write(rest)

    def log_message(self, *_: object) -> None:
        """Write no log."""


@pytest.fixture
def server() -> Iterator[FileServer]:
    serving = FileServer()
    thread = threading.Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield serving
    serving.shutdown()
    serving.server_close()
    thread.join()


def test_it_comes_once_and_is_told_of(server: FileServer, tmp_path: Path) -> None:
    told: list[int] = []
    for _ in range(2):
        download(server.asset(), tmp_path / "new" / "file", told.append)
    assert (tmp_path / "new" / "file").read_bytes() == CONTENT
    assert told[-1] == len(CONTENT)
    assert told == sorted(told)
    assert len(server.ranges) == 1


def test_a_cut_is_gone_on_from(server: FileServer, tmp_path: Path) -> None:
    server.cuts = 2
    download(server.asset(), tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert server.ranges == ["", f"bytes={len(CONTENT) // 2}-", f"bytes={len(CONTENT) * 3 // 4}-"]


def test_what_came_before_too_many_cuts_is_kept_for_the_next_start(server: FileServer, tmp_path: Path) -> None:
    server.cuts = 4
    with pytest.raises(DownloadFailed, match="start again to resume it"):
        download(server.asset(), tmp_path / "file")
    assert not (tmp_path / "file").exists()
    download(server.asset(), tmp_path / "file")
    assert sha256_of(tmp_path / "file") == server.asset().sha256
    assert server.ranges[-1] != ""


def test_a_server_without_ranges_is_begun_anew(server: FileServer, tmp_path: Path) -> None:
    server.cuts, server.status = 1, 200
    download(server.asset(), tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_a_wrong_file_is_thrown_away_and_never_used(server: FileServer, tmp_path: Path) -> None:
    with pytest.raises(DownloadFailed, match="damaged \\(wrong hash\\) and was deleted"):
        download(server.asset(sha256="0" * 64), tmp_path / "file")
    assert [left.name for left in tmp_path.iterdir() if left.suffix != ".lock"] == []


def test_a_file_that_is_not_there_is_said_at_once(server: FileServer, tmp_path: Path) -> None:
    server.status = 404
    with pytest.raises(DownloadFailed, match=r"cannot be downloaded: http://.*/file answers 404"):
        download(server.asset(), tmp_path / "file")
    assert len(server.ranges) == 1


def test_a_full_disk_is_said_before_anything_comes(server: FileServer, tmp_path: Path) -> None:
    with pytest.raises(DownloadFailed, match=r"needs \d+ MiB; free \d+ more MiB in .*, then try again"):
        download(server.asset(size_bytes=10**16), tmp_path / "file")
    assert server.ranges == []
