"""The bytes of files: from storage, or from Telegram and the reader, or none."""

import itertools
import os
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest

from local.parts import MEDIA_BUCKET
from shared.media.blobs import StorageBlobs
from shared.media.media_files import MediaFiles
from shared.media.media_reader import HttpMediaReader
from shared.media.store.media import FirestoreMedia
from shared.reader.decode.prepare import prepare_file
from shared.telegram.inbound.media import media_refs_of
from shared.telegram.outbound.client import TelegramDownloads
from shared.values.evolve import evolve
from shared.values.media import MediaRef
from shared.values.prepared import PreparedPart
from shared.values.reference import FileReference
from shared.values.stored_media import StoredPart
from tests.media_files import png
from tests.shared.examples import NOW
from tests.stories.play import Sandbox

_numbers = itertools.count(1)
MINUTE = timedelta(minutes=1)


@dataclass
class Place:
    """A bot with files that people sent it, and their documents."""

    sandbox: Sandbox
    token: str
    reader_url: str
    store: FirestoreMedia
    blobs: StorageBlobs
    downloads: TelegramDownloads
    opened: list[None] = field(default_factory=list)

    def files(self, reader_url: str = "", **changes: Any) -> MediaFiles:
        def opened() -> StorageBlobs:
            self.opened.append(None)
            return self.blobs

        files = MediaFiles(
            store=self.store,
            blobs=opened,
            downloads=self.downloads,
            preparer=HttpMediaReader(reader_url or self.reader_url),
        )
        return replace(files, **changes)

    async def sent(self, colour: tuple[int, int, int]) -> tuple[MediaRef, bytes]:
        """Send the bot a photo; return its reference and its bytes at Telegram."""
        return await self.sent_as("photo", ("a.png", png(colour, 300, 200), "image/png"))

    async def sent_as(self, kind: str, file: tuple[str, bytes, str]) -> tuple[MediaRef, bytes]:
        """Send the bot a file with a name and a type; return its reference and its bytes."""
        api, bot_id = self.sandbox.telegram, int(self.token.partition(":")[0])
        ann = await self.sandbox.person("Ann")
        chat = (await api.post("/world/chats", json={"type": "private", "person_id": ann.id, "bot_id": bot_id})).json()
        files = {kind: file}
        place = f"/world/chats/{chat['key']}/messages"
        (await api.post(place, data={"from": str(ann.id)}, files=files)).raise_for_status()
        updates = (await api.post(f"/bot{self.token}/getUpdates", json={})).json()["result"]
        (ref,) = media_refs_of(updates[-1]["message"])
        return ref, await self.downloads.download(ref.file_id, 20.0)

    async def keep(self, ref: MediaRef, *contents: bytes) -> tuple[StoredPart, ...]:
        """Store a document with parts whose bytes are not stored yet."""
        reference = FileReference(ref=ref, agent="lull", at=NOW, try_at=NOW)
        held = await self.store.claim(reference, NOW, NOW + MINUTE)
        parts = tuple(
            StoredPart(path=f"{ref.unique_id}/{n}", mime_type="image/jpeg", size=len(content), duration_s=n)
            for n, content in enumerate(contents)
        )
        await self.store.keep(held, evolve(held.media, parts=parts))
        return parts

    async def fetched(self) -> int:
        """Count how often the bot asked for a file."""
        calls = (await self.sandbox.telegram.get("/world/calls", params={"after": 0})).json()["calls"]
        return sum(c["method"] == "getFile" and str(c["bot_id"]) == self.token.partition(":")[0] for c in calls)


@pytest.fixture
async def place(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Place]:
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", sandbox.cloud.storage_url)
    number = 810_000_000 + os.getpid() % 100_000 * 100 + next(_numbers)
    token = f"{number}:{'x' * 35}"
    body = {"token": token, "first_name": "files", "username": f"files{number}_bot"}
    (await sandbox.telegram.post("/world/bots", json=body)).raise_for_status()
    downloads = TelegramDownloads(token, sandbox.cloud.telegram_url)
    blobs = StorageBlobs(sandbox.cloud.project, MEDIA_BUCKET)
    yield Place(sandbox, token, sandbox.cloud.url("reader"), FirestoreMedia(sandbox.firestore), blobs, downloads)
    await downloads.aclose()


async def parts_of(files: MediaFiles, ref: MediaRef) -> Sequence[PreparedPart]:
    """Return the parts of a file that can be had."""
    found = await files.prepared_file(ref)
    assert found is not None
    return list(found.model_parts)


async def test_what_is_stored_is_shown_as_it_is_and_telegram_is_not_asked(place: Place) -> None:
    ref, _ = await place.sent((1, 2, 3))
    parts = await place.keep(ref, b"first", b"second")
    await place.blobs.put(parts[0], b"first")
    await place.blobs.put(parts[1], b"second")
    asked = await place.fetched()
    found = await parts_of(place.files(), ref)
    assert found == [PreparedPart("image/jpeg", b"first"), PreparedPart("image/jpeg", b"second", 1.0)]
    assert await place.fetched() == asked


async def test_what_is_not_stored_is_fetched_and_prepared_and_stored_nowhere(place: Place) -> None:
    ref, content = await place.sent((4, 5, 6))
    asked = await place.fetched()
    files = place.files()
    found = await parts_of(files, ref)
    # the same result as the reader's for the bytes at Telegram
    assert found == list(prepare_file("photo", "", content).parts)
    assert [part.mime_type for part in found] == ["image/jpeg"]
    assert await place.fetched() == asked + 1
    assert await place.store.find(ref.unique_id) is None
    assert place.opened == [], "where nothing is kept of a file, the bucket's client is not even imported"


async def test_a_document_that_is_but_text_is_shown_as_its_text(place: Place) -> None:
    ref, content = await place.sent_as("document", ("jam.txt", b"Quince jam: boil it.\n", "text/plain"))
    (part,) = await parts_of(place.files(), ref)
    assert (part.mime_type, part.content.decode().strip()) == ("text/plain", content.decode().strip())


async def test_a_plan_that_is_made_again_fetches_nothing_again(place: Place) -> None:
    ref, _ = await place.sent((7, 8, 9))
    files, asked = place.files(), await place.fetched()
    first = await files.prepared_file(ref)
    # another id of the same file, as another message has it
    again = await files.prepared_file(evolve(ref, file_id="other"))
    assert (again is first, await place.fetched()) == (True, asked + 1)


async def test_parts_that_are_not_all_there_are_made_anew(place: Place) -> None:
    ref, content = await place.sent((10, 11, 12))
    (part, _) = await place.keep(ref, b"first", b"second")
    await place.blobs.put(part, b"first")
    assert await parts_of(place.files(), ref) == list(prepare_file("photo", "", content).parts)


@pytest.mark.parametrize("broken", ["bucket", "none"])
async def test_without_a_bucket_files_are_fetched(place: Place, broken: str) -> None:
    ref, content = await place.sent((13, 14, len(broken)))
    await place.keep(ref, b"first")
    no_bucket = StorageBlobs(place.sandbox.cloud.project, "no-such-bucket")
    files = place.files(blobs=(lambda: no_bucket) if broken == "bucket" else None)
    assert await parts_of(files, ref) == list(prepare_file("photo", "", content).parts)


async def test_what_cannot_be_had_is_nothing_and_is_asked_for_again(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "lull")
    ref, _ = await place.sent((16, 17, 18))
    assert await place.files(reader_url="http://127.0.0.1:1").prepared_file(ref) is None
    files = place.files()
    unknown = evolve(ref, file_id="nobody-knows-it", unique_id="u")
    assert await files.prepared_file(unknown) is None
    told = " ".join(record.getMessage() for record in caplog.records if record.name == "lull")
    assert "could not be prepared" in told
    assert "cannot be downloaded" in told
    assert place.token not in told
    assert "nobody-knows-it" not in told
    assert len(await parts_of(files, ref)) == 1


async def test_only_some_megabytes_are_held_and_those_used_last_stay(place: Place) -> None:
    sent = [await place.sent((20, 21, n)) for n in range(3)]
    sizes = [len((await parts_of(place.files(), ref))[0].content) for ref, _ in sent]
    files = place.files(most_held_bytes=sum(sizes) - 1)
    for ref, _ in (sent[0], sent[1], sent[0], sent[2]):
        await files.prepared_file(ref)
    asked = await place.fetched()
    await files.prepared_file(sent[0][0])
    await files.prepared_file(sent[2][0])
    assert await place.fetched() == asked
    await files.prepared_file(sent[1][0])
    assert await place.fetched() == asked + 1
