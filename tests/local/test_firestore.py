import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import httpx
import psutil
import pytest
from google.api_core.exceptions import GoogleAPICallError
from google.cloud.firestore import AsyncClient
from google.cloud.firestore_v1.vector import Vector

from local.ports import HOST, reserve_port
from local.processes import ROOT
from tests.local.watching import is_alive, wait_until

DOCUMENT = {"text": "a lull", "vector": Vector([1.0, 2.0]), "at": datetime(2026, 1, 2, tzinfo=UTC), "none": None}


@contextmanager
def emulator(folder: Path | None, log: Path, *more: str) -> Iterator[tuple[int, "subprocess.Popen[bytes]"]]:
    """Run the emulator as `make dev` does; give its port and process."""
    port = reserve_port()
    kept = ["--data", str(folder)] if folder else []
    command = [sys.executable, "-m", "local.firestore", "--port", str(port.number), *kept, *more]
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        wait_until(lambda: process.poll() is not None or answers(port.number), 60)
        yield port.number, process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        port.release()


def answers(port: int) -> bool:
    try:
        return httpx.get(f"http://{HOST}:{port}/").is_success
    except httpx.TransportError:
        return False


@contextmanager
def documents(port: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[AsyncClient]:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", f"{HOST}:{port}")
    client = AsyncClient(project="lull-local")
    yield client
    client.close()  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("order", [signal.SIGTERM, signal.SIGINT])
async def test_documents_survive_being_told_to_stop(
    tmp_path: Path, order: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    with emulator(tmp_path / "kept", tmp_path / "1.log") as (port, process), documents(port, monkeypatch) as client:
        await client.document("chats/1/inbox/1").set(DOCUMENT)
        process.send_signal(order)
        assert process.wait(30) == 0
    with emulator(tmp_path / "kept", tmp_path / "2.log") as (port, _), documents(port, monkeypatch) as client:
        found = await client.document("chats/1/inbox/1").get()
        assert found.to_dict() == DOCUMENT
    assert len(list((tmp_path / "kept").glob("export-*"))) == 1


async def test_the_java_process_ends_with_this_one_however_it_ends(tmp_path: Path) -> None:
    with emulator(tmp_path / "kept", tmp_path / "1.log") as (_, process):
        java = psutil.Process(process.pid).children()[0].pid
        process.kill()
        process.wait()
        wait_until(lambda: not is_alive(java))


async def test_without_a_folder_it_forgets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with emulator(None, tmp_path / "1.log") as (port, process), documents(port, monkeypatch) as client:
        await client.document("chats/1").set({"a": 1})
        process.terminate()
        assert process.wait(30) == 0
    with emulator(None, tmp_path / "2.log") as (port, _), documents(port, monkeypatch) as client:
        assert not (await client.document("chats/1").get()).exists


def test_an_emulator_that_cannot_read_its_export_says_so(tmp_path: Path) -> None:
    (tmp_path / "kept" / "export-1").mkdir(parents=True)
    (tmp_path / "kept" / "latest").write_text("export-1")
    with emulator(tmp_path / "kept", tmp_path / "1.log") as (_, process):
        assert process.wait(30) == 1
    assert "which `make clean` deletes" in (tmp_path / "1.log").read_text()


async def test_what_the_client_is_told_fills_no_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "1.log"
    with emulator(None, log) as (port, _), documents(port, monkeypatch) as client:
        there, missing = client.document("chats/a"), client.document("chats/b")
        await there.create(DOCUMENT)
        seen = await there.get()
        await there.update({"text": "another"})
        for refused in (
            missing.update({"stop": 1}),
            there.create(DOCUMENT),
            there.update({"text": "a third"}, option=client.write_option(last_update_time=seen.update_time)),
        ):
            with pytest.raises(GoogleAPICallError):
                await refused
    assert "WARNING" not in log.read_text()
    assert "\tat " not in log.read_text(), "no stack trace"


async def test_what_is_written_over_and_over_fills_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Together, all versions of the document need twice the emulator's memory."""
    with (
        emulator(tmp_path / "kept", tmp_path / "1.log", "--heap", "128m") as (port, process),
        documents(port, monkeypatch) as client,
    ):
        (first,) = psutil.Process(process.pid).children()
        for number in range(2_500):
            await client.document("chats/1").set({"number": number, "text": "lull " * 20_000})
        assert (await client.document("chats/1").get()).get("number") == 2_499
        # between one and the next there is none
        wait_until(lambda: [child.pid for child in psutil.Process(process.pid).children()] not in ([], [first.pid]))
    assert (tmp_path / "1.log").read_text().count("OutOfMemory") == 0
