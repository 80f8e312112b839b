"""Sample media: a tone that can be played and a picture that can be shown."""

import base64
import wave
from io import BytesIO

import pytest

from local.gemini.samples import RATE, SECONDS, SIDE, blob, made_for, picture, tone
from local.telegram.images import picture_size


def test_the_tone_is_heard() -> None:
    with wave.open(BytesIO(tone())) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        assert file.getnframes() == int(RATE * SECONDS)
        assert len(set(file.readframes(file.getnframes()))) > 50


def test_the_picture_is_one() -> None:
    assert picture_size(picture()) == (SIDE, SIDE)


@pytest.mark.parametrize(
    ("modalities", "made"),
    [(["AUDIO"], "audio/wav"), (["TEXT", "IMAGE"], "image/png"), (["TEXT"], ""), ("AUDIO", ""), (None, "")],
)
def test_a_request_gets_what_it_asks_for(modalities: object, made: str) -> None:
    found = made_for({"generationConfig": {"responseModalities": modalities}})
    assert [one["mime_type"] for one in found] == ([made] if made else [])
    assert made_for({"generationConfig": []}) == made_for({}) == []


def test_a_blob_is_its_bytes_in_base64() -> None:
    assert base64.b64decode(blob("audio/wav", b"\0\xff")["data"]) == b"\0\xff"
