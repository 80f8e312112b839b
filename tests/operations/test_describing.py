"""The command for media: its counts, and trying again."""

import io
import itertools
import os
from collections.abc import AsyncIterator

import pytest
from rich.console import Console

from local.cloud import LocalCloud
from operations import describing
from shared.chat.store import paths
from shared.media.store.media import FirestoreMediaUpkeep, encode_media
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.stored_media import StoredMedia
from tests.operations.test_commands import Shell
from tests.shared.examples import NOW
from tests.shared.media.sendings import is_open, kept, new_chat, reference

_numbers = itertools.count(1)


@pytest.fixture
async def upkeep(cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FirestoreMediaUpkeep]:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", cloud.firestore_host)
    found = FirestoreMediaUpkeep(f"describing-{os.getpid()}-{next(_numbers)}")
    yield found
    found.client.close()  # type: ignore[no-untyped-call]


async def keep(upkeep: FirestoreMediaUpkeep, unique_id: str, outcome: DescriptionOutcome) -> None:
    one = StoredMedia(
        unique_id=unique_id, kind=MediaKind.PHOTO, description=Description(outcome=outcome), tries=5, updated_at=NOW
    )
    await upkeep.client.document(paths.media_path(unique_id)).set(encode_media(one))


async def said(call: object) -> list[str]:
    console = Console(file=(out := io.StringIO()), width=200)
    assert await call(console) == 0  # type: ignore[operator]
    return [" ".join(line.split()) for line in out.getvalue().splitlines()]


async def test_where_nothing_was_looked_at_it_is_said_why(upkeep: FirestoreMediaUpkeep) -> None:
    *_, last = await said(lambda console: describing.tell(upkeep, console))
    assert last == describing._NEVER


async def test_files_are_counted(upkeep: FirestoreMediaUpkeep) -> None:
    for number, outcome in enumerate(
        (DescriptionOutcome.DESCRIBED, DescriptionOutcome.DESCRIBED, DescriptionOutcome.UNSUPPORTED)
    ):
        await keep(upkeep, f"u{number}", outcome)
    await kept(upkeep.client, reference(MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="u9"), new_chat()))
    lines = await said(lambda console: describing.tell(upkeep, console))
    assert lines == [
        "2 described",
        "1 not supported (kind or size)",
        "0 failed, will be tried again",
        "0 given up",
        "1 in chats that do not have the result yet",
    ]
    await keep(upkeep, "u7", DescriptionOutcome.PERMANENT_FAILURE)
    lines = await said(lambda console: describing.tell(upkeep, console))
    assert lines[3:] == ["1 given up", "1 in chats that do not have the result yet", describing._HOW]


async def test_what_was_given_up_is_tried_again(upkeep: FirestoreMediaUpkeep) -> None:
    assert await said(lambda console: describing.again(upkeep, lambda: NOW, console)) == [
        "There are no files whose description was given up."
    ]
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="u1")
    one = reference(ref, new_chat(), is_open=False)
    await kept(upkeep.client, one)
    await keep(upkeep, "u1", DescriptionOutcome.PERMANENT_FAILURE)
    lines = await said(lambda console: describing.again(upkeep, lambda: NOW, console))
    assert lines == ["1 file is tried again from the next sweep on; a sweep runs every five minutes."]
    assert await is_open(upkeep.client, one)


async def test_the_command_finds_its_lull(cloud: LocalCloud, upkeep: FirestoreMediaUpkeep) -> None:
    shell = Shell(cloud)
    code, (place, first, *_) = shell("describe")
    assert (code, first.split()) == (0, ["0", "described"])
    assert place.startswith(f"lull in the project {shell.project}")
    assert shell("describe", "--again")[1][1:] == ["There are no files whose description was given up."]
    shell.inbox.client.close()  # type: ignore[no-untyped-call]
