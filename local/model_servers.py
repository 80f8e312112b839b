"""Finds model servers that already run on this machine, at their usual addresses."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import httpx

from local.gemini.model_list import is_refused, models_in, wants_key
from local.gemini.remote import ModelServer
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
    """The available models, and a sentence for each server that has no usable model."""

    models: tuple[ModelServer, ...] = ()
    troubles: tuple[str, ...] = ()


def found_at(places: Mapping[str, str], key: str = "") -> FoundModels:
    """Return the models of the servers at these addresses, by the programs' names. Ignore servers that do not run."""
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
