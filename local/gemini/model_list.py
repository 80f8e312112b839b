"""What a server of OpenAI's API says at `/v1/models`: its models, or that a key is missing."""

import httpx


def models_in(answer: httpx.Response) -> list[str]:
    """The models that are listed, by their ids. Raises ValueError for what is no such list."""
    listed = answer.json()
    try:
        # Ollama without models lists null (ToListCompletion in its openai package)
        return [str(model["id"]) for model in listed["data"] or []]
    except (KeyError, TypeError) as cause:
        raise ValueError("no list of models") from cause


def is_refused(answer: httpx.Response) -> bool:
    """Whether this is a model server that wants another key; others that refuse do it in other words."""
    try:
        return answer.status_code in (401, 403) and isinstance(answer.json()["error"], dict)
    except (KeyError, TypeError, ValueError):
        return False


def wants_key(key: str) -> str:
    """What to do about a refusal, as the end of a sentence; `key` is what the server was shown."""
    return "takes another key than LULL_LOCAL_MODEL_KEY." if key else "wants a key: set LULL_LOCAL_MODEL_KEY."
