"""Asks a server for its model's context length. Each program reports it in a different way, since OpenAI's API has no
field for it.
"""

from collections.abc import Callable
from typing import Any

import httpx

#: limit of prompt and answer together (`SERVER_SETTINGS` of local/parts.py)
NEEDED = 4_096
LIMIT_S = 3.0

#: Path and parser of the context length, by program (docs.ollama.com/api/ps, lmstudio.ai/docs/developer/rest/endpoints,
#: llama.cpp's tools/server/README.md). Ollama and LM Studio report it once the model is loaded.
_TOLD: dict[str, tuple[str, Callable[[Any, str], Any]]] = {
    "Ollama": ("/api/ps", lambda told, model: _of(told["models"], "name", model)["context_length"]),
    "LM Studio": ("/api/v0/models", lambda told, model: _of(told["data"], "id", model)["loaded_context_length"]),
    "llama.cpp": ("/props", lambda told, _: told["default_generation_settings"]["n_ctx"]),
}


async def context_of(client: httpx.AsyncClient, program: str, model: str) -> int:
    """Return a model's context length in tokens; 0 if the server does not report the length, or does not report it
    yet.
    """
    if program not in _TOLD:
        return 0
    path, read = _TOLD[program]
    try:
        answer = await client.get(path, timeout=LIMIT_S)
        return int(read(answer.raise_for_status().json(), model))
    except (httpx.HTTPError, ValueError, LookupError, TypeError):
        return 0


def too_little(context: int) -> str:
    """Return a warning about a context that is too small; empty if it is large enough."""
    if not 0 < context < NEEDED:
        return ""
    return f"Its context is {context:,} tokens, and lull needs {NEEDED:,}: long prompts are refused, or cut silently."


def _of(entries: list[dict[str, Any]], name: str, model: str) -> dict[str, Any]:
    return next((entry for entry in entries if entry[name] == model), {})
