from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from local import model_servers
from local.model_choice import OWN, with_local_model
from local.options import CannotStart, LocalOptions, options_from
from local.parts import Backend
from tests.local.serving import serving

MODELS = ("qwen3:8b", "qwen3:14b", "llama3.2:3b")


@pytest.fixture(autouse=True)
def _patient() -> Iterator[None]:
    """Give servers enough time on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model_servers, "LIMIT_S", 30)
        yield


@pytest.fixture(scope="module")
def ollama() -> Iterator[Mapping[str, str]]:
    """Run a server that lists its models, which are never used here."""

    async def listed(_: object) -> JSONResponse:
        return JSONResponse({"object": "list", "data": [{"id": model} for model in MODELS]})

    with serving(Starlette(routes=[Route("/v1/models", listed)])) as url:
        yield {"Ollama": url}


class Person:
    """A person at the terminal who chooses the entry at a fixed place in the list."""

    def __init__(self, takes: int) -> None:
        self.takes = takes
        self.was_offered: list[str] = []
        self.was_told: list[str] = []

    def ask(self, offered: Sequence[str]) -> int:
        self.was_offered = list(offered)
        return self.takes


def options(data: Path, **env: str) -> LocalOptions:
    return options_from({"LULL_DATA": str(data), **env})


def test_what_is_found_is_offered_by_name_and_the_choice_is_remembered(
    tmp_path: Path, ollama: Mapping[str, str]
) -> None:
    person = Person(takes=2)
    chosen = with_local_model(options(tmp_path), person.was_told.append, person.ask, ollama)
    assert person.was_offered == [*(f"{model} (Ollama)" for model in MODELS), OWN]
    assert chosen.backend is Backend.SERVER
    assert chosen.server
    assert (chosen.server.name, chosen.server.model, chosen.server.url) == ("Ollama", MODELS[2], ollama["Ollama"])
    assert chosen.spec().arguments["model"][-3:] == ("--model", MODELS[2], "--embed-ahead")

    again = Person(takes=0)
    assert with_local_model(options(tmp_path), again.was_told.append, again.ask, ollama).server == chosen.server
    assert again.was_offered == []
    with_local_model(options(tmp_path, LULL_LOCAL_MODEL="ask"), again.was_told.append, again.ask, ollama)
    assert again.was_offered == person.was_offered


def test_what_was_chosen_answers_where_it_cannot_be_asked_again(tmp_path: Path, ollama: Mapping[str, str]) -> None:
    """`LULL_LOCAL_MODEL=ask make up` asks in its terminal, and starts the cloud in the background from the
    same shell.
    """
    given = options(tmp_path, LULL_LOCAL_MODEL="ask")
    person = Person(takes=1)
    chosen = with_local_model(given, person.was_told.append, person.ask, ollama)
    assert with_local_model(given, person.was_told.append, None, ollama).server == chosen.server
    assert person.was_told == []


def test_the_model_that_lull_downloads_is_a_choice_too(tmp_path: Path, ollama: Mapping[str, str]) -> None:
    person = Person(takes=len(MODELS))
    for _ in range(2):
        assert with_local_model(options(tmp_path), person.was_told.append, person.ask, ollama).backend is Backend.SMALL
        person.takes = 0  # this person would choose another model now, but is not asked again


def test_where_nobody_can_be_asked_it_is_said(tmp_path: Path, ollama: Mapping[str, str]) -> None:
    said: list[str] = []
    assert with_local_model(options(tmp_path), said.append, None, ollama).backend is Backend.SMALL
    assert said == ["Ollama also has qwen3:8b. To use it, set LULL_LOCAL_MODEL=qwen3:8b."]
    assert not list(tmp_path.iterdir())


def test_without_a_server_nothing_is_asked(tmp_path: Path) -> None:
    person = Person(takes=0)
    given = options(tmp_path)
    assert with_local_model(given, person.was_told.append, person.ask, {"Ollama": "http://127.0.0.1:9"}) is given
    assert (person.was_offered, person.was_told) == ([], [])


def test_a_server_that_wants_a_key_is_told_and_is_no_reason_to_ask(tmp_path: Path) -> None:
    """As LM Studio 0.4 with `Require Authentication` does (lmstudio.ai/docs/developer/core/authentication)."""

    async def refused(_: object) -> JSONResponse:
        return JSONResponse({"error": {"type": "invalid_request", "code": "invalid_api_key", "message": "…"}}, 401)

    with serving(Starlette(routes=[Route("/v1/models", refused)])) as url:
        person, sentence = Person(takes=0), f"LM Studio at {url} requires a key: set LULL_LOCAL_MODEL_KEY."
        with_local_model(options(tmp_path), person.was_told.append, person.ask, {"LM Studio": url})
        assert (person.was_offered, person.was_told) == ([], [sentence])
        with pytest.raises(CannotStart, match=r"available: none\. The server at .* requires a key"):
            with_local_model(options(tmp_path, LULL_LOCAL_MODEL=f"{url}#qwen3"), print, None, {})


def test_a_model_is_named(tmp_path: Path, ollama: Mapping[str, str]) -> None:
    url = ollama["Ollama"]
    for name in ("llama3.2:3b", "LLAMA", f"{url}#llama3", f"{url}/v1#llama3.2:3b"):
        chosen = with_local_model(options(tmp_path, LULL_LOCAL_MODEL=name), print, None, ollama)
        assert chosen.server
        assert chosen.server.model == "llama3.2:3b"
    remembered = with_local_model(options(tmp_path), print, None, ollama)
    assert remembered.server == chosen.server
    assert with_local_model(options(tmp_path, LULL_LOCAL_MODEL="small"), print, None, ollama).server is None


def test_any_gguf_file_is_named_and_remembered_while_it_is_there(tmp_path: Path, ollama: Mapping[str, str]) -> None:
    file = tmp_path / "mine.gguf"
    file.touch()
    data = tmp_path / "data"
    assert with_local_model(options(data, LULL_LOCAL_MODEL=str(file)), print, None, ollama).model_file == file
    again = with_local_model(options(data), print, None, ollama)
    assert again.spec().arguments["model"] == ("--model-file", str(file), "--embed-ahead")
    file.unlink()
    assert with_local_model(options(data), print, None, ollama).model_file is None


def test_a_model_to_download_is_named_and_remembered(tmp_path: Path, ollama: Mapping[str, str]) -> None:
    for env in ({"LULL_LOCAL_MODEL": "qwen3-1.7B"}, {}):
        chosen = with_local_model(options(tmp_path, **env), print, None, ollama)
        assert (chosen.backend, chosen.server) == (Backend.SMALL, None)
        assert chosen.spec().arguments["model"] == ("--chat-model", "qwen3-1.7b", "--embed-ahead")
    forgotten = with_local_model(options(tmp_path, LULL_LOCAL_MODEL="small"), print, None, ollama)
    assert "--chat-model" not in forgotten.spec().arguments["model"]
    (tmp_path / "local_model.json").write_text('{"chat_model": "gone"}')
    assert with_local_model(options(tmp_path), print, None, ollama).chat_model == ""


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "gemma",
            "LULL_LOCAL_MODEL=gemma is neither a file nor a model of Ollama; available: qwen3:8b, qwen3:14b, llama",
        ),
        ("gemma", "llama3.2:3b\\. lull can download: qwen3-1.7b, gemma-3-1b, qwen2.5-coder-1.5b\\."),
        ("qwen3", "LULL_LOCAL_MODEL=qwen3 fits several models of Ollama; available: qwen3:8b, qwen3:14b\\."),
        ("http://127.0.0.1:9#x", "nor a model of http://127.0.0.1:9; available: none"),
    ],
)
def test_a_name_that_is_none_is_said(tmp_path: Path, ollama: Mapping[str, str], name: str, sentence: str) -> None:
    with pytest.raises(CannotStart, match=sentence):
        with_local_model(options(tmp_path, LULL_LOCAL_MODEL=name), print, None, ollama)


def test_a_key_for_gemini_or_a_backend_that_is_named_leaves_no_choice(
    tmp_path: Path, ollama: Mapping[str, str]
) -> None:
    person = Person(takes=0)
    for env in ({"GEMINI_API_KEY": "a-key"}, {"LULL_BACKEND": "small"}, {"LULL_BACKEND": "scripted"}):
        given = options(tmp_path, **env)
        assert with_local_model(given, person.was_told.append, person.ask, ollama) is given
    assert person.was_offered == []


def test_a_port_that_the_page_is_to_have_is_not_looked_at(tmp_path: Path, ollama: Mapping[str, str]) -> None:
    person = Person(takes=0)
    port = ollama["Ollama"].rpartition(":")[2]
    with_local_model(options(tmp_path, PORT=port), person.was_told.append, person.ask, ollama)
    assert person.was_offered == []


def test_a_choice_that_cannot_be_read_is_none(tmp_path: Path, ollama: Mapping[str, str]) -> None:
    (tmp_path / "local_model.json").write_text("{")
    assert with_local_model(options(tmp_path), print, None, ollama).backend is Backend.SMALL


def test_a_key_reaches_no_file_and_no_command_line(tmp_path: Path, ollama: Mapping[str, str]) -> None:
    env = {"LULL_LOCAL_MODEL": "llama3.2:3b", "LULL_LOCAL_MODEL_KEY": "a-secret"}
    chosen = with_local_model(options(tmp_path, **env), print, None, ollama)
    assert chosen.server
    assert chosen.server.key == "a-secret"
    assert "a-secret" not in f"{chosen} {chosen.spec()} {(tmp_path / 'local_model.json').read_text()}"
