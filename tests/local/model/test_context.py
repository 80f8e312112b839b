"""The size of a model's context from Ollama and LM Studio; that of llama.cpp's own server is in `test_remote.py`."""

from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from local.model.context import context_of, too_little
from tests.local.serving import serving

OLLAMA = {"models": [{"name": "qwen3:8b", "model": "qwen3:8b", "size": 6_591_830_464, "context_length": 4096}]}
LM_STUDIO = {
    "object": "list",
    "data": [
        {"id": "qwen/qwen3-8b", "type": "llm", "state": "not-loaded", "max_context_length": 40960},
        {"id": "gemma", "type": "llm", "state": "loaded", "max_context_length": 131072, "loaded_context_length": 2048},
    ],
}


@pytest.mark.parametrize(
    ("program", "path", "told", "model", "context"),
    [
        ("Ollama", "/api/ps", OLLAMA, "qwen3:8b", 4096),
        ("Ollama", "/api/ps", {"models": []}, "qwen3:8b", 0),
        ("Ollama", "/api/ps", {"models": None}, "qwen3:8b", 0),
        ("LM Studio", "/api/v0/models", LM_STUDIO, "gemma", 2048),
        ("LM Studio", "/api/v0/models", LM_STUDIO, "qwen/qwen3-8b", 0),
        ("llama.cpp", "/elsewhere", {}, "any", 0),
        ("The server", "/api/ps", OLLAMA, "qwen3:8b", 0),
    ],
)
async def test_each_program_is_asked_in_its_own_way(
    program: str, path: str, told: dict[str, Any], model: str, context: int
) -> None:
    async def tell(_: object) -> JSONResponse:
        return JSONResponse(told)

    with serving(Starlette(routes=[Route(path, tell)])) as url:
        async with httpx.AsyncClient(base_url=url) as client:
            assert await context_of(client, program, model) == context


async def test_a_server_that_is_gone_says_nothing() -> None:
    async with httpx.AsyncClient(base_url="http://127.0.0.1:9") as client:
        assert await context_of(client, "Ollama", "qwen3:8b") == 0


def test_only_a_context_that_is_known_and_short_is_told() -> None:
    assert [bool(too_little(context)) for context in (0, 2048, 4095, 4096, 32768)] == [False, True, True, False, False]
