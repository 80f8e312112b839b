from dataclasses import replace
from pathlib import Path

import pytest

from local.checks import check_settings
from local.confining import confine
from local.model.upstream import ModelServer
from local.options import CannotStart, options_from
from local.parts import NO_KEY, SMALL_MODEL, TELEGRAM_API, Backend, function_env
from local.processes import ROOT
from shared.wiring.settings.model_functions import TickSettings
from tests.local.test_parts import CREDENTIALS, PLACES


def test_without_anything_the_small_model_and_a_free_port() -> None:
    options = options_from({})
    assert options.data == ROOT / ".lull"
    assert options.agents == (ROOT / "agents",)
    assert options.spec().is_on_schedule
    assert options.spec().preload
    assert (options.page_port, options.backend, options.gemini_key) == (0, Backend.SMALL, NO_KEY)
    assert (options.real_tokens, options.telegram_url) == ({}, TELEGRAM_API)


def test_a_key_means_google_and_is_passed_on() -> None:
    options = options_from({"GEMINI_API_KEY": "a-key", "GEMINI_BASE_URL": "http://127.0.0.1:1"})
    assert options.backend is Backend.GOOGLE
    assert options.spec().gemini_key == "a-key"
    assert options.spec().arguments["model"] == ("--upstream", "http://127.0.0.1:1")
    assert "a-key" not in repr(options)


@pytest.mark.parametrize(
    ("env", "server", "host"),
    [
        ({}, "", "127.0.0.1"),
        ({"LULL_BACKEND": "scripted"}, "", "127.0.0.1"),
        ({"GEMINI_API_KEY": "a-key"}, "", "generativelanguage.googleapis.com"),
        ({"GEMINI_API_KEY": "a-key", "GEMINI_BASE_URL": "https://llm.example.org:8443/v1"}, "", "llm.example.org"),
        (
            {"GEMINI_API_KEY": "a-key", "GROQ_API_KEY": "b-key", "LULL_MODEL": "groq:m", "LULL_LIMITS": "no"},
            "",
            "generativelanguage.googleapis.com",
        ),
        ({"LULL_LOCAL_MODEL": "m"}, "http://localhost:11434", "localhost"),
        ({"LULL_LOCAL_MODEL": "m"}, "http://192.168.1.5:11434", "192.168.1.5"),
    ],
)
def test_people_are_told_where_the_model_is(env: dict[str, str], server: str, host: str) -> None:
    options = options_from(env)
    if server:
        asked = ModelServer(name="Ollama", url=server, model="m")
        options = replace(options, backend=Backend.SERVER, server=asked)
    assert function_env(options.spec(), PLACES, CREDENTIALS)["LULL_MODEL_HOST"] == host


def test_what_the_shell_says_goes_into_the_spec(tmp_path: Path) -> None:
    model = tmp_path / "a.gguf"
    model.touch()
    env = {"PORT": "8080", "LULL_DATA": str(tmp_path), "LULL_AGENTS_PATH": "mine:agents", "LULL_MODEL_FILE": str(model)}
    spec = options_from(env).spec()
    assert (spec.page_port, spec.data) == (8080, tmp_path)
    assert spec.agents == (ROOT / "mine", ROOT / "agents")
    assert spec.arguments["model"] == ("--model-file", str(model), "--embed-ahead")
    with_folder = options_from(env | {"LULL_EMBEDDING_FILES": str(tmp_path), "LULL_EMBEDDING_MODEL": "no"}).spec()
    assert with_folder.arguments["model"] == ("--model-file", str(model), "--embedding-files", str(tmp_path))


def test_the_tokens_of_real_bots_by_agent() -> None:
    env = {"TELEGRAM_BOT_TOKEN": "1:a", "TELEGRAM_BOT_TOKEN_MOSS": "2:b", "TELEGRAM_BOT_TOKEN_EMPTY": ""}
    options = options_from(env | {"TELEGRAM_API_URL": "http://127.0.0.1:1/"})
    assert options.real_tokens == {"LULL": "1:a", "MOSS": "2:b"}
    assert options.telegram_url == "http://127.0.0.1:1"
    assert "1:a" not in repr(options)


@pytest.mark.parametrize(
    ("env", "sentence"),
    [
        ({"PORT": "eighty"}, "PORT=eighty is not a port; use a number from 1 to 65535"),
        ({"PORT": "70000"}, "PORT=70000 is not a port"),
        ({"LULL_BACKEND": "big"}, "LULL_BACKEND=big is unknown; use one of google, small, server, scripted"),
        ({"LULL_BACKEND": "server"}, "LULL_LOCAL_MODEL instead"),
        ({"LULL_BACKEND": "google"}, "needs GEMINI_API_KEY"),
        ({"LULL_EMBEDDING_FILES": "/nowhere"}, "LULL_EMBEDDING_FILES=/nowhere is not a folder"),
        ({"LULL_MODEL_FILE": "/nowhere.gguf"}, "LULL_MODEL_FILE=/nowhere.gguf is not a file"),
        ({"LULL_MODEL": "grok:llama-3.3-70b"}, "LULL_MODEL=grok:llama-3.3-70b is wrong: .* did you mean `groq`"),
        ({"LULL_MODEL": "hom:x", "LULL_PROVIDERS": '{"home": "http://llm.lan/v1"}'}, "did you mean `home`"),
    ],
)
def test_a_wrong_one_is_said_in_a_sentence(env: dict[str, str], sentence: str) -> None:
    with pytest.raises(CannotStart, match=sentence):
        options_from(env)


@pytest.mark.parametrize("name", ["PORT", "LULL_DATA", "LULL_BACKEND", "LULL_LOCAL_MODEL_KEY", "TELEGRAM_API_URL"])
@pytest.mark.parametrize("value", ["8080\r", " 8080", "'8080'", '"8080"', " "])
def test_what_a_file_of_settings_leaves_around_a_value_is_said(name: str, value: str) -> None:
    with pytest.raises(CannotStart, match=f"{name} has spaces, a line end or quotes around its value") as refused:
        options_from({name: value})
    assert "8080" not in str(refused.value)


def test_a_local_models_settings_are_those_of_the_shell_where_it_has_some() -> None:
    shell = {"LULL_CONTEXT_TOKENS": "12000", "LULL_REPLY_TOKENS": "2048", "LULL_MODEL": "gemini-3-flash"}
    made = function_env(options_from(shell).spec(), PLACES, CREDENTIALS)
    assert made | shell == made | {"LULL_MODEL": shell["LULL_MODEL"]}
    assert made["LULL_MODEL"] == SMALL_MODEL
    assert function_env(options_from({}).spec(), PLACES, CREDENTIALS)["LULL_CONTEXT_TOKENS"] == "6000"


def test_what_is_usual_here_the_shell_has_otherwise() -> None:
    shell = {"LULL_OPEN": "no", "LULL_LIMITS": "yes", "LULL_LOG_FORMAT": "json", "LULL_BACKEND": "scripted"}
    closed = options_from(shell)
    made = function_env(closed.spec(), PLACES, CREDENTIALS)
    assert made | shell == made | {"LULL_BACKEND": "scripted"}
    assert (closed.is_open, options_from({}).is_open, options_from({"LULL_OPEN": "YES"}).is_open) == (False, True, True)
    assert function_env(options_from({}).spec(), PLACES, CREDENTIALS)["LULL_OPEN"] == "yes"
    for said, opens in (("", False), ("no", False), (" Off ", False), ("yes", True)):
        assert options_from({"LULL_OPEN": said}).opens_real_bots is opens


def test_the_zone_of_people_who_told_none_is_this_machines_unless_the_shell_names_one() -> None:
    assert options_from({"TZ": "Europe/Kyiv"}).own_settings["LULL_ZONE"] == "Europe/Kyiv"
    assert options_from({"TZ": "Europe/Kyiv", "LULL_ZONE": "Asia/Tokyo"}).own_settings["LULL_ZONE"] == "Asia/Tokyo"


@pytest.mark.parametrize("said", ["maybe", "closed", "ja", " "])
def test_what_is_neither_yes_nor_no_opens_nothing(said: str) -> None:
    with pytest.raises(CannotStart, match=f"LULL_OPEN={said} is invalid; write yes or no"):
        options_from({"LULL_OPEN": said})


GROQ = {"GROQ_API_KEY": "gsk-key", "LULL_MODEL": "Groq:llama-3.3-70b-versatile"}
PRICES = {"LULL_PRICES": '{"groq:llama-3.3-70b-versatile": {"prompt": 0.59, "output": 0.79}}'}


def test_a_model_of_another_provider_answers_without_gemini() -> None:
    options = options_from(GROQ | {"OPENAI_API_KEY": "sk-other"})
    assert options.backend is Backend.PROVIDER
    assert options.provider is not None
    assert options.provider.label == "llama-3.3-70b-versatile (Groq)"
    assert "gsk-key" not in repr(options)
    assert "gsk-key" not in repr(options.spec())
    env = function_env(options.spec(), PLACES, CREDENTIALS)
    assert {"GEMINI_API_KEY", "GEMINI_BASE_URL"}.isdisjoint(env)
    found = TickSettings.from_environment(confine("tick", env | PRICES))
    assert (found.named_models, found.limits) == (("groq:llama-3.3-70b-versatile",), True)
    assert found.access_to("groq").key == "gsk-key"
    assert "sk-other" not in str(env)
    assert "gsk-key" not in str([confine(name, env) for name in ("reader", "webhook", "erase", "maintain")])


def test_with_geminis_key_both_are_used() -> None:
    options = options_from(GROQ | {"GEMINI_API_KEY": "a-key", "LULL_LIMITS": "yes", "LULL_PRICES": "{}"})
    assert options.backend is Backend.GOOGLE
    env = function_env(options.spec(), PLACES, CREDENTIALS)
    assert (env["GEMINI_API_KEY"], env["LULL_LIMITS"]) == ("a-key", "yes")
    assert (env["LULL_MODEL"], env["LULL_PROVIDER_KEYS"]) == ("groq:llama-3.3-70b-versatile", '{"groq": "gsk-key"}')


@pytest.mark.parametrize(
    "more", [{"LULL_BACKEND": "small"}, {"LULL_LOCAL_MODEL": "small"}, {"LULL_MODEL": "gemini-3.6-flash"}]
)
def test_what_else_names_a_model_goes_before(more: dict[str, str]) -> None:
    options = options_from(GROQ | more)
    assert (options.backend, options.provider) == (Backend.SMALL, None)


@pytest.mark.parametrize("more", [{}, {"GEMINI_API_KEY": "a-key"}])
def test_without_a_price_no_model_of_a_provider_is_called_unless_limits_are_off(more: dict[str, str]) -> None:
    with pytest.raises(CannotStart, match="price lull does not know; set its price in LULL_PRICES"):
        check_settings(options_from(GROQ | more), GROQ | more)
    for enough in (PRICES, {"LULL_LIMITS": "no"}):
        check_settings(options_from(GROQ | more | enough), GROQ | more | enough)


def test_a_provider_is_configured_in_the_shell() -> None:
    env = {"LULL_MODEL": "home:llama", "LULL_PROVIDERS": '{"home": "http://localhost:8000/v1"}'}
    check_settings(options_from(env), env)
    with pytest.raises(CannotStart, match=r"LULL_MODEL is wrong .`groq` needs a key: set GROQ_API_KEY"):
        check_settings(options_from({"LULL_MODEL": "groq:llama"}), {"LULL_MODEL": "groq:llama"})
