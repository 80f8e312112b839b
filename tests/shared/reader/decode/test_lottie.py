"""Animated stickers."""

import gzip
import json
from typing import Any

import pytest

from shared.base.errors import FileUnusable
from shared.reader.decode.kinds import real_type
from shared.reader.decode.lottie import MOST_UNPACKED, prepared_sticker
from shared.reader.decode.sentences import BROKEN, NO_STICKER, TOO_MUCH_STICKER, UNPACKS
from shared.values.prepared import PreparedFile
from tests.shared.reader.decode import files

LAYER = files.lottie()["layers"][0]


def prepared(content: bytes, frames: int = 3) -> PreparedFile:
    return prepared_sticker(content, real_type(content), frames)


def reds(content: bytes) -> list[int]:
    """List the columns where a picture is red."""
    image = files.image_of(content)
    row = [image.getpixel((x, image.height // 2)) for x in range(0, image.width, 8)]
    return [8 * n for n, pixel in enumerate(row) if isinstance(pixel, tuple) and pixel[0] > 180 and pixel[1] < 80]


def test_a_ball_goes_from_left_to_right() -> None:
    found = prepared(files.tgs())
    middles = [sum(columns) / len(columns) for columns in (reds(part.content) for part in found.parts)]
    assert len(middles) == 3
    assert middles[0] < 200 < middles[1] < 300 < middles[2]
    facts = found.facts
    assert (facts.width, facts.height, facts.duration_s, facts.frames) == (512, 512, 3.0, 3)


def test_its_shape_is_kept() -> None:
    (part,) = prepared(files.tgs(w=512, h=256), 1).parts
    assert files.image_of(part.content).size == (512, 256)


@pytest.mark.parametrize(
    "changes",
    [
        {"op": 1_000_000},
        {"op": 0},
        {"op": float("nan")},
        {"fr": 0},
        {"w": 100_000},
        {"layers": [LAYER] * 1_001},
        {"layers": [{"shapes": [{}] * 60_000}]},
        {"assets": [{"id": "a", "layers": [LAYER] * 600}, {"id": "b", "layers": [LAYER] * 600}]},
    ],
)
def test_one_of_too_much_is_not_drawn(changes: dict[str, Any]) -> None:
    with pytest.raises(FileUnusable) as failure:
        prepared(files.tgs(**changes))
    assert str(failure.value) == TOO_MUCH_STICKER


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (gzip.compress(bytes(MOST_UNPACKED + 1), mtime=0), UNPACKS),
        (gzip.compress(b"a letter", mtime=0), NO_STICKER),
        (gzip.compress(b"[" * 100_000, mtime=0), NO_STICKER),
        (gzip.compress(b'{"a":' * 100_000, mtime=0), BROKEN.format(name="an animated sticker")),
        (gzip.compress(b"{}", mtime=0), NO_STICKER),
        (b"\x1f\x8b and nothing of gzip", NO_STICKER),
        (files.tgs()[:100], BROKEN.format(name="an animated sticker")),
        (files.tgs(op="x"), BROKEN.format(name="an animated sticker")),
    ],
)
def test_what_is_none_is_a_sentence(content: bytes, problem: str) -> None:
    with pytest.raises(FileUnusable) as failure:
        prepared(content)
    assert str(failure.value) == problem


def test_files_and_scripts_in_it_are_left_out() -> None:
    layer = json.loads(json.dumps(LAYER))
    layer["ks"]["o"]["x"] = "while (true) {}"
    image = {"id": "i", "w": 9, "h": 9, "u": "/etc/", "p": "passwd", "e": 0}
    found = prepared(files.tgs(layers=[layer, {"ty": 2, "refId": "i", "ip": 0, "op": 180, "ks": {}}], assets=[image]))
    assert all(reds(part.content) for part in found.parts)
