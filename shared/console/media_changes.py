"""The owner's changes to files: writing and exporting descriptions, and having a model describe a file again."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Final

from shared.base.errors import WriteConflict
from shared.console.media_files import ConsoleFile, curated_by_key, edits_of
from shared.console.records import Click
from shared.console.route import BadRequest
from shared.llm.cost_bounds import cost_at_most
from shared.media.description_prompt import SCHEMA, describing_prompt
from shared.media.store.curations import MOST_EDITS, CuratedEdit, FirestoreCurations
from shared.media.store.media import FirestoreMedia
from shared.values.curated import LONGEST_CURATED, CuratedMedia, key_of
from shared.values.evolve import evolve
from shared.values.media import MediaKind, MediaRef
from shared.values.prepared import NO_FACTS, PDF, PreparedPart
from shared.values.reference import GRACE, describe_again_job
from shared.values.stored_media import DescribeAgain, StoredMedia

if TYPE_CHECKING:
    from shared.console.services import ConsoleServices

#: the type of the part that a model is shown of a file of this kind; a picture if it is not listed
_TYPES: Final[Mapping[MediaKind, str]] = {
    MediaKind.VOICE: "audio/ogg",
    MediaKind.AUDIO: "audio/ogg",
    MediaKind.VIDEO: "video/mp4",
    MediaKind.VIDEO_NOTE: "video/mp4",
    MediaKind.DOCUMENT: PDF,
}
#: characters that a file's name keeps
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_-]+")


async def keep_edit(services: ConsoleServices, file: ConsoleFile, text: str, owner: int, now: datetime) -> None:
    """Store the owner's description of a file; an empty text deletes it. Raises BadRequest.

    The model's description stays stored. It is used again after the owner's is deleted.
    """
    ref, agent = file.reference.ref, file.reference.agent
    store, text = FirestoreCurations(services.client, services.clock), " ".join(text.split())
    if not text:
        await store.delete(agent, ref.unique_id)
        return
    if file.curated is not None:
        raise BadRequest("file_of_deployment_wins")
    if len(text) > LONGEST_CURATED:
        raise BadRequest("description_too_long", count=LONGEST_CURATED)
    if file.edit is None and len(await store.of_agent(agent)) >= MOST_EDITS:
        raise BadRequest("too_many_descriptions", count=MOST_EDITS)
    edit = CuratedEdit(
        unique_id=ref.unique_id,
        kind=ref.kind,
        sticker_set_name=ref.set_name,
        sticker_name=ref.emoji,
        description=text,
        by=owner,
        edited_at=now,
    )
    await store.keep(agent, edit)


async def clear_covered(services: ConsoleServices, agent: str) -> int:
    """Delete the owner's descriptions of files that are now described in `agents/`. Return how many were deleted."""
    store, curated = FirestoreCurations(services.client, services.clock), curated_by_key(services.agent_folders, agent)
    covered = [name for name in await store.of_agent(agent) if ("", name) in curated]
    for name in covered:
        await store.delete(agent, name)
    return len(covered)


async def describe_again(services: ConsoleServices, file: ConsoleFile, owner: int, click: Click) -> None:
    """Have a model describe a file again, at the owner's cost. The old description stays until the new one is made.

    A repeated request asks for no other description if one was made after the first request. Raises BadRequest.
    """
    if not services.knowledge.media_model:
        raise BadRequest("no_media_model")
    if file.curated is not None or file.edit is not None:
        raise BadRequest("description_by_hand_wins")
    store, now = FirestoreMedia(services.client), click.at
    if not (click.is_repeated and file.media is not None and file.media.updated_at >= now):
        try:
            await store.ask_again(file.reference.ref, DescribeAgain(by=owner, agent=file.reference.agent, at=now))
        except WriteConflict:
            raise BadRequest("being_described") from None
    opened = evolve(file.reference, is_open=True, is_awaited=False, try_at=now + GRACE)
    await store.open_again(opened, opened.try_at)  # the sweep takes over if the job is lost
    await services.jobs.enqueue(describe_again_job(opened, now))


def describing_cost(services: ConsoleServices, ref: MediaRef, media: StoredMedia | None) -> float | None:
    """Return the highest cost of describing a file in US dollars; None if there is no model, or no known price."""
    model = services.knowledge.media_model
    if not model:
        return None
    stored = media.parts if media is not None else ()
    parts = [PreparedPart(one.mime_type, b"", one.duration_s) for one in stored]
    parts = parts or [PreparedPart(_TYPES.get(ref.kind, "image/jpeg"), b"", float(ref.duration_s))]
    prompt = describing_prompt(ref, parts, media.facts if media is not None else NO_FACTS)
    bound = cost_at_most(prompt, model, services.clock(), SCHEMA)
    return None if bound is None else bound / 1e9


async def export_edits(services: ConsoleServices, agent: str) -> bytes:
    """Return a zip with the owner's descriptions, as files for the folder `agents/` of the deployment."""
    edits = (await edits_of(services, [agent]))[agent]
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in exported_files(agent, edits.values()):
            archive.writestr(name, text)
    return content.getvalue()


def exported_files(agent: str, edits: Iterable[CuratedEdit]) -> Iterator[tuple[str, str]]:
    """Yield the path and the content of a JSON file for each description.

    Two stickers of a set may have the same emoji. Their JSON files then name only the sticker's unique id, since set
    and emoji would fit both stickers.
    """
    kept = sorted(edits, key=lambda one: (one.sticker_set_name, one.unique_id))
    names = Counter(key_of(one.sticker_set_name, one.sticker_name) for one in kept if one.sticker_set_name)
    for one in kept:
        fields = CuratedMedia.model_validate(one.model_dump(include=set(CuratedMedia.model_fields)))
        is_named = names[key_of(one.sticker_set_name, one.sticker_name)] == 1 and bool(one.sticker_name)
        left_out = set() if is_named else {"sticker_set_name", "sticker_name"}
        told = fields.model_dump(mode="json", exclude=left_out)
        stem = _UNSAFE.sub("-", f"{one.sticker_set_name}-{one.unique_id}".strip("-"))
        yield f"agents/{agent}/media/{stem}.json", f"{json.dumps(told, ensure_ascii=False, indent=2)}\n"
