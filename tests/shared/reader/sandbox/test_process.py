"""The parsing process alone: it answers through its pipes, and ends with its parent."""

import json
import subprocess
import sys
from pathlib import Path

from shared.reader.sandbox.frames import pack_frame
from shared.reader.sandbox.process import MEMORY_BYTES

ROOT = Path(__file__).resolve().parents[4]


def test_it_answers_each_frame_and_ends_at_the_last() -> None:
    pages = [pack_frame({"url": "https://a.example/", "content_type": "text/plain"}, text) for text in (b"one", b"two")]
    argv = [sys.executable, "-m", "shared.reader.sandbox.process", str(MEMORY_BYTES)]
    done = subprocess.run(argv, input=b"".join(pages), capture_output=True, check=True, cwd=ROOT, timeout=60)
    at, found = 0, []
    while at < len(done.stdout):
        length = int.from_bytes(done.stdout[at : at + 4], "big")
        found.append(json.loads(json.loads(done.stdout[at + 8 : at + 8 + length])["page"])["text"])
        at += 8 + length
    assert found == ["one", "two"]


def test_what_goes_wrong_with_a_page_is_told_without_its_words() -> None:
    header = {"url": "https://a.example/", "content_type": 3}  # an unexpected content type
    pages = [
        pack_frame(header, b"a secret"),
        pack_frame({**header, "content_type": "application/json"}, b'{"a": "\\ud83d"}'),
    ]
    argv = [sys.executable, "-m", "shared.reader.sandbox.process", str(MEMORY_BYTES)]
    done = subprocess.run(argv, input=b"".join(pages), capture_output=True, check=True, cwd=ROOT, timeout=60)
    assert done.stderr == b""
    first = 8 + int.from_bytes(done.stdout[:4], "big")
    assert json.loads(done.stdout[8:first]) == {"page": None}
    assert "\ufffd" in json.loads(json.loads(done.stdout[first + 8 :])["page"])["text"]
