import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import pytest

from tests.local.model.conftest import small_gguf

ROOT = Path(__file__).parents[3]


def test_a_server_s_model_is_named_on_the_command_line() -> None:
    named = ("--server", "http://127.0.0.1:9/", "--server-name", "Ollama", "--model", "qwen3:8b")
    with running("--backend", "server", *named) as (_, url):
        assert httpx.get(f"{url}/model", timeout=30).json()["name"] == "qwen3:8b"


@contextmanager
def running(*arguments: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    command = [sys.executable, "-m", "local.model", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield process, process.stdout.readline().strip()
        process.kill()


def failing(*arguments: str) -> str:
    command = [sys.executable, "-m", "local.model", *arguments]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    return ended.stderr


@pytest.mark.parametrize("name", ["none.gguf", "text.gguf"])
def test_a_wrong_model_file_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "text.gguf").write_text("text")
    said = failing("--backend", "small", "--model-file", str(tmp_path / name))
    assert name in said
    assert "Traceback" not in said


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_it_leaves_no_engine_behind(number: int) -> None:
    with running("--backend", "small", "--model-file", str(small_gguf()), "--context", "512") as (process, url):
        call = {"messages": [{"role": "user", "content": "hi"}], "max_tokens": 1}
        assert httpx.post(f"{url}/v1/chat/completions", json=call, timeout=60).is_success
        children = psutil.Process(process.pid).children(recursive=True)
        assert children
        os.kill(process.pid, number)
        process.wait()
        _, alive = psutil.wait_procs(children, timeout=60)
        assert alive == []
