"""llama.cpp's own server with a small model: it speaks OpenAI's API and asks for a key."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from local.model.upstream import ModelServer
from tests.local.model.conftest import small_gguf

ROOT = Path(__file__).parents[3]
KEY = "a-key"
CONTEXT = 768


@contextmanager
def llama_server() -> Iterator[ModelServer]:
    """Run it, and give its address and its name of the model."""
    command = [sys.executable, "-m", "local.model.engine_process", str(small_gguf())]
    numbers = ["--context", str(CONTEXT), "--threads", "2", "--slots", "1"]
    env = {**os.environ, "LULL_ENGINE_KEY": KEY, "OMP_WAIT_POLICY": "passive"}
    pipe = subprocess.PIPE
    with subprocess.Popen([*command, *numbers], cwd=ROOT, env=env, stdin=pipe, stdout=pipe) as process:
        assert process.stdout
        url = str(json.loads(process.stdout.readline())["address"])
        yield ModelServer(name="llama.cpp", url=url, model=str(small_gguf()), key=KEY)
        process.kill()
