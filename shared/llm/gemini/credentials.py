"""Access to Gemini: by a key of Gemini's API, or by a Google Cloud account with Vertex AI."""

from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import quote

from google.auth.credentials import Credentials


@dataclass(frozen=True, kw_only=True)
class VertexAI:
    """Access to Gemini through a Google Cloud project. It needs no key, but the role roles/aiplatform.user.

    `location` is a region, a multi-region (`eu`, `us`) or `global`. `credentials` default to Google's application
    default credentials.
    """

    project: str
    location: str
    credentials: Credentials | None = None


#: a key of Gemini's API, or a project
GeminiAccess: TypeAlias = str | VertexAI


def model_path(access: GeminiAccess, model: str) -> str:
    """Return a model's path in the API, or in a project's location. A name with a slash is a path already."""
    name = quote(model, safe="/")
    if "/" in name:
        return name
    return f"models/{name}" if isinstance(access, str) else f"publishers/google/models/{name}"
