"""Checks the files of a play: each is described, reported to its chat once, and stored with a record of its place."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from google.cloud.firestore_v1.base_query import FieldFilter

from benchmarks.relay.ledger import Request
from shared.values.reference import MEDIA_DESCRIBED
from tests.crash.judging import KeptFaults
from tests.crash.lanes import Lane
from tests.stories.play import Chat, Json

DESCRIBING = "describe_media"
#: how far stored times are moved back, as if time had passed
AGO = timedelta(hours=1)
#: more than the age at which the sweep treats work as left over
PAST_GRACE_S = 0.7
#: the most tries of a file, each of which may be postponed
MOST_ROUNDS = 6


async def look_after(lane: Lane, chat: Chat) -> bool:
    """Return whether the sweep had work for a chat's files: to describe one, or to wake a chat with a new description.

    For pending files, claims and pauses are ended as if time had passed.
    """
    waiting = [one for one in await _references(chat) if one.get("is_open")]
    if waiting:
        await _time_passes(lane, waiting)
        await lane.fire("sweep")
        return True
    if any(not update["read"] and MEDIA_DESCRIBED in update["raw"] for update in await chat.inbox()):
        await asyncio.sleep(PAST_GRACE_S)
        await lane.fire("sweep")
        return True
    return False


async def _time_passes(lane: Lane, references: Iterable[Json]) -> None:
    ago, firestore = datetime.now(UTC) - AGO, lane.kept.firestore
    for one in references:
        media = firestore.document(f"media/{one['ref']['unique_id']}")
        kept = (await media.get()).to_dict() or {}
        if moments := {name: ago for name in ("claimed_until", "next_try_at") if kept.get(name)}:
            await media.update(moments)
        await firestore.document(f"references/{one['name']}").update({"try_at": ago})


async def faults_of_files(lane: Lane, chat: Chat, requests: Sequence[Request], *, was_struck: bool) -> KeptFaults:
    """Return the faults in a chat's files. A kill may cost at most one more description."""
    entries = await chat.transcript() if await chat.document() else []
    refs = [ref for entry in entries if entry["type"] == "message" for ref in entry["media_refs"]]
    kept = await _kept(lane, {ref["unique_id"] for ref in refs})
    told = told_in(entries)
    calls = sum(one.step.maker == DESCRIBING and one.step.what.startswith("Gemini") for one in requests)
    missing = [part for one in kept.values() for part in await _missing(lane, one)]
    references = await _references(chat)
    return KeptFaults(
        lost=(
            *(f"{name} is not described" for name, one in kept.items() if not _is_described(one)),
            *(f"{ref['unique_id']} has no reference" for ref in refs if not _found(references, ref)),
            *(f"a reference to {one['ref']['unique_id']} is open" for one in references if one.get("is_open")),
            *(f"{name} was not told" for name in kept if not any(name == of for of, _ in told)),
            *(f"{path} is recorded, and not stored" for path in missing),
            *await unrecorded(lane),
        ),
        doubled=(
            *(f"{name} of message {of} was told {count} times" for (name, of), count in told.items() if count > 1),
            *([f"{calls} descriptions were asked for"] if calls > len(kept) + was_struck else []),
        ),
    )


async def unrecorded(lane: Lane) -> list[str]:
    """Return the files in the bucket without a record, of which there must never be any."""
    stored = await asyncio.to_thread(_names_in, lane)
    known = {part async for one in lane.kept.firestore.collection("media").stream() for part in _paths(one.to_dict())}
    return [f"{path} is stored, and no record tells of it" for path in sorted(stored - known)]


def _names_in(lane: Lane) -> set[str]:
    return {str(blob.name) for blob in lane.kept.archive.client.list_blobs(lane.media_bucket)}


async def _missing(lane: Lane, kept: Json) -> list[str]:
    stored = await asyncio.to_thread(_names_in, lane)
    return [path for path in _paths(kept) if path not in stored]


def _paths(kept: Json | None) -> Iterable[str]:
    return [str(part["path"]) for part in (kept or {}).get("parts", ())]


async def _kept(lane: Lane, names: Iterable[str]) -> dict[str, Json]:
    return {name: (await lane.kept.firestore.document(f"media/{name}").get()).to_dict() or {} for name in names}


async def _references(chat: Chat) -> list[Json]:
    of_chat = chat.firestore.collection("references").where(filter=FieldFilter("chat", "==", chat.chat_key.id))
    return [{**(one.to_dict() or {}), "name": one.id} for one in await of_chat.get()]


def _found(references: Iterable[Json], ref: Json) -> bool:
    return any(one["ref"]["unique_id"] == ref["unique_id"] for one in references)


def _is_described(one: Any) -> bool:
    return isinstance(one, dict) and one.get("outcome", (one.get("description") or {}).get("outcome")) == "described"


def told_in(entries: Iterable[Json]) -> Counter[tuple[str, int]]:
    """Return how often the file of each message was reported, with the message or by a later update.

    Two messages may have the same file: for a late part of an album it is reported with the part, for the other parts
    it was reported before. A tick whose message waited long enough may find the description before an update reports
    it.
    """
    told: Counter[tuple[str, int]] = Counter()
    for entry in entries:
        if entry["type"] == "message":
            known = {ref["unique_id"] for ref in entry["media_refs"] if _is_described(ref.get("description"))}
            told.update((name, entry["message_id"]) for name in known)
        elif entry["type"] == "described" and entry["updates"] and _is_described(entry["description"]):
            told.update((entry["unique_id"], one) for one in entry["message_ids"])
    return told
