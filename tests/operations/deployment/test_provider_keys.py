"""Each provider of models is asked for its models with the given key, at a local server of OpenAI's protocol."""

import io
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from rich.console import Console

from operations.deployment.options import CannotDeploy
from operations.deployment.provider_keys import check_provider_keys
from operations.deployment.secret_values import SecretValues
from operations.deployment.terminal import Terminal
from operations.deployment.terraform import Variables

KEY = "a-key-of-home"
MODELS = {"object": "list", "data": [{"id": "qwen3:8b", "object": "model"}, {"id": "bge-m3", "object": "model"}]}


@dataclass
class Provider:
    """A provider's API: it answers with its list of models; 404 if the answer is empty."""

    url: str = ""
    answer: bytes = json.dumps(MODELS).encode()
    paths: list[str] = field(default_factory=list)
    screen: io.StringIO = field(default_factory=io.StringIO)

    def check(self, *, key: str = KEY, model: str = "home:qwen3:8b", url: str = "") -> str:
        """Check the key; return what was printed."""
        variables = Variables(
            project="acme-lull",
            agents=("lull",),
            vertex_ai=False,
            database_location="europe-west1",
            model_providers={"home": url or self.url},
            uses_gemini=False,
            settings={"LULL_MODEL": model, "LULL_LIMITS": "no"},
        )
        secrets = SecretValues(bot_tokens={}, webhook_secret="", gemini_api_key="", model_provider_keys={"home": key})
        check_provider_keys(variables, secrets, Terminal(1, Console(file=self.screen, width=200)))
        return self.screen.getvalue()


@pytest.fixture
def provider() -> Iterator[Provider]:
    made = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.paths.append(self.path)
            is_known = self.headers["Authorization"] == f"Bearer {KEY}"
            self.send_response(401 if not is_known else 200 if made.answer else 404)
            self.end_headers()
            self.wfile.write(made.answer if is_known else b"Incorrect API key provided: a-wrong-key")

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        made.url = f"http://127.0.0.1:{server.server_port}/v1"
        yield made
        server.shutdown()


def test_a_key_that_is_accepted_passes_without_a_word(provider: Provider) -> None:
    assert provider.check() == ""
    assert provider.check(url=f"{provider.url}/") == ""
    assert provider.paths == ["/v1/models", "/v1/models"]


def test_a_model_that_the_list_lacks_is_told_with_those_that_resemble_it(provider: Provider) -> None:
    said = provider.check(model="home:qwen3:9b")
    assert "home does not list qwen3:9b, which LULL_MODEL names; did you mean qwen3:8b?" in said


@pytest.mark.parametrize("answer", [b"", b"<html>", b"[]", b'{"data": {}}', b'{"data": [1, {"id": 2}]}'])
def test_a_server_without_a_list_passes(provider: Provider, answer: bytes) -> None:
    provider.answer = answer
    assert provider.check(model="home:other") == ""


def test_a_key_that_is_refused_is_told_without_the_key(provider: Provider) -> None:
    with pytest.raises(CannotDeploy, match=r"The provider home refuses its API key \(401\)") as caught:
        provider.check(key="a-wrong-key")
    assert "a-wrong-key" not in str(caught.value)


@pytest.mark.parametrize("key", ["a key", "key\n", "ключ", '"key"'])
def test_a_key_that_cannot_be_sent_is_told_without_it(provider: Provider, key: str) -> None:
    with pytest.raises(CannotDeploy, match="The API key of home contains a space") as caught:
        provider.check(key=key)
    assert key not in str(caught.value)
    assert provider.paths == []


def test_a_server_that_does_not_answer_is_told_with_its_address(provider: Provider) -> None:
    with pytest.raises(CannotDeploy, match=r"home cannot be reached at http://127\.0\.0\.1:1/v1 \(ConnectError\)"):
        provider.check(url="http://127.0.0.1:1/v1")
