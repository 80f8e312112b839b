"""Files of every kind: valid ones with private metadata, and hostile ones."""

import gzip
import json
import math
import struct
import wave
import zlib
from array import array
from collections.abc import Iterable
from io import BytesIO
from typing import Any

import av
import pypdfium2
from av.audio.frame import AudioFrame
from av.video.frame import VideoFrame
from PIL import Image

#: a mark in all places of a file where people leave traces
SECRET = "Ann of 12 Harbour Street"
RATE = 48_000


def photo(width: int = 60, height: int = 40, *, format: str = "JPEG", mode: str = "RGB", orientation: int = 1) -> bytes:
    """Make a picture, red on the left and blue on the right, whose EXIF has a place."""
    image = Image.new(mode, (width, height), (200, 0, 0) if mode == "RGB" else (200, 0, 0, 0))
    image.paste((0, 0, 200) if mode == "RGB" else (0, 0, 200, 255), (width // 2, 0, width, height))
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = orientation, SECRET
    exif.get_ifd(0x8825).update({1: "N", 2: (48.0, 12.0, 0.0)})
    out = BytesIO()
    image.save(out, format, exif=exif)
    return out.getvalue()


def moving(frames: int = 12, *, format: str = "GIF", side: int = 24) -> bytes:
    """Make an animated picture."""
    images = [Image.new("RGB", (side, side), (20 * number % 250, 0, 0)) for number in range(frames)]
    out = BytesIO()
    images[0].save(out, format, save_all=True, append_images=images[1:], duration=40)
    return out.getvalue()


def bomb(width: int = 60_000, height: int = 60_000) -> bytes:
    """Make a small PNG that claims a huge size."""
    head = struct.pack("!IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(bytes(9))) + _chunk(b"IEND", b"")
    )


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack("!I", len(content)) + name + content + struct.pack("!I", zlib.crc32(name + content))


def endless_gif(frames: int) -> bytes:
    """Make a GIF of one pixel with very many frames: its beginning, then the same frame repeatedly."""
    whole = moving(2, side=1)
    begin = whole.index(b"!\xf9\x04")
    second = whole.index(b"!\xf9\x04", begin + 1)
    return whole[:second] + whole[second:-1] * frames + b";"


def lottie(**changes: Any) -> dict[str, Any]:
    """Animate a red ball that moves from left to right in three seconds."""

    def still(value: Any) -> dict[str, Any]:
        return {"a": 0, "k": value}

    ease = {"i": {"x": 0.8, "y": 0.8}, "o": {"x": 0.2, "y": 0.2}}
    way = {"a": 1, "k": [{"t": 0, "s": [100, 256, 0], "e": [400, 256, 0], **ease}, {"t": 179, "s": [400, 256, 0]}]}
    place = {"o": still(100), "r": still(0), "p": way, "a": still([0, 0, 0]), "s": still([100, 100, 100])}
    ball = {"ty": "el", "s": still([150, 150]), "p": still([0, 0]), "d": 1}
    red = {"ty": "fl", "c": still([1, 0, 0, 1]), "o": still(100), "r": 1}
    stays = {"ty": "tr", "p": still([0, 0]), "a": still([0, 0]), "s": still([100, 100]), "r": still(0), "o": still(100)}
    group = {"ty": "gr", "it": [ball, red, stays | {"sk": still(0), "sa": still(0)}]}
    layer = {"ty": 4, "ind": 1, "ks": place, "shapes": [group], "ip": 0, "op": 180, "st": 0, "sr": 1, "bm": 0, "ddd": 0}
    whole = {"v": "5.5.2", "fr": 60, "ip": 0, "op": 180, "w": 512, "h": 512, "ddd": 0, "assets": [], "layers": [layer]}
    return whole | changes


def tgs(**changes: Any) -> bytes:
    """Make an animated sticker."""
    return gzip.compress(json.dumps(lottie(**changes)).encode(), mtime=0)


def wav(seconds: float = 1.0, rate: int = 24_000) -> bytes:
    """Make a tone that becomes louder."""
    out = BytesIO()
    with wave.open(out, "wb") as target:
        target.setnchannels(1)
        target.setsampwidth(2)
        target.setframerate(rate)
        target.writeframes(samples(seconds, rate))
    return out.getvalue()


def samples(seconds: float = 1.0, rate: int = 24_000) -> bytes:
    """Make the same tone without a header."""
    count = int(seconds * rate)
    return array("h", [int(12_000 * math.sin(n / 20) * n / count) for n in range(count)]).tobytes()


def sound(format: str = "ogg", codec: str = "libopus", seconds: float = 1.0) -> bytes:
    """Make a sound of a usual kind, with a title."""
    out = BytesIO()
    with av.open(BytesIO(wav(seconds)), "r") as source, av.open(out, "w", format=format) as target:
        target.metadata["title"] = SECRET
        made = target.add_stream(codec, rate=RATE, layout="mono")
        assert isinstance(made, av.audio.stream.AudioStream)
        resampler = av.AudioResampler(format=made.codec_context.format.name, layout="mono", rate=RATE)
        done = 0
        for frame in source.decode(audio=0):
            for one in resampler.resample(frame):
                one.pts, done = done, done + one.samples
                target.mux(made.encode(one))
        target.mux(made.encode(None))
    return out.getvalue()


def silence(hours: float) -> bytes:
    """Make a silent voice note of the longest possible packets (120 ms)."""
    begin = sound(seconds=0.1)
    out = BytesIO()
    with av.open(BytesIO(begin), "r") as source, av.open(out, "w", format="ogg") as target:
        stream = source.streams.audio[0]
        copy = target.add_stream_from_template(stream)
        for number in range(int(hours * 30_000)):
            packet = av.Packet(b"\xfb\x06" + b"\xff\xfe" * 6)  # six silent frames of 20 ms (RFC 6716, 3.2.5)
            packet.stream, packet.time_base = copy, copy.time_base or stream.time_base  # type: ignore[assignment]
            packet.pts = packet.dts = number * 5_760
            packet.duration = 5_760
            target.mux(packet)
    return out.getvalue()


def film(
    seconds: float = 1.0,
    *,
    format: str = "mp4",
    codec: str = "libx264",
    sound: str = "",
    sound_s: float = 0.0,
    rate: int = 10,
) -> bytes:
    """Make a film whose colour changes, with a title, and with silent sound in the named encoding.

    `sound_s` is the length of the sound; 0 for that of the pictures.
    """
    out = BytesIO()
    with av.open(out, "w", format=format) as target:
        target.metadata.update({"title": SECRET, "comment": SECRET})
        video = target.add_stream(codec, rate=rate)
        assert isinstance(video, av.video.stream.VideoStream)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        audio = target.add_stream(sound, rate=RATE, layout="mono") if sound else None
        for number in range(int(seconds * rate)):
            image = Image.new("RGB", (64, 48), (number * 25 % 250, 0, 99))
            frame = VideoFrame.from_image(image)  # type: ignore[no-untyped-call]
            frame.pts = number
            target.mux(video.encode(frame))
        target.mux(video.encode(None))
        if isinstance(audio, av.audio.stream.AudioStream):
            for one in _silent(sound_s or seconds, audio.codec_context.format.name):
                target.mux(audio.encode(one))
            target.mux(audio.encode(None))
    return out.getvalue()


def retimed(content: bytes, *, late_s: float = 0.0, sound_ticks: int = 0) -> bytes:
    """Change an MP4 so that it begins late, or its sound claims this many samples for each packet."""
    out = BytesIO()
    with av.open(BytesIO(content), "r") as source, av.open(out, "w", format="mp4") as target:
        copies = [target.add_stream_from_template(one) for one in (*source.streams.video, *source.streams.audio)]
        number = 0
        for packet in source.demux():
            if packet.dts is None or packet.pts is None:
                continue
            is_sound = packet.stream.type == "audio"
            late = int(late_s / (packet.time_base or 1))
            if is_sound and sound_ticks:
                packet.pts = packet.dts = sound_ticks * number
                packet.duration = sound_ticks
                number += 1
            packet.pts, packet.dts = packet.pts + late, packet.dts + late
            packet.stream = copies[1 if is_sound else 0]
            target.mux(packet)
    return out.getvalue()


def _silent(seconds: float, format: str) -> Iterable[AudioFrame]:
    for begin in range(0, int(seconds * RATE), 960):
        frame = AudioFrame(format=format, layout="mono", samples=960)
        frame.sample_rate, frame.pts = RATE, begin
        frame.planes[0].update(bytes(frame.planes[0].buffer_size))
        yield frame


def pdf(pages: int = 2, text: str = "Tea wants hot water", size: float = 12) -> bytes:
    """Make a PDF with a text on each page, and with an author."""
    stream = f"BT /F1 {size} Tf 20 100 Td ({text}) Tj ET".encode()
    kids = " ".join(f"{number} 0 R" for number in range(6, 6 + pages)).encode()
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F1 3 0 R>>>>>>"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%s]>>" % (pages, kids),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Author(%s)/Title(%s)>>" % (SECRET.encode(), SECRET.encode()),
        *(page for _ in range(pages)),
    ]
    out, places = BytesIO(), []
    out.write(b"%PDF-1.7\n")
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.writelines(b"%010d 00000 n \n" % place for place in places)
    out.write(b"trailer<</Size %d/Root 1 0 R/Info 5 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start))
    return out.getvalue()


def title_of(content: bytes) -> str:
    """Read the title of a PDF."""
    with pypdfium2.PdfDocument(content) as document:
        return "".join(document.get_metadata_dict().values())


def image_of(content: bytes) -> Image.Image:
    """Decode a picture."""
    image = Image.open(BytesIO(content))
    image.load()
    return image
