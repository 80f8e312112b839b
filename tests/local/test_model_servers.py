from pathlib import Path

from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route

from local.model_servers import USUAL, found_at
from tests.local.gemini.llama_server import KEY, llama_server
from tests.local.gemini.serving import serving

NOWHERE = "http://127.0.0.1:9"


def test_llama_cpp_is_found_with_its_model_and_its_key(tmp_path: Path) -> None:
    with llama_server(tmp_path) as server:
        assert found_at({"Ollama": NOWHERE, "llama.cpp": server.url}, KEY) == [server]


def test_what_else_listens_there_is_no_model_server() -> None:
    async def page(_: object) -> HTMLResponse:
        return HTMLResponse("<h1>lull</h1>")

    async def gemini(_: object) -> JSONResponse:
        return JSONResponse({"models": [{"name": "models/local"}]})

    for answer in (page, gemini):
        with serving(Starlette(routes=[Route("/v1/models", answer)])) as url:
            assert found_at({"llama.cpp": url}) == []


def test_models_that_write_nothing_are_left_out() -> None:
    async def listed(_: object) -> JSONResponse:
        return JSONResponse({"data": [{"id": "qwen3:8b"}, {"id": "text-embedding-nomic-embed-text"}]})

    with serving(Starlette(routes=[Route("/v1/models", listed)])) as url:
        assert [server.model for server in found_at({"Ollama": url})] == ["qwen3:8b"]


def test_the_usual_addresses_are_of_this_machine() -> None:
    assert [url.rpartition(":")[2] for url in USUAL.values()] == ["11434", "1234", "8080"]
    assert all(url.startswith("http://127.0.0.1:") for url in USUAL.values())
