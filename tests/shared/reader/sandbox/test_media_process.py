"""The decoding process alone: it answers any input, and ends with its parent."""

import subprocess
import sys
from pathlib import Path

from shared.reader.decode.sentences import TOO_MUCH
from shared.reader.sandbox.frames import pack_frame
from shared.reader.sandbox.media_process import MEMORY_BYTES, SOUND_S
from shared.reader.sandbox.prepared_frames import prepared_in
from shared.values.prepared import SPEECH, PreparedFile
from tests.shared.reader.decode import files

ROOT = Path(__file__).resolve().parents[4]


def answers(memory: int, *requests: bytes) -> list[PreparedFile]:
    argv = [sys.executable, "-m", "shared.reader.sandbox.media_process", str(memory), str(SOUND_S)]
    done = subprocess.run(argv, input=b"".join(requests), capture_output=True, check=True, cwd=ROOT, timeout=100)
    assert done.stderr == b""
    found, at = [], 0
    while at < len(done.stdout):
        head, body = (int.from_bytes(done.stdout[at + begin : at + begin + 4], "big") for begin in (0, 4))
        found.append(prepared_in(done.stdout[at : (at := at + 8 + head + body)]))
    return found


def test_it_answers_each_frame_and_ends_at_the_last() -> None:
    photo = pack_frame({"kind": "photo", "mime_type": ""}, files.photo())
    voice = pack_frame({"kind": SPEECH, "mime_type": "audio/L16"}, files.samples(0.5))
    found = answers(MEMORY_BYTES, photo, pack_frame({}, b"PK\x03\x04"), voice)
    assert [part.mime_type for one in found for part in one.parts] == ["image/jpeg", "audio/ogg"]
    assert [one.problem for one in found] == ["", "This is a zip archive: its content is not read.", ""]


def test_a_file_that_takes_too_much_leaves_the_next_one_alone() -> None:
    large = pack_frame({"kind": "photo"}, files.photo(5_000, 4_000, format="PNG"))
    first, second = answers(24 * 1_048_576, large, pack_frame({"kind": "photo"}, files.photo()))
    assert (first.problem, first.parts) == (TOO_MUCH, ())
    assert (second.problem, len(second.parts)) == ("", 1)
