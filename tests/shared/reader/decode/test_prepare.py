"""The choice of a decoder, by a file's real type and its use."""

import random

import pytest

from shared.reader.decode.kinds import real_type
from shared.reader.decode.prepare import prepare_file
from shared.reader.decode.sentences import BROKEN, NOT_READ
from tests.shared.reader.decode import files

JPEG, OGG = "image/jpeg", "audio/ogg"


@pytest.mark.parametrize(
    ("kind", "content", "types"),
    [
        ("photo", files.photo(), [JPEG]),
        ("sticker", files.photo(format="WEBP"), [JPEG]),
        ("sticker", files.tgs(), [JPEG] * 3),
        ("custom_emoji", files.film(format="webm", codec="libvpx-vp9"), [JPEG] * 3),
        ("animation", files.film(), [JPEG] * 4),
        ("animation", files.moving(), [JPEG] * 4),
        ("video", files.film(), ["video/mp4"]),
        ("video_note", files.film(sound="aac"), ["video/mp4"]),
        ("voice", files.sound(), [OGG]),
        ("audio", files.sound("ipod", "aac"), [OGG]),
        ("document", files.sound("mp3", "libmp3lame"), [OGG]),
        ("document", files.film(), ["video/mp4"]),
        ("document", files.photo(format="PNG"), [JPEG]),
        ("document", files.pdf(), ["application/pdf"]),
        ("document", b"tea", []),
    ],
)
def test_a_file_becomes_what_a_model_takes(kind: str, content: bytes, types: list[str]) -> None:
    found = prepare_file(kind, "application/x-wrong", content)
    assert (found.problem, [part.mime_type for part in found.parts]) == ("", types)
    assert found.facts.type == real_type(content).mime_type


def test_a_sticker_is_smaller_than_a_photo() -> None:
    content = files.photo(2_000, 2_000)
    sizes = [files.image_of(prepare_file(kind, "", content).parts[0].content).size for kind in ("sticker", "photo")]
    assert sizes == [(512, 512), (1_280, 1_280)]


@pytest.mark.parametrize(
    ("content", "name"),
    [(b"PK\x03\x04", "a zip archive"), (b"", "an empty file"), (b"\x7fELF\x02", "a program")],
)
def test_what_is_not_opened_is_named(content: bytes, name: str) -> None:
    found = prepare_file("sticker", "image/webp", content)
    assert (found.problem, found.parts) == (NOT_READ.format(name=name), ())


def test_half_a_file_is_a_sentence_or_what_there_is() -> None:
    for content in (files.photo(), files.film(), files.tgs(), files.photo(format="PNG")):
        found = prepare_file("document", "", content[: len(content) // 2])
        assert found.problem == BROKEN.format(name=real_type(content).name)


def test_noise_within_a_file_is_never_an_error() -> None:
    chance = random.Random(13)
    for content in (files.photo(), files.moving(), files.tgs(), files.film(0.5), files.sound(seconds=0.3), files.pdf()):
        for _ in range(5):
            noisy = bytearray(content)
            for place in chance.sample(range(12, len(noisy)), 8):
                noisy[place] = chance.randrange(256)
            found = prepare_file("document", "", bytes(noisy))
            assert bool(found.problem) != bool(found.parts or found.text)


def test_of_a_long_sound_or_film_only_the_beginning_is_kept() -> None:
    sound = prepare_file("audio", "", files.wav(30.0), 10)
    assert (sound.facts.is_cut, sound.problem) == (True, "")
    (cut,) = sound.parts
    (whole,) = prepare_file("audio", "", files.wav(30.0), 60).parts
    assert len(cut.content) < len(whole.content) / 2
