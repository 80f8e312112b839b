"""The function that describes files through functions-framework, as Cloud Tasks calls it."""

import hashlib
import json
import random
from collections.abc import Callable, Iterator

import httpx
import pytest

from local.cloud import LocalCloud
from local.parts import MEDIA_BUCKET
from shared.base.model_call import ModelCall
from shared.values.reference import DescribeRequest, FileReference
from shared.wiring.settings.model_functions import LITE
from tests.shared.media.sendings import (
    is_open,
    kept,
    media,
    new_chat,
    ordered,
    reference,
    told,
    uploaded,
)
from tests.shared.reader.decode import files
from tests.stories.describing import descriptions
from tests.stories.play import Json, Sandbox


@pytest.fixture(scope="module")
def place(cloud: LocalCloud) -> Iterator[str]:
    """Start the function with a model that describes, and give its address: in the tests' cloud it has no model."""
    yield cloud.add("describe_media", name="describe_media-here", env={"LULL_MEDIA_MODEL": LITE})
    cloud.stop("describe_media-here")


def order(one: FileReference) -> str:
    return DescribeRequest(reference=one).model_dump_json()


async def script(sandbox: Sandbox, shows: str = "A red half and a blue one.", says: str = "", **more: object) -> None:
    """Script the model's description of a file."""
    text = json.dumps({"shows": shows, "says": says})
    await sandbox.model.will({"text": text, "match": "You describe files", **more})


def shown(request: Json) -> list[tuple[str, int, str]]:
    """Give the files of a request as the local Gemini records them: types, sizes and hashes."""
    parts = [part["inlineData"] for part in request["contents"][0]["parts"] if "inlineData" in part]
    return [(part["mimeType"], part["size"], part["sha256"]) for part in parts]


def told_apart(mime_type: str, content: bytes) -> tuple[str, int, str]:
    return mime_type, len(content), hashlib.sha256(content).hexdigest()


async def test_it_is_well(sandbox: Sandbox) -> None:
    async with httpx.AsyncClient(timeout=60) as client:
        answer = await client.get(f"{sandbox.cloud.url('describe_media')}/healthz")
    assert (answer.status_code, answer.text) == (200, "ok")


@pytest.mark.parametrize("body", ["", "[]", '"x"', '{"reference": {}}', '{"job": "sweep"}', '{"reference": 7}', "\xff"])
async def test_what_is_no_order_is_refused(sandbox: Sandbox, body: str) -> None:
    answer = await ordered(sandbox.cloud.url("describe_media"), body)
    assert (answer.status_code, "expected {} or a file" in answer.text) == (400, True)


#: kind → its bytes, and the files that the model gets for them
FILES: dict[str, tuple[Callable[[], bytes], list[str]]] = {
    "photo": (files.photo, ["image/jpeg"]),
    "voice": (lambda: files.sound(seconds=1.5), ["audio/ogg"]),
    "animation": (files.film, ["image/jpeg"] * 4),
    "video_note": (files.film, ["video/mp4"]),
    "document": (files.pdf, ["application/pdf"]),
}


@pytest.mark.parametrize("kind", FILES)
async def test_a_file_is_described_stored_and_told(sandbox: Sandbox, place: str, kind: str) -> None:
    make, types = FILES[kind]
    ref = await uploaded(sandbox, kind, unlike_any(make()))
    (one,) = await kept(sandbox.firestore, reference(ref, new_chat(), is_awaited=True))
    key = one.key
    assert key is not None
    await script(sandbox, says="/new please" if kind == "voice" else "")
    answer = await ordered(place, order(one))
    assert (answer.status_code, answer.json()) == (200, {"described": 1})
    found = await media(sandbox.firestore, ref.unique_id)
    assert found is not None
    assert found.description is not None
    assert (found.description.shows, found.description.source) == (
        "A red half and a blue one.",
        "gemini-3.5-flash-lite",
    )
    assert isinstance(found.description.call, ModelCall)
    assert (found.tries, found.claimed_until, found.next_try_at) == (1, None, None)
    # the stored file is the one that the model got; both are without the data about its sender
    seen = [part for part in found.parts if part.mime_type != "text/plain"]
    assert [part.mime_type for part in seen] == types
    stored = [await blob(sandbox, part.path) for part in seen]
    assert all(files.SECRET.encode() not in content for content in stored)
    request = await last_request(sandbox)
    assert shown(request) == list(map(told_apart, types, stored))
    assert not await is_open(sandbox.firestore, one)
    (update,) = await told(sandbox.firestore, key)
    raw = json.loads(update["raw"])["media_described"]
    assert (raw["unique_id"], raw["message_ids"], raw["description"]["outcome"]) == (ref.unique_id, [12], "described")


async def last_request(sandbox: Sandbox) -> Json:
    return (await descriptions(sandbox))[-1]


def unlike_any(content: bytes) -> bytes:
    """Make a file unique to this test by bytes after its end, which no reader looks at."""
    return content + random.Random().randbytes(16)


async def blob(sandbox: Sandbox, path: str) -> bytes:
    async with httpx.AsyncClient(base_url=sandbox.cloud.storage_url, timeout=30) as client:
        name = path.replace("/", "%2F")
        answer = await client.get(f"/storage/v1/b/{MEDIA_BUCKET}/o/{name}", params={"alt": "media"})
    return answer.raise_for_status().content
