"""Credentials and addresses for Gemini: with a key, and with Vertex AI."""

from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from google.auth.credentials import AnonymousCredentials
from google.oauth2.credentials import Credentials

from shared.base.errors import ModelRefused, ModelUnavailable
from shared.base.logs import about
from shared.llm.gemini.api import GeminiApi, make_client, new_request
from shared.llm.gemini.credentials import VertexAI, model_path
from tests.operations.deployment.google_apis import google_apis, write_login
from tests.shared.conftest import model_at
from tests.shared.llm.gemini.heads import heads_of_requests
from tests.shared.llm.gemini.test_model import PROMPT, SCHEMA, TRACE, OnText, both_ways
from tests.stories.play import Model

GEMINIS_OWN = "https://generativelanguage.googleapis.com"


@pytest.mark.parametrize(
    ("access", "base_url", "url"),
    [
        ("the-key", "", f"{GEMINIS_OWN}/v1/models/m"),
        ("the-key", "http://here:1/", "http://here:1/v1/models/m"),
        (
            "global",
            "",
            "https://aiplatform.googleapis.com/v1beta1/projects/p/locations/global/publishers/google/models/m",
        ),
        (
            "europe-west1",
            "",
            "https://europe-west1-aiplatform.googleapis.com/v1beta1/projects/p/locations/europe-west1"
            "/publishers/google/models/m",
        ),
        (
            "eu",
            "",
            "https://aiplatform.eu.rep.googleapis.com/v1beta1/projects/p/locations/eu/publishers/google/models/m",
        ),
        ("eu", "http://here:1", "http://here:1/v1beta1/projects/p/locations/eu/publishers/google/models/m"),
    ],
)
async def test_a_key_asks_geminis_own_api_and_a_project_vertex_ai_in_its_location(
    access: str, base_url: str, url: str
) -> None:
    who = access if access == "the-key" else place(access)
    async with httpx.AsyncClient() as http:
        assert new_request(make_client(who, base_url, 5, http), model_path(who, "m"), {}).url == url


async def test_the_environment_changes_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"):
        monkeypatch.setenv(name, "another")
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    monkeypatch.setenv("GOOGLE_GENAI_API_VERSION", "beta")
    async with httpx.AsyncClient() as http:
        asked = new_request(make_client("the-key", "", 5, http), "models/m", {})
        assert (asked.url, asked.headers["x-goog-api-key"]) == (f"{GEMINIS_OWN}/v1/models/m", "the-key")
        asked = new_request(make_client(place("eu"), "http://here:1", 5, http), "publishers/google/models/m", {})
    assert asked.url == "http://here:1/v1beta1/projects/p/locations/eu/publishers/google/models/m"
    assert "x-goog-api-key" not in asked.headers


@pytest.mark.parametrize("model", ["models/m", "publishers/google/models/m"])
def test_a_name_with_a_slash_says_whose_it_is(model: str) -> None:
    assert model_path(place("global"), model) == model
    assert model_path("the-key", "../files?x=1&m") == "../files%3Fx%3D1%26m"


def place(location: str) -> VertexAI:
    return VertexAI(project="p", location=location, credentials=AnonymousCredentials())  # type: ignore[no-untyped-call]


@both_ways
async def test_over_vertex_ai_the_same_is_asked_with_a_token_for_a_key(
    model_url: str, script: Model, on_text: OnText | None
) -> None:
    await script.will({"text": "ok"})
    with about(trace=TRACE):
        async with model_at(model_url, 5.0, 1, vertex(credentials())) as model:
            assert (await model.generate(PROMPT, SCHEMA, on_text)).text == "ok"
    exchange = (await script.asked("a secret of Ann's"))[-1]
    assert (exchange["trace"], exchange["model"]) == (TRACE, "gemini-test")
    assert exchange["request"]["systemInstruction"]["parts"][0]["text"] == "You are lull."
    assert exchange["request"]["generationConfig"]["responseJsonSchema"] == dict(SCHEMA)


async def test_over_vertex_ai_the_processs_own_account_asks(
    model_url: str, script: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await script.will({"text": "ok"})
    with google_apis() as apis:
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(write_login(tmp_path, apis)))
        async with model_at(model_url, 5.0, 1, vertex(None)) as model:
            assert (await model.generate(PROMPT, SCHEMA)).text == "ok"
        assert apis.asked == ["/token"]


@pytest.mark.parametrize("payer", ["payer", None])
async def test_the_project_that_pays_is_named(payer: str | None) -> None:
    async with heads_of_requests() as (url, heads):
        api = GeminiApi(vertex(credentials(quota_project_id=payer)), url, 5.0, 1)
        assert await api.answer("m", {}) == {}
        await api.aclose()
    headers = heads[0].splitlines()
    assert "authorization: bearer a-token" in headers
    assert [h for h in headers if h.startswith("x-goog-user-project")] == [f"x-goog-user-project: {payer}"][
        : bool(payer)
    ]


async def test_a_login_that_cannot_be_renewed_now_may_be_later(model_url: str) -> None:
    async with model_at(model_url, 5.0, 1, vertex(credentials(expiry=datetime(2020, 1, 1)))) as model:
        with pytest.raises(ModelUnavailable, match=r"did not answer \((Transport|Refresh)Error\)"):
            await model.generate(PROMPT, SCHEMA)


async def test_without_any_login_vertex_ai_is_not_asked(
    model_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "none.json"))
    async with model_at(model_url, 5.0, 1, vertex(None)) as model:
        with pytest.raises(ModelRefused, match="no Google Cloud credentials for Vertex AI"):
            await model.generate(PROMPT, SCHEMA)


def vertex(credentials: Credentials | None) -> VertexAI:
    return VertexAI(project="p", location="europe-west1", credentials=credentials)


def credentials(**more: Any) -> Credentials:
    """Make credentials of a person that cannot be refreshed."""
    renewed: dict[str, Any] = {"refresh_token": "r", "token_uri": "http://127.0.0.1:1", "client_id": "c"}
    made: Credentials = Credentials("a-token", client_secret="s", **renewed, **more)  # type: ignore[no-untyped-call]
    return made
