import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route

from local import model_servers
from local.model.calls import Json
from local.model.upstream import ModelServer
from local.model_servers import USUAL, FoundModels, found_at, with_abilities
from tests.local.model.llama_server import KEY, llama_server
from tests.local.serving import serving

NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def patient() -> Iterator[None]:
    """Give servers enough time on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model_servers, "LIMIT_S", 30)
        yield


@pytest.mark.usefixtures("patient")
def test_llama_cpp_is_found_with_its_model_and_its_key(tmp_path: Path) -> None:
    with llama_server() as server:
        assert found_at({"Ollama": NOWHERE, "llama.cpp": server.url}, KEY) == FoundModels(models=(server,))
        wants = found_at({"llama.cpp": server.url})
        assert wants == FoundModels(troubles=(f"llama.cpp at {server.url} requires a key: set LULL_LOCAL_MODEL_KEY.",))
        assert found_at({"llama.cpp": server.url}, "x").troubles[0].endswith("accept the key in LULL_LOCAL_MODEL_KEY.")


@pytest.mark.usefixtures("patient")
def test_what_else_listens_there_is_no_model_server() -> None:
    async def page(_: object) -> HTMLResponse:
        return HTMLResponse("<h1>lull</h1>")

    async def gemini(_: object) -> JSONResponse:
        return JSONResponse({"models": [{"name": "models/local"}]})

    for answer in (page, gemini):
        with serving(Starlette(routes=[Route("/v1/models", answer)])) as url:
            assert found_at({"llama.cpp": url}) == FoundModels()


def telling(path: str, told: Json) -> Starlette:
    """A program that reports its model's abilities at one path."""

    async def tell(_: object) -> JSONResponse:
        return JSONResponse(told)

    return Starlette(routes=[Route(path, tell, methods=["GET", "POST"])])


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    ("path", "told", "can"),
    [
        ("/api/show", {"capabilities": ["completion", "vision", "tools"]}, (True, True)),
        ("/api/show", {"capabilities": ["completion"]}, (False, False)),
        ("/api/v0/models", {"data": [{"id": "m", "type": "vlm", "capabilities": ["tool_use"]}]}, (True, True)),
        ("/api/v0/models", {"data": [{"id": "n", "type": "vlm"}, {"id": "m", "type": "llm"}]}, (False, False)),
        ("/props", {"modalities": {"vision": True, "audio": False}}, (True, False)),
        ("/other", {}, (False, False)),
    ],
)
def test_each_program_tells_what_its_model_can_do(path: str, told: Json, can: tuple[bool, bool]) -> None:
    with serving(telling(path, told)) as url:
        found = with_abilities(ModelServer(name="The server", url=url, model="m", key="k"))
    assert (found.takes_pictures, found.calls_functions) == can
    assert found.key == "k"


@pytest.mark.usefixtures("patient")
def test_llama_cpp_tells_what_its_model_can_do() -> None:
    with llama_server() as server:
        assert not with_abilities(server).takes_pictures
    assert with_abilities(server) == server, "it is gone"


def listing(*ids: str) -> Starlette:
    """Make a server with these models, listed as Ollama does: null for none."""

    async def listed(_: object) -> JSONResponse:
        return JSONResponse({"object": "list", "data": [{"id": model} for model in ids] or None})

    return Starlette(routes=[Route("/v1/models", listed)])


@pytest.mark.usefixtures("patient")
def test_models_that_write_nothing_are_left_out() -> None:
    others = ("text-embedding-nomic-embed-text-v1.5", "nomic-embed-text:latest", "bge-m3:latest", "all-minilm:22m")
    with serving(listing("qwen3:8b", *others)) as url:
        assert [server.model for server in found_at({"Ollama": url}).models] == ["qwen3:8b"]
    for models in (others, ()):
        with serving(listing(*models)) as url:
            assert found_at({"Ollama": url}) == FoundModels(
                troubles=(f"Ollama at {url} has no model that generates text.",)
            )


def test_a_server_that_hangs_is_told_and_the_others_are_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, serving(listing("qwen3:8b")) as url:
        hangs = f"http://127.0.0.1:{silent.getsockname()[1]}"
        found = found_at({"LM Studio": hangs, "Ollama": url})
    assert [server.model for server in found.models] == ["qwen3:8b"]
    assert found.troubles == (f"The program at {hangs}, LM Studio's usual address, does not answer.",)


def test_another_program_that_lets_nobody_in_is_no_model_server() -> None:
    async def forbidden(_: object) -> JSONResponse:
        return JSONResponse({"status": 403, "error": "Forbidden", "path": "/v1/models"}, 403)

    with serving(Starlette(routes=[Route("/v1/models", forbidden)])) as url:
        assert found_at({"llama.cpp": url}) == FoundModels()


def test_the_usual_addresses_are_of_this_machine() -> None:
    assert [url.rpartition(":")[2] for url in USUAL.values()] == ["11434", "1234", "8080"]
    assert all(url.startswith("http://127.0.0.1:") for url in USUAL.values())
