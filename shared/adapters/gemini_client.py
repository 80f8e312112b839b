"""Google's client for Gemini: with a key of Gemini's API, or over Vertex AI in the name of this process's account."""

from dataclasses import dataclass
from typing import TypeAlias

from google.auth.credentials import Credentials
from google.genai import Client
from google.genai.types import HttpOptions


@dataclass(frozen=True, kw_only=True)
class VertexAI:
    """Gemini in a project of Google Cloud: no key, but the right to use it (roles/aiplatform.user).

    `location` is a region or `global`; without `credentials` they are Google's application default ones.
    """

    project: str
    location: str
    credentials: Credentials | None = None


#: who asks: a key of Gemini's API, or a project
Access: TypeAlias = str | VertexAI


def new_client(access: Access, options: HttpOptions) -> Client:
    """A client; nothing is asked and no credentials are looked for before its first call."""
    if isinstance(access, VertexAI):
        return Client(
            enterprise=True,
            project=access.project,
            location=access.location,
            credentials=access.credentials,
            http_options=options,
        )
    return Client(enterprise=False, api_key=access, http_options=options)
