"""Model servers that run on this machine already, found at their usual addresses."""

from collections.abc import Iterator, Mapping

import httpx

from local.gemini.remote import ModelServer
from local.ports import HOST

#: where these programs listen unless they are told otherwise, by their own documents
USUAL = {
    "Ollama": f"http://{HOST}:11434",
    "LM Studio": f"http://{HOST}:1234",
    "llama.cpp": f"http://{HOST}:8080",
}
#: a program of this machine that lists its models takes milliseconds
LIMIT_S = 1.5
#: models whose names say so write no text
NO_CHAT = ("embed", "rerank", "whisper")


def found_at(places: Mapping[str, str], key: str = "") -> list[ModelServer]:
    """The models of the servers at these addresses, by the programs' names; one that is not there has none."""
    return [found for name, url in places.items() for found in _models_of(name, url, key)]


def _models_of(name: str, url: str, key: str) -> Iterator[ModelServer]:
    headers = {"authorization": f"Bearer {key}"} if key else {}
    try:
        listed = httpx.get(f"{url}/v1/models", headers=headers, timeout=LIMIT_S, trust_env=False)
        models = listed.raise_for_status().json()["data"]
        ids = [str(model["id"]) for model in models]
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError):
        return  # nothing listens there, or something else does
    for model in ids:
        if not any(word in model.lower() for word in NO_CHAT):
            yield ModelServer(name=name, url=url, model=model, key=key)
