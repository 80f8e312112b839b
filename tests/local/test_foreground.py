import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from local.credentials import FILE as CREDENTIALS
from local.ports import reserve_port
from local.processes import ROOT
from local.run_record import read_record
from tests.local.telegram.scene import TOKEN, scene
from tests.local.watching import family_of, is_alive, wait_until


@contextmanager
def make_dev(folder: Path, **env: str) -> Iterator["subprocess.Popen[str]"]:
    """Run the command of `make dev` in its own session, as a terminal does."""
    settings = {"LULL_DATA": str(folder), "LULL_BACKEND": "scripted"} | env
    process = subprocess.Popen(
        [sys.executable, "-m", "local.up", "dev"],
        cwd=ROOT,
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()


def page_of(process: "subprocess.Popen[str]") -> str:
    """Wait for the banner, and give the page's address in it."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith("page"):
            return line.split()[1]
    raise AssertionError("".join(lines))


@contextmanager
def nobody_elses(page: str) -> Iterator[None]:
    """Reserve the port of a page that is down, so that no other program gets it."""
    port = reserve_port(int(page.rpartition(":")[2]))
    try:
        yield
    finally:
        port.release()


def logs_of(folder: Path) -> str:
    """Read the logs of all parts."""
    return "".join(log.read_text() for log in folder.glob("logs/*.log"))


def documents_of(folder: Path) -> str:
    """Give the address of Firestore's REST API in the run with this folder."""
    record = read_record(folder)
    assert record is not None
    return f"{record.parts['firestore'].url}/v1/projects/lull-local/databases/(default)/documents"


def line_with(process: "subprocess.Popen[str]", words: str) -> str:
    """Wait for the next line with these words; the time-out of the test is the limit."""
    assert process.stdout is not None
    return next(line for line in process.stdout if words in line)


def test_two_runs_on_one_folder(tmp_path: Path) -> None:
    with make_dev(tmp_path) as process:
        page = page_of(process)
        wait_until(lambda: "the canary passed" in logs_of(tmp_path), 60)
        _keep_something(tmp_path, page)
        family = family_of(process.pid)
        assert len(family) > 8  # nine parts, three workers, and Java below its keeper
        os.kill(process.pid, signal.SIGKILL)
        wait_until(lambda: not any(is_alive(pid) for pid in family if pid != process.pid), 30)
    agents = tmp_path / "agents"
    shutil.copytree(ROOT / "agents", agents)
    secrets = {"GEMINI_API_KEY": "a-key-of-the-shell", "AWS_SECRET_ACCESS_KEY": "another-key-of-the-shell"}
    with nobody_elses(page), make_dev(tmp_path, LULL_AGENTS_PATH=str(agents), **secrets) as process:
        assert page_of(process) == page
        _reader_has_no_secret(tmp_path, *secrets.values())
        _is_still_there(tmp_path, page)
        _reads_a_persona_again(process, tmp_path, agents / "lull" / "agent.md")
        family = family_of(process.pid)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)  # a second Ctrl-C ends the wait
        process.wait(30)
        wait_until(lambda: not any(is_alive(pid) for pid in family))


def _keep_something(folder: Path, page: str) -> None:
    httpx.post(f"{page}/world/people", json={"first_name": "Ann"}, timeout=30).raise_for_status()
    httpx.post(f"{documents_of(folder)}/kept?documentId=1", json={"fields": {}}, timeout=30).raise_for_status()


def _is_still_there(folder: Path, page: str) -> None:
    assert [person["first_name"] for person in httpx.get(f"{page}/world", timeout=30).json()["people"]] == ["Ann"]
    assert httpx.get(f"{documents_of(folder)}/kept/1", timeout=30).is_success


def _ends_at_ctrl_c(process: "subprocess.Popen[str]") -> None:
    family = family_of(process.pid)
    process.send_signal(signal.SIGINT)
    assert process.stdout is not None
    assert process.stdout.read().endswith("Stopped.\n")
    assert process.wait(30) == 0
    wait_until(lambda: not any(is_alive(pid) for pid in family))


def _reader_has_no_secret(folder: Path, *of_the_shell: str) -> None:
    """Check that no process of the reader was started with a key, a token or the webhook's secret."""
    record, kept = read_record(folder), json.loads((folder / CREDENTIALS).read_text())
    assert record is not None
    secrets = [*of_the_shell, kept["webhook_secret"], kept["console_secret"], *kept["tokens"].values()]
    for pid in family_of(record.parts["reader"].pid) if sys.platform == "linux" else ():
        begun_with = Path(f"/proc/{pid}/environ").read_text()
        assert "PYTHONPATH=" in begun_with
        assert [secret for secret in secrets if secret in begun_with] == []


def _problem_on(page: str) -> Any:
    """Get the page's message about personas."""
    return httpx.get(f"{page}/inspect/personas", timeout=30).raise_for_status().json()["problem"]


def _reads_a_persona_again(process: "subprocess.Popen[str]", folder: Path, persona: Path) -> None:
    """Check that an error in a persona is shown and nothing stops; once it is corrected, only functions restart."""
    before = read_record(folder)
    whole = persona.read_text()
    persona.write_text(whole.replace("prompts:", "promts:"))
    assert "agent.md:" in line_with(process, "A persona cannot be read")
    assert before is not None
    assert _problem_on(before.page)["file"] == str(persona)
    persona.write_text(whole + "You like rain.\n")
    line_with(process, "The personas were reloaded.")
    assert _problem_on(before.page) is None
    wait_until(lambda: read_record(folder) != before)
    after = read_record(folder)
    assert before is not None
    assert after is not None
    assert after.parts["tick"].pid != before.parts["tick"].pid
    assert after.parts["telegram"].pid == before.parts["telegram"].pid


async def test_a_real_bot_without_an_owner_is_shown_with_the_link_that_makes_one(tmp_path: Path) -> None:
    async with scene() as real:
        env = {"TELEGRAM_API_URL": real.telegram.url, "TELEGRAM_BOT_TOKEN": TOKEN}
        with make_dev(tmp_path, **env) as process:
            line = await asyncio.to_thread(line_with, process, "?start=claim_")
            await asyncio.to_thread(_ends_at_ctrl_c, process)
    assert read_record(tmp_path) is None
    assert "To become its owner, open this in Telegram: https://t.me/marvin_test_bot?start=claim_" in line
    logs = await asyncio.to_thread(logs_of, tmp_path)
    assert line.strip().rpartition("claim_")[2] not in logs


def test_ctrl_c_while_it_starts_leaves_nothing(tmp_path: Path) -> None:
    with make_dev(tmp_path) as process:
        wait_until(lambda: len(family_of(process.pid)) > 4, 60)
        family = family_of(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        wait_until(lambda: not any(is_alive(pid) for pid in family))


@pytest.mark.parametrize(
    ("env", "sentence"),
    [
        ({"LULL_AGENTS_PATH": "docs"}, "A persona cannot be read"),
        ({"LULL_BACKEND": "huge"}, "LULL_BACKEND=huge is unknown; use one of"),
        ({"LULL_LIMITS": "yes", "LULL_JUDGE_MODEL": "gemini-flash-latest"}, "set its price in LULL_PRICES"),
        ({"LULL_LIMITS": "yes", "LULL_DAY_USD": "lots"}, "LULL_DAY_USD is wrong"),
    ],
)
def test_what_stands_in_the_way_is_one_sentence(tmp_path: Path, env: dict[str, str], sentence: str) -> None:
    assert sentence in _refusal(tmp_path, **env)


def test_a_port_that_is_taken_is_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        assert f"port {port} is not available" in _refusal(tmp_path, PORT=port)


def _refusal(folder: Path, **env: str) -> str:
    with make_dev(folder, **env) as process:
        assert process.stdout is not None
        said = process.stdout.read()
        assert process.wait(30) == 1
    assert said.count("\n") == 1
    return said
