"""The client of the reader: every failure is a sentence."""

from urllib.parse import parse_qs

import pytest

from shared.media.media_reader import DOWN, NO_READER, HttpMediaReader
from shared.reader.sandbox.prepared_frames import prepared_frame
from shared.values.prepared import MOST_FILE_BYTES, TOO_LARGE, EncodedVoice, FileFacts, PreparedFile, PreparedPart
from tests.local.cloud_tasks.task_handler import Answer, task_handler


async def test_the_reader_is_given_the_bytes_and_what_they_are_for() -> None:
    made = PreparedFile(
        parts=(PreparedPart("image/jpeg", b"pixels"),), facts=FileFacts(type="image/png", width=3, height=4)
    )
    async with task_handler() as function:
        function.script = [Answer(body=prepared_frame(made))]
        found = await HttpMediaReader(function.url).prepare("photo", "image/png; x=1&y", b"bytes")
    (received,) = function.received
    assert (received.body, received.path) == (b"bytes", "/tick/media")
    assert parse_qs(received.query) == {"kind": ["photo"], "mime": ["image/png; x=1&y"]}
    assert found == made


async def test_a_voice_note_has_its_length() -> None:
    made = PreparedFile(parts=(PreparedPart("audio/ogg", b"OggS"),), facts=FileFacts(duration_s=2.5))
    async with task_handler() as function:
        function.script = [Answer(body=prepared_frame(made))]
        voice = await HttpMediaReader(function.url).encode_voice(b"samples", "audio/L16")
    assert (function.received[0].path, parse_qs(function.received[0].query)) == ("/tick/voice", {"mime": ["audio/L16"]})
    assert (voice.content, voice.duration_s) == (b"OggS", 2.5)


@pytest.mark.parametrize("status", [400, 403, 500, 503])
async def test_a_reader_that_fails_may_be_asked_again(status: int) -> None:
    async with task_handler() as function:
        function.script = [Answer(status), Answer(status)]
        reader = HttpMediaReader(function.url)
        assert await reader.prepare("photo", "", b"x") == PreparedFile(problem=DOWN, may_retry=True)
        assert await reader.encode_voice(b"x", "audio/wav") == EncodedVoice(problem=DOWN, may_retry=True)


async def test_an_answer_that_is_no_frame_is_a_sentence() -> None:
    async with task_handler() as function:
        found = await HttpMediaReader(function.url).prepare("photo", "", b"x")
    assert (found.problem, found.may_retry) == (DOWN, True)


async def test_no_reader_one_that_is_down_and_too_much_are_sentences() -> None:
    assert await HttpMediaReader("").prepare("photo", "", b"x") == PreparedFile(problem=NO_READER)
    down = HttpMediaReader("http://127.0.0.1:1")
    assert (await down.prepare("photo", "", b"x")).problem == DOWN
    too_long = PreparedFile(problem=TOO_LARGE, is_unsupported=True)
    assert await down.prepare("photo", "", bytes(MOST_FILE_BYTES + 1)) == too_long
