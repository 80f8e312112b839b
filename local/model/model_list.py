"""Reads the response of an OpenAI-compatible server to `GET /v1/models`: the list of its models, or the refusal of a
key.
"""

import httpx


def models_in(answer: httpx.Response) -> list[str]:
    """Return the ids of the listed models. Raises ValueError if the response is not a list of models."""
    listed = answer.json()
    try:
        # Ollama lists null if it has no models (ToListCompletion in its openai package)
        return [str(model["id"]) for model in listed["data"] or []]
    except (KeyError, TypeError) as cause:
        raise ValueError("the response is not a list of models") from cause


def is_refused(answer: httpx.Response) -> bool:
    """Return whether a model server refused the key. The status alone does not show this, since any web server may
    answer 401 or 403; a model server also returns an error object.
    """
    try:
        return answer.status_code in (401, 403) and isinstance(answer.json()["error"], dict)
    except (KeyError, TypeError, ValueError):
        return False


def wants_key(key: str) -> str:
    """Return advice about a refused key, as the end of a sentence. `key` is the key that was sent."""
    return "does not accept the key in LULL_LOCAL_MODEL_KEY." if key else "requires a key: set LULL_LOCAL_MODEL_KEY."
