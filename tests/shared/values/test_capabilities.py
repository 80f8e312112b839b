"""What each model takes and makes."""

import pytest

from local.parts import SERVER_SETTINGS, SMALL_MODEL
from shared.values.capabilities import WORDS_ONLY, Made, Taken, capabilities_of, taken_as
from shared.values.usage import PRICES


@pytest.mark.parametrize("model", ["gemini-3.8-flash", "gemini-3.5-flash-lite", "gemini-9-ultra", "Gemini-3.8-Flash"])
def test_a_gemini_that_plans_takes_everything_and_makes_text(model: str) -> None:
    found = capabilities_of(model)
    assert found.takes == frozenset(Taken)
    assert found.makes == {Made.TEXT}


@pytest.mark.parametrize(
    ("model", "made"),
    [
        ("gemini-3.8-flash-tts", {Made.SPEECH}),
        ("gemini-3.8-flash-lite-tts", {Made.SPEECH}),
        ("gemini-2.5-pro-preview-tts", {Made.SPEECH}),
        ("gemini-3.1-flash-image", {Made.TEXT, Made.PICTURES}),
        ("gemini-3-pro-image-preview", {Made.TEXT, Made.PICTURES}),
        ("gemini-nano-banana-2.1", {Made.TEXT, Made.PICTURES}),
        ("gemini-3.5-transcribe", {Made.TEXT}),
        ("gemini-embedding-2", {Made.VECTORS}),
        ("gemini-2.5-flash-native-audio-preview-12-2025", set()),
    ],
)
def test_the_others_make_what_their_names_say(model: str, made: set[Made]) -> None:
    assert capabilities_of(model).makes == made


@pytest.mark.parametrize("model", ["models/gemini-3.8-flash", "publishers/google/models/gemini-3.8-flash"])
def test_whose_a_model_is_does_not_matter(model: str) -> None:
    assert capabilities_of(model) == capabilities_of("gemini-3.8-flash")


@pytest.mark.parametrize("model", [SMALL_MODEL, SERVER_SETTINGS["LULL_MODEL"], "judge", ""])
def test_what_is_not_known_is_given_words_and_gives_words(model: str) -> None:
    assert capabilities_of(model) == WORDS_ONLY
    assert not WORDS_ONLY.takes
    assert WORDS_ONLY.makes == {Made.TEXT}


def test_each_model_with_a_price_makes_something() -> None:
    assert all(capabilities_of(model).makes for model in PRICES)


@pytest.mark.parametrize(
    ("mime_type", "taken"),
    [
        ("image/webp", Taken.PICTURES),
        ("IMAGE/PNG", Taken.PICTURES),
        ("audio/ogg; codecs=opus", Taken.SOUND),
        ("video/mp4", Taken.FILMS),
        ("application/pdf", Taken.PDF),
        ("application/zip", None),
        ("text/plain", Taken.TEXT),
        ("", None),
    ],
)
def test_a_file_is_known_by_its_type(mime_type: str, taken: Taken | None) -> None:
    assert taken_as(mime_type) is taken
    assert capabilities_of("gemini-3.8-flash").takes_type(mime_type) is (taken is not None)
    assert not WORDS_ONLY.takes_type(mime_type)


def test_a_model_for_pictures_hears_nothing() -> None:
    model = capabilities_of("gemini-3.1-flash-image")
    assert model.takes_type("image/jpeg")
    assert not model.takes_type("audio/wav")
