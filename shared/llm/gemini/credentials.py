"""Access to Gemini: by a key of Gemini's API, or by a Google Cloud account with Vertex AI."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from urllib.parse import quote

import google.auth
from google.auth.credentials import Credentials
from google.auth.transport.requests import Request

SCOPES: Final = ("https://www.googleapis.com/auth/cloud-platform",)
#: multi-region locations of Vertex AI (docs.cloud.google.com/vertex-ai/docs/general/locations)
MULTI_REGIONS: Final = frozenset({"eu", "us"})


@dataclass(frozen=True, kw_only=True)
class VertexAI:
    """Gemini in a Google Cloud project: without a key, with the role roles/aiplatform.user.

    `location` is a region, a multi-region (`eu`, `us`) or `global`. `credentials` default to Google's application
    default credentials.
    """

    project: str
    location: str
    credentials: Credentials | None = None


#: a key of Gemini's API, or a project
GeminiAccess: TypeAlias = str | VertexAI


def models_url(access: GeminiAccess, base_url: str) -> str:
    """Return the base URL of all models. An empty `base_url` stands for Google's own."""
    if isinstance(access, str):
        return f"{base_url.rstrip('/') or 'https://generativelanguage.googleapis.com'}/v1/"
    host = base_url.rstrip("/") or f"https://{_host(access.location)}"
    return f"{host}/v1beta1/projects/{access.project}/locations/{access.location}/"


def model_path(access: GeminiAccess, model: str) -> str:
    """Return a model's path below the base URL. A name with a slash is a path already."""
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
    """The request headers that authenticate the caller."""

    def __init__(self, access: GeminiAccess) -> None:
        """Store the access. Credentials are looked up with the first call."""
        self._key = access.strip() if isinstance(access, str) else ""
        self._credentials: Any = None if isinstance(access, str) else access.credentials
        self._lock = asyncio.Lock()

    async def headers(self) -> Mapping[str, str]:
        """Return headers with the key, or with a token that is refreshed before it expires. Raises GoogleAuthError."""
        if self._key:
            return {"x-goog-api-key": self._key}
        async with self._lock:  # one refresh for all callers that wait
            if self._credentials is None:
                self._credentials, _ = await asyncio.to_thread(google.auth.default, scopes=SCOPES)
            if not self._credentials.valid:
                await asyncio.to_thread(self._credentials.refresh, Request())
        headers = {"Authorization": f"Bearer {self._credentials.token}"}
        payer = self._credentials.quota_project_id
        return {**headers, "x-goog-user-project": payer} if payer else headers
