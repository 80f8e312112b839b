"""Default media of the scripted model: a short tone, and a small picture."""

import base64
import math
import struct
import wave
import zlib
from io import BytesIO
from typing import Final

from local.model.calls import Json

#: Gemini's speech has the same format: 16-bit samples, mono
RATE: Final = 24_000
SECONDS, PITCH_HZ, LOUDNESS = 0.6, 440.0, 8_000
#: the picture's size in pixels
SIDE: Final = 64


def tone() -> bytes:
    """Return a tone as a WAV file; it gets louder and then softer."""
    count = int(RATE * SECONDS)
    swelling = (math.sin(math.pi * n / count) for n in range(count))
    levels = (int(LOUDNESS * loud * math.sin(2 * math.pi * PITCH_HZ * n / RATE)) for n, loud in enumerate(swelling))
    out = BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(b"".join(struct.pack("<h", level) for level in levels))
    return out.getvalue()


def picture() -> bytes:
    """Return a picture as a PNG file (w3.org/TR/png): a gradient from blue to red, darker at the bottom."""
    rows = (b"\0" + b"".join(bytes((4 * x, 90, max(0, 255 - 4 * x - y))) for x in range(SIDE)) for y in range(SIDE))
    head = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(b"".join(rows))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
        for name, content in chunks
    )


def made_for(body: Json) -> list[Json]:
    """Return the media that a request asks for in addition to text, as a list of blobs: one audio file, one picture, or
    nothing.
    """
    wanted = body.get("generationConfig")
    modalities = wanted.get("responseModalities") if isinstance(wanted, dict) else None
    named = modalities if isinstance(modalities, list) else []
    if "AUDIO" in named:
        return [blob("audio/wav", tone())]
    return [blob("image/png", picture())] if "IMAGE" in named else []


def blob(mime_type: str, content: bytes) -> Json:
    """Return a file in the format of a script's `Blob`."""
    return {"mime_type": mime_type, "data": base64.b64encode(content).decode()}
