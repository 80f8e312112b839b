import json
import os
import subprocess
import sys
from pathlib import Path

import httpx

from tests.local.model.conftest import small_gguf

ROOT = Path(__file__).parents[3]


def start(file: Path) -> "subprocess.Popen[bytes]":
    numbers = ("--context", "512", "--threads", "1", "--slots", "2")
    return subprocess.Popen(
        [sys.executable, "-m", "local.model.engine_process", str(file), *numbers],
        cwd=ROOT,
        env={**os.environ, "LULL_ENGINE_KEY": "a-key", "OMP_WAIT_POLICY": "passive"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_it_listens_on_this_machine_alone_wants_its_key_and_ends_with_its_input() -> None:
    with start(small_gguf()) as process:
        assert process.stdout
        assert process.stdin
        address = json.loads(process.stdout.readline())["address"]
        assert address.startswith("http://127.0.0.1:")
        assert httpx.get(f"{address}/slots", timeout=30).status_code == 401
        slots = httpx.get(f"{address}/slots", headers={"authorization": "Bearer a-key"}, timeout=30).json()
        assert [slot["n_ctx"] for slot in slots] == [512, 512]
        process.stdin.close()
        assert process.wait() == 0


def test_a_file_that_is_no_model_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"GGUF and nothing more")
    with start(tmp_path / "broken.gguf") as process:
        assert process.stdout
        assert process.stdout.readline() == b""
        assert process.wait() != 0
