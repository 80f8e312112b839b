"""Plays a way: stores its data, runs both rounds of the deletion, and reads everything that is stored afterwards."""

import itertools
import os
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import grpc
from google.cloud.tasks_v2 import CloudTasksAsyncClient
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcAsyncIOTransport

from benchmarks.forgetting.named import NAMED
from benchmarks.forgetting.spoken import SPOKEN_WAYS
from benchmarks.forgetting.stored import STORED
from benchmarks.forgetting.traces import TRACES
from benchmarks.forgetting.way import ZED, ZEDS, Document, Talk, Update, Way, text_of
from benchmarks.outages.running import running
from local.cloud import CloudSpec, LocalCloud
from shared.chat.store import paths
from shared.chat.store.inbox import add_update
from shared.values.deletion import Deletion, DeletionScope
from shared.values.message import AnyEntry
from shared.values.update import Envelope, InboxUpdate
from tests.shared.examples import NOW
from tests.shared.new_chats import new_chats
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import DeletionHarness

WAYS: Final = (*SPOKEN_WAYS, *NAMED, *STORED, *TRACES)
#: collections that are rebuilt from the remaining data, mostly by jobs that do not run here; so data that is missing
#: there does not count as lost
MADE_LATER: Final = frozenset(
    {paths.SUMMARIES, paths.CONVERSATIONS, *(f"{paths.CONVERSATIONS}/{one}" for one in ("compression", "observations"))}
)
#: places that keep the person's id for good, such as the record of the deletion, and the person's chat with the receipt
_WITH_NUMBER: Final = (
    f"{paths.DELETIONS}/",
    paths.chat_path(ZEDS),
    "archive/register/",
    "archive/conversations/erasures/",
)
_numbers = itertools.count(700_000)


@dataclass(frozen=True)
class Outcome:
    """The outcome of a way: data of the person that is left, data of others that was lost, and data that was never
    stored.
    """

    way: str
    left: Sequence[str]
    lost: Sequence[str]
    unplanted: Sequence[str] = ()


async def play_ways() -> dict[str, object]:
    """Return how many ways leave data of the person, how many delete data of others, the names of all these ways, and
    the seconds for all ways together.
    """
    began = time.monotonic()
    async with running(CloudSpec(parts=("firestore", "cloud_tasks"))) as cloud:
        os.environ["FIRESTORE_EMULATOR_HOST"] = cloud.firestore_host  # the official clients' own setting
        async with paused_queue(cloud) as queue:
            found = [await _play_alone(way, queue) for way in WAYS]
    return {
        "ways": len(found),
        "unplanted": sum(bool(one.unplanted) for one in found),
        "left": sum(bool(one.left) for one in found),
        "lost": sum(bool(one.lost) for one in found),
        "seconds": round(time.monotonic() - began, 1),
        "failing": {one.way: told for one in found if (told := [*one.unplanted, *one.left, *one.lost])},
    }


@asynccontextmanager
async def paused_queue(cloud: LocalCloud) -> AsyncIterator[PausedQueue]:
    """Yield a queue that runs no tasks, so that the caller itself starts both rounds of the deletion."""
    async with grpc.aio.insecure_channel(cloud.tasks_address) as channel:
        client = CloudTasksAsyncClient(transport=CloudTasksGrpcAsyncIOTransport(channel=channel))
        yield await PausedQueue.make(client, cloud.queue.rpartition("/queues/")[0], cloud.tasks_address)


async def _play_alone(way: Way, queue: PausedQueue) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        async with new_chats() as chats:
            return await play(way, DeletionHarness(chats, queue, Path(folder)))


async def play(way: Way, here: DeletionHarness) -> Outcome:
    """Store the data of a way, forget the person, and compare. Data that was not even stored before proves nothing; it
    is reported as `unplanted`.
    """
    for step in way.steps:
        await _plant(step, here)
    await here.archives()
    before = await _read_everything(here)
    unplanted = [one for one in (*way.gone, *way.stays) if not _places(before, one)]
    await _forget(here)
    await here.archives()
    after = await _read_everything(here)
    left = [f"{one}: {place}" for one in way.gone for place in _places(after, one)]
    lost = [f"{one}: {kind}" for one in way.stays for kind in sorted(_kinds(before, one) - _kinds(after, one))]
    lost += [f"{one}: nowhere" for one in way.comes if not _places(after, one)]
    return Outcome(way.name, left, lost, unplanted)


async def _plant(step: Talk | Update | Document, here: DeletionHarness) -> None:
    match step:
        case Talk():
            await here.says(step.key, *_number_messages(step.entries), leaves=step.leaves)
        case Update():
            number = next(_numbers)
            envelope = Envelope(update_id=number, kind=next(iter(step.raw)), key=step.key, chat_kind=step.kind)
            raw = {"update_id": number, **step.raw}
            await add_update(here.chats.client, InboxUpdate(envelope=envelope, raw=raw, received_at=here.now()))
            await here.chats.client.document(paths.update_path(step.key, number)).update({"read": step.is_read})
        case Document():
            conversation = (await here.chats.see(step.of)).chat.conversation
            path = step.path.replace("{conversation}", conversation)
            await here.chats.client.document(path).set(dict(step.fields), merge=True)


def _number_messages(entries: Sequence[AnyEntry]) -> Sequence[AnyEntry]:
    """Number messages in order, five minutes apart. A message that already has a number other than 1 keeps it."""
    found, number = list[AnyEntry](), 0
    for place, entry in enumerate(entries):
        fields: dict[str, Any] = {"at": NOW + place * timedelta(minutes=5)}
        if entry.type == "message":
            number += 1
            fields["message_id"] = number if entry.message_id == 1 else entry.message_id
        found.append(entry.model_copy(update=fields))
    return found


async def _forget(here: DeletionHarness) -> None:
    now, chat = here.now(), ZEDS.id
    asked = Deletion(id="forgotten", scope=DeletionScope.PERSON, person=ZED.id, chat=chat, asked_at=now, due_at=now)
    await here.log.keep(asked)
    await here.runs(asked.id)
    here.minutes += 21
    await here.runs(asked.id)


async def _read_everything(here: DeletionHarness) -> dict[str, str]:
    """Return all documents, by their paths, and files of the archive, as text."""
    found = {path: text_of(told) for path, told in (await here.backup()).items()}
    for file in (one for one in here.folder.rglob("*") if one.is_file()):
        found[f"archive/{file.relative_to(here.folder)}"] = file.read_text()
    return found


def _places(everything: dict[str, str], mark: str) -> Sequence[str]:
    """Return the paths of the documents and files that contain `mark`. If `mark` is the person's id, places that may
    keep the id are left out.
    """
    own = _WITH_NUMBER if mark.isdecimal() else ()
    found = [path for path, told in everything.items() if mark.casefold() in told.casefold()]
    return [path for path in found if not path.startswith(own)]


def _kinds(everything: dict[str, str], mark: str) -> set[str]:
    return {_kind(path) for path in _places(everything, mark)} - MADE_LATER


def _kind(path: str) -> str:
    """Return the names of the collections on a document's path."""
    return "/".join(Path(path).parts[::2]) if not path.startswith("archive/") else "archive"
