"""Decodes animated stickers (`.tgs`, gzipped Lottie): unpacks and checks them within limits, and draws a few frames.

Telegram allows 64 KiB, three seconds at 60 frames a second, and 512 pixels (core.telegram.org/stickers). The limits
here are wider, since Telegram does not guarantee what a file contains.
"""

import json
import zlib
from typing import Any, Final

from PIL import Image
from thorvg_python.animation.lottie import LottieAnimation
from thorvg_python.base import Result
from thorvg_python.canvas.sw import SwCanvas
from thorvg_python.engine import Engine

from shared.base.errors import FileUnsupported, FileUnusable
from shared.reader.decode.kinds import DetectedType
from shared.reader.decode.pictures import as_jpeg
from shared.reader.decode.sentences import BROKEN, NO_STICKER, TOO_MUCH_STICKER, UNPACKS
from shared.values.prepared import FileFacts, PreparedFile, PreparedPart

MOST_UNPACKED: Final = 4_194_304
MOST_FRAMES: Final = 3_600
#: the maximum number of JSON objects in a sticker: layers, shapes and assets together
MOST_OBJECTS: Final = 50_000
MOST_LAYERS: Final = 1_000
MOST_SIDE: Final = 4_096
SIDE: Final = 512
_GZIP: Final = 16 + zlib.MAX_WBITS


def prepared_sticker(content: bytes, real: DetectedType, frames: int) -> PreparedFile:
    """Return pictures of an animated sticker at equal intervals. Raises FileUnusable."""
    lottie = _validate(_unpack(content), real)
    count = int(lottie["op"] - lottie["ip"])
    places = [count * (2 * number + 1) / (2 * frames) for number in range(frames)]
    pictures = _draw(json.dumps(_sanitize(lottie)).encode(), places, real)
    facts = FileFacts(
        type=real.mime_type,
        width=int(lottie["w"]),
        height=int(lottie["h"]),
        duration_s=round(count / lottie["fr"], 2),
        frames=len(pictures),
    )
    return PreparedFile(parts=tuple(PreparedPart("image/jpeg", one) for one in pictures), facts=facts)


def _unpack(content: bytes) -> bytes:
    """Unpack a gzip file. Raises FileUnusable, also if the result is larger than the limit."""
    unpacking = zlib.decompressobj(_GZIP)
    try:
        found = unpacking.decompress(content, MOST_UNPACKED)
    except zlib.error as cause:
        raise FileUnsupported(NO_STICKER) from cause
    if unpacking.unconsumed_tail:
        raise FileUnusable(UNPACKS)
    return found


def _validate(text: bytes, real: DetectedType) -> dict[str, Any]:
    """Return the animation. Raises FileUnusable unless its size and length are numbers within the limits."""
    try:
        found = json.loads(text)
        if not isinstance(found, dict) or "layers" not in found:
            raise FileUnsupported(NO_STICKER)
        numbers = [float(found[key]) for key in ("ip", "op", "fr", "w", "h")]
    except (ValueError, TypeError, KeyError, RecursionError) as cause:
        named = NO_STICKER if not text.lstrip().startswith(b"{") else BROKEN.format(name=real.name)
        raise FileUnusable(named) from cause
    begin, end, rate, width, height = numbers
    is_bounded = 0 < end - begin <= MOST_FRAMES and 0 < rate <= 240 and min(width, height) > 0
    if not is_bounded or max(width, height) > MOST_SIDE or not _is_small(found):
        raise FileUnusable(TOO_MUCH_STICKER)
    return found | dict(zip(("ip", "op", "fr", "w", "h"), numbers, strict=True))


def _is_small(lottie: dict[str, Any]) -> bool:
    layers = objects = 0
    waiting: list[Any] = [lottie]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting.extend(one)
        elif isinstance(one, dict):
            objects += 1
            found = one.get("layers")
            layers += len(found) if isinstance(found, list) else 0
            waiting.extend(one.values())
        if layers > MOST_LAYERS or objects > MOST_OBJECTS:
            return False
    return True


def _sanitize(lottie: dict[str, Any]) -> dict[str, Any]:
    """Remove scripts and the names of files, which Telegram's stickers do not have."""
    assets = lottie.get("assets")
    kept = [one for one in assets if isinstance(one, dict) and "p" not in one] if isinstance(assets, list) else []
    harmless: dict[str, Any] = _without_scripts(lottie | {"assets": kept, "fonts": {}, "chars": []})
    return harmless


def _without_scripts(value: Any) -> Any:
    """Remove scripts: expressions, which are texts under the key `x`."""
    if isinstance(value, list):
        return [_without_scripts(one) for one in value]
    if isinstance(value, dict):
        return {k: _without_scripts(v) for k, v in value.items() if not (k == "x" and isinstance(v, str))}
    return value


def _draw(lottie: bytes, places: list[float], real: DetectedType) -> list[bytes]:
    """Draw the animation at the frame numbers in `places`, as JPEGs. Raises FileUnusable."""
    engine = Engine(threads=0)
    canvas = SwCanvas(engine)
    canvas.set_target(SIDE, SIDE)
    animation = LottieAnimation(engine)
    picture = animation.get_picture()
    if picture is None or picture.load_data(lottie, "lottie", None, True) != Result.SUCCESS:
        raise FileUnusable(BROKEN.format(name=real.name))
    _, width, height = picture.get_size()
    scale = SIDE / max(width, height, 1.0)
    picture.set_size(width * scale, height * scale)
    canvas.add(picture)
    drawn = []
    for place in places:
        animation.set_frame(place)
        canvas.update()
        canvas.draw(True)
        canvas.sync()
        whole: Image.Image = canvas.get_pillow()
        drawn.append(as_jpeg(whole.crop((0, 0, round(width * scale), round(height * scale))), SIDE))
    return drawn
