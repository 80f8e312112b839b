"""Files in requests: recorded by type, size and hash, and counted in tokens."""

import base64
import hashlib
import json
from typing import Any

import pytest

from local.model.inline import modality_of, types_in, without_files

PIXELS = bytes(range(256)) * 4_000
DATA = base64.b64encode(PIXELS).decode()


def request(*files: Any, name: str = "inlineData") -> bytes:
    parts = [{"text": "ї"}, *({name: file} for file in files), {"text": "and?"}]
    return json.dumps({"contents": [{"role": "user", "parts": parts}]}).encode()


@pytest.mark.parametrize("name", ["inlineData", "inline_data"])
def test_of_a_file_its_type_size_and_hash_stay(name: str) -> None:
    kept = without_files(request({"mimeType": "image/jpeg", "data": DATA}, name=name))
    assert len(kept) < 400
    first, file, last = json.loads(kept)["contents"][0]["parts"]
    assert (first, last) == ({"text": "ї"}, {"text": "and?"})
    assert file == {name: {"mimeType": "image/jpeg", "size": len(PIXELS), "sha256": hashlib.sha256(PIXELS).hexdigest()}}


@pytest.mark.parametrize(
    ("name", "given", "kept"),
    [
        (
            "image_url",
            {"url": f"data:image/png;base64,{DATA}", "detail": "low"},
            {"detail": "low", "mimeType": "image/png"},
        ),
        ("input_audio", {"data": DATA, "format": "wav"}, {"format": "wav"}),
        ("file", {"file_data": f"data:application/pdf;base64,{DATA}"}, {"mimeType": "application/pdf"}),
    ],
)
def test_files_of_openais_parts_are_shortened_too(name: str, given: dict[str, str], kept: dict[str, str]) -> None:
    parts = [{"type": name, name: given}, {"type": "text", "text": "and?"}]
    body = json.dumps({"messages": [{"role": "user", "content": parts}]}).encode()
    file, last = json.loads(without_files(body))["messages"][0]["content"]
    digest = {"size": len(PIXELS), "sha256": hashlib.sha256(PIXELS).hexdigest()}
    assert (file[name], last["text"]) == (kept | digest, "and?")


def test_an_address_of_a_picture_stays() -> None:
    body = b'{"messages": [{"content": [{"image_url": {"url": "https://x.example/a.png"}}]}]}'
    assert json.loads(without_files(body)) == json.loads(body)


def test_files_that_differ_in_one_bit_are_told_apart() -> None:
    other = base64.b64encode(PIXELS[:-1] + b"\x00").decode()
    kept = [without_files(request({"mimeType": "image/jpeg", "data": data})) for data in (DATA, other)]
    assert kept[0] != kept[1]


@pytest.mark.parametrize(
    "body",
    [
        b'{"contents": "\xd1\x97", "a":  1}',
        b"inlineData {",
        b'{"inlineData": 7}',
        b'{"inlineData": {"data": "not base64!"}}',
        b'{"inlineData": {"data": 7}}',
        b"[" * 3_000 + b'"inlineData"',
    ],
)
def test_what_has_no_file_stays_as_it_is(body: bytes) -> None:
    kept = without_files(body)
    assert kept == body.decode() or json.loads(kept) == json.loads(body)


def test_types_are_told_in_order_wherever_they_stand() -> None:
    files = [{"mimeType": "image/jpeg", "data": ""}, {"mime_type": "audio/ogg", "data": ""}, {}]
    assert list(types_in(json.loads(request(*files)))) == ["image/jpeg", "audio/ogg", ""]
    assert list(types_in({"text": "image/png"})) == []


def test_a_file_counts_as_what_it_is() -> None:
    found = [modality_of(one) for one in ("image/png", "audio/ogg", "video/mp4", "application/pdf", "")]
    assert found == ["IMAGE", "AUDIO", "VIDEO", "DOCUMENT", "DOCUMENT"]
