"""Who asks Gemini, and where its models are: a key of Gemini's API, or an account of Google Cloud with Vertex AI."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from urllib.parse import quote

import google.auth
from google.auth.credentials import Credentials
from google.auth.transport.requests import Request

SCOPES: Final = ("https://www.googleapis.com/auth/cloud-platform",)
#: locations of Vertex AI that are several regions (docs.cloud.google.com/vertex-ai/docs/general/locations)
MULTI_REGIONS: Final = frozenset({"eu", "us"})


@dataclass(frozen=True, kw_only=True)
class VertexAI:
    """Gemini in a project of Google Cloud: no key, but the right to use it (roles/aiplatform.user).

    `location` is a region, several (`eu`, `us`) or `global`. Without `credentials` they are Google's application
    default ones.
    """

    project: str
    location: str
    credentials: Credentials | None = None


#: who asks: a key of Gemini's API, or a project
GeminiAccess: TypeAlias = str | VertexAI


def models_url(access: GeminiAccess, base_url: str) -> str:
    """What the address of each model begins with; `base_url` is empty for Google's own."""
    if isinstance(access, str):
        return f"{base_url.rstrip('/') or 'https://generativelanguage.googleapis.com'}/v1/"
    host = base_url.rstrip("/") or f"https://{_host(access.location)}"
    return f"{host}/v1beta1/projects/{access.project}/locations/{access.location}/"


def model_path(access: GeminiAccess, model: str) -> str:
    """A model's address below them; a name with a slash says itself whose it is."""
    name = quote(model, safe="/")
    if "/" in name:
        return name
    return f"models/{name}" if isinstance(access, str) else f"publishers/google/models/{name}"


def _host(location: str) -> str:
    if location == "global":
        return "aiplatform.googleapis.com"
    if location in MULTI_REGIONS:
        return f"aiplatform.{location}.rep.googleapis.com"
    return f"{location}-aiplatform.googleapis.com"


class GeminiCredentials:
    """The headers that say who asks."""

    def __init__(self, access: GeminiAccess) -> None:
        """Nothing is looked for before the first call."""
        self._key = access.strip() if isinstance(access, str) else ""
        self._credentials: Any = None if isinstance(access, str) else access.credentials
        self._lock = asyncio.Lock()

    async def headers(self) -> Mapping[str, str]:
        """They hold a key, or a token that is renewed before it expires. Raises GoogleAuthError."""
        if self._key:
            return {"x-goog-api-key": self._key}
        async with self._lock:  # one renewal for all who wait for it
            if self._credentials is None:
                self._credentials, _ = await asyncio.to_thread(google.auth.default, scopes=SCOPES)
            if not self._credentials.valid:
                await asyncio.to_thread(self._credentials.refresh, Request())
        headers = {"Authorization": f"Bearer {self._credentials.token}"}
        payer = self._credentials.quota_project_id
        return {**headers, "x-goog-user-project": payer} if payer else headers
