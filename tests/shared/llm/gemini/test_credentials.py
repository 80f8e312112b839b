"""Credentials and addresses for Gemini: the same as those of Google's own client."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from google.auth.credentials import AnonymousCredentials
from google.genai import Client
from google.genai._transformers import t_model
from google.genai.types import HttpOptions
from google.oauth2.credentials import Credentials

from shared.base.errors import ModelRefused, ModelUnavailable
from shared.base.logs import about
from shared.llm.gemini.credentials import GeminiAccess, GeminiCredentials, VertexAI, model_path, models_url
from tests.operations.deployment.google_apis import google_apis, write_login
from tests.shared.conftest import model_at
from tests.shared.llm.gemini.test_model import PROMPT, SCHEMA, TRACE, OnText, both_ways
from tests.stories.play import Model


@pytest.mark.parametrize(
    ("access", "base_url", "url"),
    [
        ("the-key", "", "https://generativelanguage.googleapis.com/v1/models/m"),
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
def test_a_key_asks_geminis_own_api_and_a_project_vertex_ai_in_its_location(
    access: str, base_url: str, url: str
) -> None:
    who = access if access == "the-key" else place(access)
    assert models_url(who, base_url) + model_path(who, "m") == url
    assert client_says(who, base_url, "m") == url


@pytest.mark.parametrize("model", ["models/m", "publishers/google/models/m"])
def test_a_name_with_a_slash_says_whose_it_is(model: str) -> None:
    assert model_path(place("global"), model) == model
    assert model_path("the-key", "../files?x=1&m") == "../files%3Fx%3D1%26m"


def client_says(access: GeminiAccess, base_url: str, model: str) -> str:
    """Return the address that Google's own client calls."""
    options = HttpOptions(base_url=base_url or None)
    if isinstance(access, VertexAI):
        where = {"project": access.project, "location": access.location, "credentials": access.credentials}
        client = Client(enterprise=True, http_options=options, **where)  # type: ignore[arg-type]
    else:
        client = Client(enterprise=False, api_key=access, http_options=options)
    request = client._api_client._build_request("POST", f"{t_model(client._api_client, model)}", {})
    client.close()
    return str(request.url)


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


async def test_the_project_that_pays_is_named() -> None:
    assert await GeminiCredentials(vertex(credentials(quota_project_id="payer"))).headers() == {
        "Authorization": "Bearer a-token",
        "x-goog-user-project": "payer",
    }
    assert "x-goog-user-project" not in await GeminiCredentials(vertex(credentials())).headers()


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
