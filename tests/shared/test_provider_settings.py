"""Settings of providers: addresses, keys, and models of theirs."""

import json
from collections.abc import Iterator

import pytest

from shared.base.errors import InvalidSettings
from shared.values.agent import Codec
from shared.values.capabilities import InputKind, capabilities_of, set_capabilities
from shared.values.usage import Price, price_of, set_prices
from shared.wiring.settings.model_functions import ModelSettings, SummarizeSettings, TickSettings
from tests.shared.examples import NOW
from tests.shared.test_settings import SUMMARIZE, TICK, complaint

GROQ = "groq:llama-3.3-70b-versatile"
WITHOUT_GEMINI = {name: value for name, value in TICK.items() if name != "GEMINI_API_KEY"}
AT_GROQ = WITHOUT_GEMINI | {"GROQ_API_KEY": "gsk", "LULL_MODEL": GROQ, "LULL_LIMITS": "no"}
HERE = WITHOUT_GEMINI | {
    "LULL_MODEL": "ollama:qwen3:1.7b",
    "LULL_PROVIDERS": '{"ollama": "http://localhost:11434/v1"}',
}


@pytest.fixture(autouse=True)
def the_tables_alone() -> Iterator[None]:
    yield
    set_prices({})
    set_capabilities({})


def test_without_gemini_the_models_that_are_not_set_are_none() -> None:
    found = TickSettings.from_environment(AT_GROQ)
    assert found.named_models == found.offered_models == (GROQ,)
    assert (found.search, found.has_gemini) == ("no", False)
    without_key = {name: value for name, value in SUMMARIZE.items() if name != "GEMINI_API_KEY"}
    assert SummarizeSettings.from_environment(without_key | {"LULL_PROVIDERS": '{"groq": ""}'}).named_models == ()


def test_with_gemini_they_are_geminis() -> None:
    found = TickSettings.from_environment(AT_GROQ | {"GEMINI_API_KEY": "key"})
    assert [name.partition("-")[0] for name in found.named_models] == ["groq:llama", *["gemini"] * 3]
    over_vertex = TickSettings.from_environment(AT_GROQ | {"GOOGLE_GENAI_USE_ENTERPRISE": "yes"})
    assert over_vertex.named_models == found.named_models


@pytest.mark.parametrize("more", [{"LULL_MODEL": ""}, {"LULL_JUDGE_MODEL": "gemini-3.5-flash-lite"}])
def test_a_model_of_geminis_needs_its_key(more: dict[str, str]) -> None:
    assert complaint(TickSettings, AT_GROQ | more | {"LULL_PROVIDERS": "{}"}).startswith("GEMINI_API_KEY is not set")


def test_a_key_of_the_setting_goes_before_that_of_a_tool() -> None:
    keys = '{"groq": "gsk-own", "home": "h"}'
    env = AT_GROQ | {"LULL_PROVIDER_KEYS": keys, "LULL_PROVIDERS": '{"home": "https://llm.my.net/v1/"}'}
    found = TickSettings.from_environment(env | {"HOME_API_KEY": "other"})
    assert (found.access_to("groq").url, found.access_to("groq").key) == ("https://api.groq.com/openai/v1", "gsk-own")
    assert (found.access_to("home").host, found.access_to("home").key) == ("llm.my.net", "h")
    assert "gsk-own" not in repr(found)
    assert "gsk-own" not in repr(found.access_to("groq"))


def test_a_provider_may_have_a_dash_and_a_key_in_a_variable() -> None:
    env = AT_GROQ | {"LULL_PROVIDERS": '{"my-net": "https://llm.my.net/v1"}', "MY_NET_API_KEY": "k"}
    assert TickSettings.from_environment(env).access_to("my-net").key == "k"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"GROQ_API_KEY": ""}, "LULL_MODEL is wrong (`groq` needs a key: set GROQ_API_KEY, or add it to"),
        (
            {"LULL_MODEL": "ollama:qwen3"},
            "LULL_MODEL is wrong (`ollama` has no address: add it to LULL_PROVIDERS, s",
        ),
        ({"LULL_MODEL": "grok:llama"}, "LULL_MODEL is wrong (there is no such provider; did you mean `groq`?)"),
        ({"LULL_MODEL": "groq:"}, "LULL_MODEL is wrong (write a model's name after `groq:`)"),
        ({"LULL_MODELS": f"{GROQ}, mistrl:m"}, "LULL_MODELS is wrong (there is no such provider; did you mean `mistr"),
        (
            {"LULL_PROVIDERS": '{"home": ""}'},
            "LULL_PROVIDERS is wrong (`home` has no address; only these need none: ",
        ),
        ({"LULL_PROVIDERS": '{"grok": ""}'}, "LULL_PROVIDERS is wrong (`grok` has no address; did you mean `groq`?)"),
        (
            {"LULL_PROVIDERS": '{"gemini": "https://x.y"}'},
            "LULL_PROVIDERS is wrong (remove `gemini`: GEMINI_API_KEY",
        ),
        ({"LULL_PROVIDERS": '{"a:b": "https://x.y"}'}, "LULL_PROVIDERS is wrong (write a name in lowercase"),
        ({"LULL_PROVIDERS": '{"home": "x.y"}'}, "LULL_PROVIDERS is wrong (write a name in lowercase letters"),
        ({"LULL_PROVIDERS": "groq"}, "LULL_PROVIDERS is wrong (write a JSON object)"),
        (
            {"LULL_PROVIDER_KEYS": '{"opnai": "k"}'},
            "LULL_PROVIDER_KEYS is wrong (there is a key for a provider that is not",
        ),
        ({"LULL_PROVIDER_KEYS": "groq"}, "LULL_PROVIDER_KEYS is wrong (write a JSON object)"),
        ({"LULL_SEARCH": "google"}, "LULL_SEARCH is wrong (`google` searches through Gemini, which needs a key: write"),
        ({"LULL_SPEECH_MODEL": GROQ}, "LULL_SPEECH_MODEL is wrong (write `no`, or a model that makes speech, such as"),
        ({"LULL_MODEL": "groq:playai-tts"}, "LULL_MODEL is wrong (write a model that answers with text, such as"),
        ({"LULL_MODELS": f"{GROQ},groq:bge-m3"}, "LULL_MODELS is wrong (write a model that answers with text, such"),
        ({"LULL_MEDIA_MODEL": GROQ}, "LULL_MEDIA_MODEL is wrong (write `no`, or a model that reads files and"),
        (
            {"LULL_EMBEDDING_MODEL": "groq:gpt-5"},
            "LULL_EMBEDDING_MODEL is wrong (write `no`, or a model that makes v",
        ),
        (
            {"LULL_CAPABILITIES": '{"groq:x": {"take": 1}}'},
            "LULL_CAPABILITIES is wrong (for each model, write some of `cont",
        ),
    ],
)
def test_what_cannot_work_is_refused_in_one_line(more: dict[str, str], said: str) -> None:
    text = complaint(TickSettings, AT_GROQ | more)
    assert text.startswith(said)
    assert len(text.splitlines()) == 1


@pytest.mark.parametrize("name", ["sk-S3CRET", "S3CRET"])
def test_a_key_in_the_place_of_a_name_is_not_repeated(name: str) -> None:
    said = complaint(TickSettings, AT_GROQ | {"LULL_PROVIDER_KEYS": json.dumps({name: "S3CRET"})})
    assert "S3CRET" not in said
    assert "set its address in LULL_PROVIDERS" in said


def test_a_model_elsewhere_needs_a_price_under_its_whole_name() -> None:
    env = AT_GROQ | {"LULL_LIMITS": "yes"}
    with pytest.raises(InvalidSettings, match=r"LULL_MODEL names a model whose price .* LULL_PRICES"):
        TickSettings.from_environment(env | {"LULL_PRICES": '{"llama-3.3-70b-versatile": {"prompt": 1, "output": 1}}'})
    TickSettings.from_environment(env | {"LULL_PRICES": json.dumps({GROQ: {"prompt": 0.59, "output": 0.79}})})
    assert price_of(GROQ, NOW) == Price(0.59, 0.59, 0.79)
    assert price_of("llama-3.3-70b-versatile", NOW) is None


def test_a_model_of_a_provider_without_an_address_is_told_as_one() -> None:
    said = complaint(TickSettings, TICK | {"LULL_MODEL": "my-net:llama"})
    assert "if the part before `:` is a provider, set its address in LULL_PROVIDERS" in said


def test_a_model_on_this_machine_costs_nothing_unless_a_price_is_given() -> None:
    found = TickSettings.from_environment(HERE)
    assert (found.limits, found.access_to("ollama").is_local) == (True, True)
    assert price_of("ollama:qwen3:1.7b", NOW) == Price(0, 0, 0)
    TickSettings.from_environment(HERE | {"LULL_PRICES": '{"ollama:qwen3:1.7b": {"prompt": 1, "output": 2}}'})
    assert price_of("ollama:qwen3:1.7b", NOW) == Price(1, 1, 2)
    elsewhere = HERE | {"LULL_PROVIDERS": '{"ollama": "http://nas.lan:11434/v1"}'}
    assert complaint(TickSettings, elsewhere).startswith("LULL_MODEL names a model whose price")


def test_what_a_model_can_do_is_said_where_lull_does_not_know_it() -> None:
    row = {"context": 32000, "takes": ["pictures"], "schema": True, "codec": "json"}
    env = AT_GROQ | {"LULL_MODEL": "groq:new", "LULL_MEDIA_MODEL": "groq:new"}
    ModelSettings.from_environment(env | {"LULL_CAPABILITIES": json.dumps({"Groq:new": row})})
    found = capabilities_of("groq:new")
    assert (found.context, found.takes, found.schema) == (32000, frozenset({InputKind.PICTURES}), True)
    assert (found.tools, found.codec) == (False, Codec.JSON)


@pytest.mark.parametrize(
    ("more", "model"),
    [
        ({}, "gemini-3.5-flash-lite"),
        ({"LULL_MODELS": "groq:other, gemini-3.6-flash"}, "gemini-3.6-flash"),
        ({"LULL_SEARCH": "no"}, ""),
    ],
)
def test_google_is_asked_through_a_model_of_geminis(more: dict[str, str], model: str) -> None:
    assert TickSettings.from_environment(AT_GROQ | {"GEMINI_API_KEY": "key"} | more).search_model == model
