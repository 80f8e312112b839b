"""The story in which a person exports their data while lull is killed, and the check of the export.

It takes the whole path: the command, the job that gathers, the tick that sends, the sweep that starts clearing the
bucket, and the tick that reports the end.
"""

import asyncio
import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import httpx

from local.parts import TAKEOUT_BUCKET
from shared.chat.store import paths
from shared.values.export import export_id
from tests.crash.files import AGO
from tests.crash.judging import KeptFaults
from tests.crash.lanes import Lane
from tests.crash.queues import Queues
from tests.crash.stories import Story, writes
from tests.stories.play import Chat, Json, Person

#: lull's message about a part that may or may not have arrived
IN_DOUBT = "I don't know whether"
#: the file of an export with the person's messages
MESSAGES = "messages.jsonl"


def export(token: str) -> Story:
    """A person's first message is /export; gathering begins once it is in the transcript."""

    async def tell(chat: Chat, person: Person, queues: Queues) -> list[int]:
        async with queues.background.paused():
            written = await writes("/export")(chat, person, queues)
            await chat.rests()
        return written

    return Story(tell, (), (), struck=frozenset({"tick", "summarize"}), takes_out=True)


@dataclass(frozen=True, kw_only=True)
class Found:
    """The results of an export: its document, the files of each zip that arrived, and lull's messages."""

    document: Mapping[str, object]
    files: Sequence[Mapping[str, bytes]] = ()
    #: the agent's messages without a file
    told: Sequence[str] = ()
    #: the files left in the bucket
    left: Sequence[str] = ()


async def look_after_export(lane: Lane, chat: Chat) -> bool:
    """Return whether the sweep had work for a chat's export, whose claims are ended as if time had passed."""
    document = lane.kept.firestore.document(paths.export_path(export_id(chat.id)))
    kept, ago = (await document.get()).to_dict() or {}, datetime.now(UTC) - AGO
    if kept.get("due_at") is None:
        return False
    await document.update({name: ago for name in ("due_at", "claimed_until") if kept.get(name)})
    await lane.fire("sweep")
    return True


async def faults_of_export(lane: Lane, chat: Chat) -> KeptFaults:
    """Return the faults in the export of the private chat's person."""
    kept = (await lane.kept.firestore.document(paths.export_path(export_id(chat.id))).get()).to_dict() or {}
    said = await chat.said()
    return unlike(
        Found(
            document=kept,
            files=[await _unpacked(chat.telegram, message) for message in said if message["file"]],
            told=[str(message["text"]) for message in said if not message["file"]],
            left=await asyncio.to_thread(_left, lane, str(kept.get("run"))),
        )
    )


async def _unpacked(telegram: httpx.AsyncClient, message: Json) -> Mapping[str, bytes]:
    content = (await telegram.get(f"/world/files/{message['file']['file_id']}")).raise_for_status().content
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return {name: file.read(name) for name in file.namelist()}


def _left(lane: Lane, run: str) -> Sequence[str]:
    return [str(blob.name) for blob in lane.kept.archive.client.list_blobs(TAKEOUT_BUCKET, prefix=f"{run}/")]


def unlike(found: Found) -> KeptFaults:
    """Return the faults: it must be sent once, or reported as possibly not sent, and nothing of it may be left."""
    doubts = sum(IN_DOUBT in text for text in found.told)
    answers = len(found.told) - doubts
    return KeptFaults(
        lost=(*_unfinished(found, doubts), *(f"{name} is left in the bucket" for name in found.left)),
        doubled=(
            *([f"the takeout was sent {len(found.files)} times"] if len(found.files) > 1 else []),
            *([f"it was told {doubts} times that it may not have arrived"] if doubts > 1 else []),
            *([f"/export was answered {answers} times"] if answers > 1 else []),
        ),
    )


def _unfinished(found: Found, doubts: int) -> Iterable[str]:
    outcomes = found.document.get("outcomes")
    signs = {
        f"the takeout is {found.document.get('state')}": found.document.get("state") != "cleared",
        "the takeout is due": found.document.get("due_at") is not None,
        "somebody has the takeout": found.document.get("claimed_until") is not None,
        f"what became of its part is {outcomes}": outcomes not in ({"1": "sent"}, {"1": "unknown"}),
        "the file never came": not found.files and not doubts,
        "nobody was told that it may not have arrived": outcomes == {"1": "unknown"} and not doubts,
        "it was told without need that it may not have arrived": outcomes == {"1": "sent"} and doubts > 0,
        "the file lacks what was written": any(b"/export" not in one.get(MESSAGES, b"") for one in found.files),
    }
    return [sign for sign, is_so in signs.items() if is_so]
