"""Finds model servers that already run on this machine, at their usual addresses."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import httpx

from local.model.model_list import is_refused, models_in, wants_key
from local.model.upstream import ModelServer
from local.ports import HOST

#: default addresses of these programs, from their documentation
USUAL = {
    "Ollama": f"http://{HOST}:11434",
    "LM Studio": f"http://{HOST}:1234",
    "llama.cpp": f"http://{HOST}:8080",
}
#: a local program lists its models within milliseconds
LIMIT_S = 1.5
#: Models with such names generate no text; the servers' lists do not give the kind of model. The last three names are
#: models for embeddings in Ollama.
NO_CHAT = ("embed", "rerank", "whisper", "-tts", "bge-", "all-minilm", "paraphrase-multilingual")


@dataclass(frozen=True, kw_only=True)
class FoundModels:
    """The models that were found, and a sentence for each server that has no usable model."""

    models: tuple[ModelServer, ...] = ()
    troubles: tuple[str, ...] = ()


def found_at(places: Mapping[str, str], key: str = "") -> FoundModels:
    """Return the models of the servers at these addresses. `places` maps the name of a server program to its address.
    Servers that do not run are ignored.
    """
    with ThreadPoolExecutor(max_workers=max(1, len(places))) as at_once:
        each = list(at_once.map(partial(_found_by, key=key), places.items()))
    return FoundModels(
        models=tuple(model for found in each for model in found.models),
        troubles=tuple(trouble for found in each for trouble in found.troubles),
    )


def _found_by(place: tuple[str, str], key: str) -> FoundModels:
    name, url = place
    headers = {"authorization": f"Bearer {key}"} if key else {}
    try:
        answer = httpx.get(f"{url}/v1/models", headers=headers, timeout=LIMIT_S, trust_env=False)
        if is_refused(answer):
            return FoundModels(troubles=(f"{name} at {url} {wants_key(key)}",))
        models = models_in(answer.raise_for_status())
    except httpx.ReadTimeout:
        return FoundModels(troubles=(f"The program at {url}, {name}'s usual address, does not answer.",))
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return FoundModels()  # no server listens there, or it is not a model server
    writing = [model for model in models if not any(word in model.lower() for word in NO_CHAT)]
    if not writing:
        return FoundModels(troubles=(f"{name} at {url} has no model that generates text.",))
    return FoundModels(models=tuple(ModelServer(name=name, url=url, model=model, key=key) for model in writing))


def with_abilities(server: ModelServer) -> ModelServer:
    """Return the server with its model's abilities (pictures, function calls), as the server program reports them. If
    the program reports none, return the server unchanged.

    Each program has its own way to report abilities. All ways are tried, since the program may be unknown.
    """
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=LIMIT_S, trust_env=False) as client:
        for ask in (_ask_ollama, _ask_lm_studio, _ask_llama_cpp):
            try:
                takes_pictures, calls_functions = ask(client, server.model)
            except (httpx.HTTPError, ValueError, LookupError, TypeError, AttributeError):
                continue  # another program
            return replace(server, takes_pictures=takes_pictures, calls_functions=calls_functions)
    return server


def _ask_ollama(client: httpx.Client, model: str) -> tuple[bool, bool]:
    """Return two flags: whether the model reads pictures, and whether it calls functions
    (docs.ollama.com/api#show-model-information).
    """
    can = _answered(client.post("/api/show", json={"model": model}))["capabilities"]
    return "vision" in can, "tools" in can


def _ask_lm_studio(client: httpx.Client, model: str) -> tuple[bool, bool]:
    """Return two flags: whether the model reads pictures, and whether it calls functions
    (lmstudio.ai/docs/developer/rest/endpoints).
    """
    (found,) = (one for one in _answered(client.get("/api/v0/models"))["data"] if one["id"] == model)
    return found["type"] == "vlm", "tool_use" in (found.get("capabilities") or ())


def _ask_llama_cpp(client: httpx.Client, _: str) -> tuple[bool, bool]:
    """Return two flags: whether the model reads pictures, and whether it calls functions (llama.cpp's
    tools/server/README.md).
    """
    told = _answered(client.get("/props"))
    return bool(told["modalities"]["vision"]), bool((told.get("chat_template_caps") or {}).get("supports_tools"))


def _answered(answer: httpx.Response) -> dict[str, Any]:
    return dict(answer.raise_for_status().json())
