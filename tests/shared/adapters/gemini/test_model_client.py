"""Who asks Gemini, and where: what the official client makes of it, and how Vertex AI is asked."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from google.auth.credentials import AnonymousCredentials
from google.genai.types import HttpOptions
from google.oauth2.credentials import Credentials

from local.cloud import LocalCloud
from shared.adapters.gemini.model import VertexAI, new_client
from shared.errors import ModelRefused, ModelUnavailable
from shared.logs import about
from tests.operations.deployment.google_apis import google_apis, write_login
from tests.shared.adapters.gemini.test_model import PROMPT, SCHEMA, TRACE, OnText, both_ways
from tests.shared.conftest import model_at
from tests.stories.play import Model

NO_OPTIONS = HttpOptions()


def test_a_key_asks_geminis_own_api() -> None:
    client = new_client("the-key", NO_OPTIONS)
    assert (client.vertexai, client._api_client.api_key) == (False, "the-key")
    client.close()


def test_the_shell_does_not_change_which_of_both_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    monkeypatch.setenv("GOOGLE_API_KEY", "another")
    by_key, by_account = new_client("the-key", NO_OPTIONS), new_client(place("global"), NO_OPTIONS)
    assert (by_key.vertexai, by_key._api_client.api_key) == (False, "the-key")
    assert (by_account.vertexai, by_account._api_client.api_key) == (True, None)
    for client in (by_key, by_account):
        client.close()


@pytest.mark.parametrize(
    ("location", "host"),
    [("global", "aiplatform.googleapis.com"), ("europe-west1", "europe-west1-aiplatform.googleapis.com")],
)
def test_a_project_asks_vertex_ai_in_its_location(location: str, host: str) -> None:
    client = new_client(place(location), NO_OPTIONS)
    found = client._api_client
    assert (found.project, found.location, found._http_options.base_url) == ("p", location, f"https://{host}/")
    client.close()


def place(location: str) -> VertexAI:
    return VertexAI(project="p", location=location, credentials=AnonymousCredentials())  # type: ignore[no-untyped-call]


@both_ways
async def test_over_vertex_ai_the_same_is_asked_with_a_token_for_a_key(
    cloud: LocalCloud, script: Model, on_text: OnText | None
) -> None:
    await script.will({"text": "ok"})
    with about(trace=TRACE):
        async with model_at(cloud.gemini_url, 5.0, 1, vertex(credentials())) as model:
            assert (await model.generate(PROMPT, SCHEMA, on_text)).text == "ok"
    exchange = (await script.asked("a secret of Ann's"))[-1]
    assert (exchange["trace"], exchange["model"]) == (TRACE, "gemini-test")
    assert exchange["request"]["systemInstruction"]["parts"][0]["text"] == "You are lull."
    assert exchange["request"]["generationConfig"]["responseJsonSchema"] == dict(SCHEMA)


async def test_over_vertex_ai_the_processs_own_account_asks(
    cloud: LocalCloud, script: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await script.will({"text": "ok"})
    with google_apis() as apis:
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(write_login(tmp_path, apis)))
        async with model_at(cloud.gemini_url, 5.0, 1, vertex(None)) as model:
            assert (await model.generate(PROMPT, SCHEMA)).text == "ok"
        assert apis.asked == ["/token"]


async def test_a_login_that_cannot_be_renewed_now_may_be_later(cloud: LocalCloud) -> None:
    async with model_at(cloud.gemini_url, 5.0, 1, vertex(credentials(expiry=datetime(2020, 1, 1)))) as model:
        with pytest.raises(ModelUnavailable, match=r"did not answer \((Transport|Refresh)Error\)"):
            await model.generate(PROMPT, SCHEMA)


async def test_without_any_login_vertex_ai_is_not_asked(
    cloud: LocalCloud, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "none.json"))
    async with model_at(cloud.gemini_url, 5.0, 1, vertex(None)) as model:
        with pytest.raises(ModelRefused, match="no Google Cloud credentials here"):
            await model.generate(PROMPT, SCHEMA)


def vertex(credentials: Credentials | None) -> VertexAI:
    return VertexAI(project="p", location="europe-west1", credentials=credentials)


def credentials(**more: Any) -> Credentials:
    """A person's login; when it has to be renewed, nobody answers."""
    renewed: dict[str, Any] = {"refresh_token": "r", "token_uri": "http://127.0.0.1:1", "client_id": "c"}
    made: Credentials = Credentials("a-token", client_secret="s", **renewed, **more)  # type: ignore[no-untyped-call]
    return made
