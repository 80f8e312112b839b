"""Decodes pictures, and encodes them anew as small upright JPEGs, so that nothing but the pixels of a file remains."""

import struct
from collections.abc import Iterator
from io import BytesIO
from typing import Final

from PIL import Image, ImageOps

from shared.base.errors import FileUnsupported, FileUnusable
from shared.reader.decode.kinds import DetectedType
from shared.reader.decode.sentences import BROKEN, TOO_LARGE_PICTURE
from shared.values.prepared import FileFacts, PreparedFile, PreparedPart

MOST_PIXELS: Final = 50_000_000
QUALITY: Final = 85
#: the maximum frames of an animation that are read; and below, the maximum pixels of these frames together
MOST_FRAMES: Final = 500
MOST_MOVING_PIXELS: Final = 300_000_000
#: the colour behind transparent pixels
_BACKDROP: Final = "white"

_TOO_LARGE: Final = TOO_LARGE_PICTURE.format(most=MOST_PIXELS // 1_000_000)

# Pillow warns at its limit and refuses at twice that limit; the limit of this module is reached first
Image.MAX_IMAGE_PIXELS = 2 * MOST_PIXELS
#: the exceptions that Pillow raises for broken files, such as SyntaxError for PNGs and RuntimeError for AVIFs
BROKEN_PICTURE: Final = (OSError, ValueError, SyntaxError, EOFError, IndexError, RuntimeError, struct.error)


def prepared_picture(content: bytes, real: DetectedType, side: int, frames: int) -> PreparedFile:
    """Return a picture with no side longer than `side`; or, of an animation, several pictures. Raises FileUnusable."""
    try:
        with Image.open(BytesIO(content), formats=(real.format,)) as image:
            width, height = _size(image)
            pictures = list(_moments(image, frames, side)) if getattr(image, "is_animated", False) else []
            pictures = pictures if len(pictures) > 1 else [as_jpeg(image, side)]
    except Image.DecompressionBombError as cause:
        raise FileUnsupported(_TOO_LARGE) from cause
    except BROKEN_PICTURE as cause:
        raise FileUnusable(BROKEN.format(name=real.name)) from cause
    facts = FileFacts(type=real.mime_type, width=width, height=height, frames=len(pictures) if len(pictures) > 1 else 0)
    return PreparedFile(parts=tuple(PreparedPart("image/jpeg", one) for one in pictures), facts=facts)


def as_jpeg(image: Image.Image, side: int) -> bytes:
    """Return an image as an upright JPEG on white, without metadata and with no side longer than `side`."""
    image.draft("RGB", (side, side))  # decodes a JPEG at about the size needed
    if image.mode in {"P", "PA", "1", "I", "F"} or image.mode.startswith("I;"):
        image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    turned = ImageOps.exif_transpose(_shrink(image, side))
    upright = turned.convert("RGBA" if turned.has_transparency_data else "RGB")
    if upright.mode == "RGBA":
        upright = Image.alpha_composite(Image.new("RGBA", upright.size, _BACKDROP), upright).convert("RGB")
    clean = Image.frombytes("RGB", upright.size, upright.tobytes())
    out = BytesIO()
    clean.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()


def _size(image: Image.Image) -> tuple[int, int]:
    """Return an image's width and height when upright, without decoding it. Raises FileUnusable if it is too large."""
    width, height = image.size
    if width * height > MOST_PIXELS:
        raise FileUnsupported(_TOO_LARGE)
    is_on_its_side = image.getexif().get(0x0112) in {5, 6, 7, 8}
    return (height, width) if is_on_its_side else (width, height)


def _shrink(image: Image.Image, side: int) -> Image.Image:
    """Return a smaller copy of an image, which keeps the tag for its orientation."""
    longest = max(image.size)
    if longest <= side:
        image.load()
        return image
    width, height = (max(1, round(length * side / longest)) for length in image.size)
    small = image.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=2.0)
    small.info = dict(image.info)
    small.getexif().update(image.getexif())
    return small


def _moments(image: Image.Image, frames: int, side: int) -> Iterator[bytes]:
    """Yield frames taken from an animation at equal intervals, within the limits."""
    pixels = max(1, image.size[0] * image.size[1])
    within = _length(image, max(1, min(MOST_FRAMES, MOST_MOVING_PIXELS // pixels)))
    count = min(frames, within)
    for place in sorted({within * (2 * number + 1) // (2 * count) for number in range(count)}):
        image.seek(place)
        yield as_jpeg(image, side)


def _length(image: Image.Image, most: int) -> int:
    """Return the number of frames, at most `most`. Later frames, which may be broken, are not read."""
    for number in range(1, most):
        try:
            image.seek(number)
        except (EOFError, OSError, ValueError):
            return number
    return most
