"""Names of models: Gemini's, and those with the name of another provider."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.values.model_name import ADDRESSES, KNOWN_PROVIDERS, ModelName, parse_model_name, split_model_name
from shared.values.usage import PRICES

NAMES = st.text(alphabet="abcdefgmnoprtz0123456789.-_/", min_size=1, max_size=40)


@given(NAMES)
def test_a_bare_name_is_geminis(name: str) -> None:
    found = parse_model_name(f" {name} ")
    assert (found.provider, str(found)) == ("gemini", name.removeprefix("models/"))


@pytest.mark.parametrize("name", [*PRICES, "local", "qwen2.5-coder-1.5b", "publishers/google/models/gemini-3.8-flash"])
def test_names_of_today_stay_as_they_are(name: str) -> None:
    assert str(parse_model_name(name)) == name
    assert parse_model_name(f"models/{name}") == parse_model_name(f"gemini:{name}") == ModelName("gemini", name)


@given(st.sampled_from(sorted(KNOWN_PROVIDERS - {"gemini"})), NAMES, st.sampled_from(["", ":free", ":1.7b"]))
def test_a_known_provider_is_told_by_what_precedes_the_colon(provider: str, name: str, tag: str) -> None:
    found = parse_model_name(f"{provider.title()}:{name}{tag}")
    assert found == ModelName(provider, f"{name}{tag}")
    assert split_model_name(str(found)) == found


def test_a_configured_provider_is_one_and_no_other() -> None:
    assert parse_model_name("home:llama", ["home"]) == ModelName("home", "llama")
    assert parse_model_name("qwen3:1.7b", ["home"]) == ModelName("gemini", "qwen3:1.7b")


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("gemini-3.8-flash", "gemini-3.8-flash"),
        ("groq:llama-3.3-70b-versatile", "llama-3.3-70b-versatile (Groq)"),
        ("openrouter:meta-llama/llama-4-scout:free", "llama-4-scout:free (OpenRouter)"),
        ("home:mine", "mine (home)"),
    ],
)
def test_people_read_the_name_and_who_serves_it(name: str, label: str) -> None:
    assert split_model_name(name).label == label


def test_each_known_address_is_one_of_a_provider() -> None:
    assert ADDRESSES.keys() < KNOWN_PROVIDERS
    assert all(address.startswith("https://") and not address.endswith("/") for address in ADDRESSES.values())
