"""Pictures: upright, small, and without a trace of who took them."""

from io import BytesIO

import pytest
from PIL import Image

from shared.base.errors import FileUnusable
from shared.reader.decode.decode_options import FRAMES
from shared.reader.decode.kinds import real_type
from shared.reader.decode.pictures import as_jpeg, prepared_picture
from shared.reader.decode.sentences import BROKEN, TOO_LARGE_PICTURE
from shared.values.prepared import PreparedFile
from tests.shared.reader.decode import files


def prepared(content: bytes, side: int = 1_280) -> PreparedFile:
    return prepared_picture(content, real_type(content), side, FRAMES)


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_where_it_was_taken_is_gone(format: str) -> None:
    content = files.photo(format=format)
    assert files.SECRET.encode() in content
    (part,) = prepared(content).parts
    assert files.SECRET.encode() not in part.content
    assert (part.mime_type, dict(files.image_of(part.content).getexif())) == ("image/jpeg", {})


def test_it_is_made_small_and_no_picture_is_made_larger() -> None:
    found = prepared(files.photo(3_000, 1_500), 512)
    assert (files.image_of(found.parts[0].content).size, found.facts.width) == ((512, 256), 3_000)
    assert files.image_of(prepared(files.photo(60, 40)).parts[0].content).size == (60, 40)


@pytest.mark.parametrize("size", [(60, 40), (3_000, 2_000)])
def test_it_stands_upright(size: tuple[int, int]) -> None:
    # turned by 90 degrees clockwise: the left side becomes the top
    found = prepared(files.photo(*size, orientation=6))
    image = files.image_of(found.parts[0].content)
    assert (found.facts.width, found.facts.height) == size[::-1]
    assert image.width < image.height
    top, bottom = (image.getpixel((image.width // 2, y)) for y in (2, image.height - 3))
    assert isinstance(top, tuple)
    assert isinstance(bottom, tuple)
    assert (top[0] > 150 > top[2], bottom[2] > 150 > bottom[0]) == (True, True)


def test_what_is_transparent_is_white() -> None:
    (part,) = prepared(files.photo(format="PNG", mode="RGBA")).parts
    assert files.image_of(part.content).getpixel((5, 20)) == pytest.approx((255, 255, 255), abs=3)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "I;16", "CMYK", "F"])
def test_colours_of_any_kind_are_taken(mode: str) -> None:
    image = Image.new("L", (20, 10), 128).convert("I" if mode == "I;16" else mode)
    image = image.convert(mode) if mode == "I;16" else image
    assert files.image_of(as_jpeg(image, 10)).size == (10, 5)


@pytest.mark.parametrize("format", ["GIF", "WEBP"])
def test_of_what_moves_a_few_pictures_are_taken(format: str) -> None:
    found = prepared(files.moving(12, format=format))
    reds = [files.image_of(part.content).getpixel((12, 12)) for part in found.parts]
    assert (len(reds), found.facts.frames) == (4, 4)
    assert [pixel[0] for pixel in reds if isinstance(pixel, tuple)] == pytest.approx([20, 80, 140, 200], abs=8)


def test_one_that_only_could_move_is_one_picture() -> None:
    found = prepared(files.moving(1))
    assert (len(found.parts), found.facts.frames) == (1, 0)


@pytest.mark.parametrize("size", [(60_000, 60_000), (10_000, 6_000)])
def test_a_bomb_is_refused_before_it_is_decoded(size: tuple[int, int]) -> None:
    with pytest.raises(FileUnusable) as failure:
        prepared(files.bomb(*size))
    assert str(failure.value) == TOO_LARGE_PICTURE.format(most=50)


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "AVIF", "GIF"])
def test_a_broken_one_is_a_sentence(format: str) -> None:
    content = files.photo(format=format) if format != "GIF" else files.moving(1)
    broken = content[: max(24, len(content) // 3)]
    with pytest.raises(FileUnusable) as failure:
        prepared(broken)
    assert str(failure.value) == BROKEN.format(name=real_type(broken).name)


def test_a_gif_of_very_many_frames_is_looked_into_only_so_far() -> None:
    assert len(prepared(files.endless_gif(100_000)).parts) == 4


def test_a_picture_has_nothing_but_what_pillow_writes() -> None:
    (part,) = prepared(files.photo()).parts
    assert set(Image.open(BytesIO(part.content)).info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
