"""Cloud Storage's emulator, through the official client."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from google.api_core.exceptions import PreconditionFailed
from google.cloud.storage import Client

from local.parts import ARCHIVE_BUCKET, MEDIA_BUCKET
from local.ports import HOST, reserve_port
from local.processes import ROOT


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a folder with the emulator; yield its address."""
    port = reserve_port()
    command = [sys.executable, "-m", "local.storage", "--port", str(port.number), "--data", str(folder)]
    url = f"http://{HOST}:{port.number}"
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
        try:
            for _ in range(600):
                try:
                    assert httpx.get(f"{url}/").is_success
                    break
                except httpx.TransportError:
                    assert process.poll() is None
                    time.sleep(0.05)
            yield url
        finally:
            process.terminate()
            port.release()


def client_of(url: str, monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", url)
    return Client(project="p")


def test_what_was_stored_is_there_after_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path / "kept") as url, client_of(url, monkeypatch) as client:
        client.bucket(ARCHIVE_BUCKET).blob("a/b.jsonl").upload_from_string("Grüße", content_type="text/plain")
    with serving(tmp_path / "kept") as url, client_of(url, monkeypatch) as client:
        assert [blob.name for blob in client.list_blobs(ARCHIVE_BUCKET)] == ["a/b.jsonl"]
        assert client.bucket(ARCHIVE_BUCKET).blob("a/b.jsonl").download_as_text() == "Grüße"


def test_what_is_to_be_new_is_not_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path / "kept") as url, client_of(url, monkeypatch) as client:
        blob = client.bucket(MEDIA_BUCKET).blob("u/0")
        blob.upload_from_string(b"first", if_generation_match=0)
        with pytest.raises(PreconditionFailed):
            blob.upload_from_string(b"second", if_generation_match=0)
        assert blob.download_as_bytes() == b"first"
        blob.upload_from_string(b"third")
        assert blob.download_as_bytes() == b"third"
