"""The input and output of each model."""

import pytest

from local.parts import SMALL_MODEL
from shared.values.agent import Codec
from shared.values.capabilities import (
    WORDS_ONLY,
    InputKind,
    OutputKind,
    capabilities_of,
    input_kind,
    prompt_tokens_at_most,
)
from shared.values.usage import PRICES


@pytest.mark.parametrize("model", ["gemini-3.8-flash", "gemini-3.5-flash-lite", "gemini-9-ultra", "Gemini-3.8-Flash"])
def test_a_gemini_that_plans_takes_everything_and_makes_text(model: str) -> None:
    found = capabilities_of(model)
    assert found.takes == frozenset(InputKind)
    assert found.makes == {OutputKind.TEXT}


@pytest.mark.parametrize(
    ("model", "made"),
    [
        ("gemini-3.8-flash-tts", {OutputKind.SPEECH}),
        ("gemini-3.8-flash-lite-tts", {OutputKind.SPEECH}),
        ("gemini-2.5-pro-preview-tts", {OutputKind.SPEECH}),
        ("gemini-3.1-flash-image", {OutputKind.TEXT, OutputKind.PICTURES}),
        ("gemini-3-pro-image-preview", {OutputKind.TEXT, OutputKind.PICTURES}),
        ("gemini-nano-banana-2.1", {OutputKind.TEXT, OutputKind.PICTURES}),
        ("gemini-3.5-transcribe", {OutputKind.TEXT}),
        ("gemini-embedding-2", {OutputKind.VECTORS}),
        ("gemini-2.5-flash-native-audio-preview-12-2025", set()),
    ],
)
def test_the_others_make_what_their_names_say(model: str, made: set[OutputKind]) -> None:
    assert capabilities_of(model).makes == made


@pytest.mark.parametrize("model", ["models/gemini-3.8-flash", "publishers/google/models/gemini-3.8-flash"])
def test_whose_a_model_is_does_not_matter(model: str) -> None:
    assert capabilities_of(model) == capabilities_of("gemini-3.8-flash")


@pytest.mark.parametrize("model", ["judge", ""])
def test_what_is_not_known_is_given_words_and_gives_words(model: str) -> None:
    assert capabilities_of(model) == WORDS_ONLY
    assert not WORDS_ONLY.takes
    assert WORDS_ONLY.makes == {OutputKind.TEXT}


def test_the_small_model_reads_and_writes_words_alone() -> None:
    can = capabilities_of(SMALL_MODEL)
    assert (can.codec, can.tools) == (Codec.TEXT, False)
    assert can.takes == {InputKind.TEXT}
    assert can.makes == {OutputKind.TEXT}


def test_each_model_with_a_price_makes_something() -> None:
    assert all(capabilities_of(model).makes for model in PRICES)


@pytest.mark.parametrize(
    ("mime_type", "taken"),
    [
        ("image/webp", InputKind.PICTURES),
        ("IMAGE/PNG", InputKind.PICTURES),
        ("audio/ogg; codecs=opus", InputKind.SOUND),
        ("video/mp4", InputKind.FILMS),
        ("application/pdf", InputKind.PDF),
        ("application/zip", None),
        ("text/plain", InputKind.TEXT),
        ("", None),
    ],
)
def test_a_file_is_known_by_its_type(mime_type: str, taken: InputKind | None) -> None:
    assert input_kind(mime_type) is taken
    assert capabilities_of("gemini-3.8-flash").takes_type(mime_type) is (taken is not None)
    assert not WORDS_ONLY.takes_type(mime_type)


def test_a_model_for_pictures_hears_nothing() -> None:
    model = capabilities_of("gemini-3.1-flash-image")
    assert model.takes_type("image/jpeg")
    assert not model.takes_type("audio/wav")


@pytest.mark.parametrize(
    ("model", "codec", "takes"),
    [
        ("groq:llama-3.3-70b-versatile", Codec.MARKDOWN, set()),
        ("openai:gpt-5.2-mini", None, {InputKind.PICTURES, InputKind.PDF}),
        ("openrouter:google/gemini-3.8-flash", None, {InputKind.PICTURES, InputKind.PDF}),
        ("mistral:voxtral-small-latest", None, {InputKind.SOUND}),
        ("home:something-new", Codec.MARKDOWN, set()),
        ("ollama:qwen3:1.7b", Codec.TEXT, set()),
        ("openrouter:meta-llama/llama-3.2-1b-instruct:free", Codec.TEXT, set()),
        ("ollama:qwen3:14b", Codec.MARKDOWN, set()),
    ],
)
def test_models_elsewhere_are_asked_as_they_can_answer(model: str, codec: Codec | None, takes: set[InputKind]) -> None:
    assert (capabilities_of(model).codec, capabilities_of(model).takes) == (codec, frozenset({InputKind.TEXT, *takes}))


def test_the_same_name_is_another_model_elsewhere() -> None:
    assert capabilities_of("openai:gemini-3.8-flash") != capabilities_of("gemini-3.8-flash")
    made = ("ollama:nomic-embed-text", "openai:gpt-4o-mini-tts", "openai:gpt-image-1")
    found = [capabilities_of(model).makes for model in made]
    assert found == [{OutputKind.VECTORS}, {OutputKind.SPEECH}, {OutputKind.PICTURES}]


def test_a_prompt_and_its_reply_fit_into_the_context() -> None:
    models = ("mistral:mistral-small-latest", "gemini-3.8-flash", "home:new")
    assert [prompt_tokens_at_most(model, 100_000, 2_000) for model in models] == [30_000, 100_000, 100_000]
    assert prompt_tokens_at_most("mistral:mistral-small-latest", 16_000, 2_000) == 16_000
