"""Files through the reader in functions-framework: each file gets an answer, and the next one is read."""

import asyncio
import gzip
import random
from collections.abc import Callable

import httpx
import pytest

from shared.media.media_reader import DOWN, HttpMediaReader
from shared.reader.decode import sentences
from shared.reader.sandbox.prepared_frames import prepared_in
from shared.values.prepared import MOST_FILE_BYTES, TOO_LARGE, PreparedFile
from tests.shared.reader.decode import files
from tests.stories.play import Sandbox


def of(name: str) -> str:
    """Give the text for a file that is not opened."""
    return sentences.NOT_READ.format(name=name)


GOOD: dict[str, tuple[str, Callable[[], bytes], list[str]]] = {
    "photo": ("photo", files.photo, ["image/jpeg"]),
    "voice": ("voice", files.sound, ["audio/ogg"]),
    "tgs": ("sticker", files.tgs, ["image/jpeg"] * 3),
    "pdf": ("document", files.pdf, ["application/pdf"]),
    "animation": ("animation", files.film, ["image/jpeg"] * 4),
    "video note": ("video_note", files.film, ["video/mp4"]),
    "picture as a document": ("document", files.photo, ["image/jpeg"]),
}
#: kind, bytes, and the expected text; None: any text of limited length
HOSTILE: dict[str, tuple[str, Callable[[], bytes], str | None]] = {
    "bomb": ("photo", files.bomb, sentences.TOO_LARGE_PICTURE.format(most=50)),
    "endless gif": ("animation", lambda: files.endless_gif(400_000), None),
    "broken webp": ("sticker", lambda: files.photo(format="WEBP")[:60], sentences.BROKEN.format(name="a WebP picture")),
    "gzip bomb": ("sticker", lambda: gzip.compress(bytes(200_000_000), 1), sentences.UNPACKS),
    "a million frames": ("sticker", lambda: files.tgs(op=1_000_000), sentences.TOO_MUCH_STICKER),
    "10,000 pages": ("document", lambda: files.pdf(10_000), None),
    "zip as a sticker": ("sticker", lambda: b"PK\x03\x04" + bytes(200), of("a zip archive")),
    "empty": ("photo", bytes, of("an empty file")),
    "noise": ("video", lambda: random.Random(7).randbytes(50_000), of("a file of no kind that is known here")),
}  # fmt: skip


async def made(sandbox: Sandbox, kind: str, content: bytes, mime_type: str = "") -> PreparedFile:
    return await HttpMediaReader(sandbox.cloud.url("reader")).prepare(kind, mime_type, content)


@pytest.mark.parametrize("name", GOOD)
async def test_a_file_becomes_what_a_model_takes(sandbox: Sandbox, name: str) -> None:
    kind, make, types = GOOD[name]
    # whichever type it claims to have
    found = await made(sandbox, kind, make(), "application/zip")
    assert (found.problem, [part.mime_type for part in found.parts]) == ("", types)
    assert all(files.SECRET.encode() not in part.content for part in found.parts)


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_hostile_file_hurts_nothing(sandbox: Sandbox, name: str) -> None:
    kind, make, problem = HOSTILE[name]
    found = await made(sandbox, kind, make(), "image/jpeg")
    if problem is None:
        assert (found.problem, bool(found.parts)) == ("", True)
    else:
        assert (found.problem, found.parts, found.may_retry) == (problem, (), False)
    assert (await made(sandbox, "photo", files.photo())).problem == ""


async def test_of_eight_hours_of_silence_ten_minutes_are_kept(sandbox: Sandbox) -> None:
    found = await made(sandbox, "voice", files.silence(8))
    assert (found.facts.duration_s, found.facts.is_cut) == (28_800, True)
    assert len(found.parts[0].content) < 500_000


async def test_a_sound_becomes_a_voice_note(sandbox: Sandbox) -> None:
    voices = HttpMediaReader(sandbox.cloud.url("reader"))
    spoken = await voices.encode_voice(files.samples(2.0), "audio/L16;codec=pcm;rate=24000")
    assert (spoken.problem, spoken.content[:4], spoken.duration_s) == ("", b"OggS", 2.0)
    assert (await voices.encode_voice(b"no sound", "audio/wav")).problem == sentences.NO_SOUND


async def test_a_file_that_is_too_large_is_a_sentence(sandbox: Sandbox) -> None:
    async with httpx.AsyncClient(timeout=60) as client:
        answer = await client.post(
            sandbox.cloud.url("reader") + "/media?kind=photo", content=bytes(MOST_FILE_BYTES + 1)
        )
    assert prepared_in(answer.content).problem == TOO_LARGE


async def test_pages_are_read_while_files_are(sandbox: Sandbox) -> None:
    reader = sandbox.cloud.url("reader")
    async with httpx.AsyncClient(timeout=60) as client:
        page = client.post(reader, content='{"url": "http://127.0.0.1:9/"}')
        found, read = await asyncio.gather(made(sandbox, "photo", files.photo()), page)
    assert (found.problem, read.status_code) == ("", 200)
    assert found.problem != DOWN
