"""The files that people and agents sent, as the console lists them, with descriptions by a model or by the owner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from google.cloud.firestore_v1.async_query import AsyncQuery

from shared.base.errors import InvalidPersona
from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.queries import (
    AGENTS_OF_FILE,
    NAME,
    REFERENCES_OF_AGENT,
    REFERENCES_OF_KIND,
    REFERENCES_OF_SET,
    Direction,
)
from shared.console.route import NotFound, OutdatedPage
from shared.media.store.curations import CuratedEdit, FirestoreCurations
from shared.media.store.media import decode_media, reference_in, references_in
from shared.planning.personas.media import curated_files
from shared.values.curated import CuratedMedia, keys_of
from shared.values.media import DescriptionOutcome, MediaKind
from shared.values.reference import FileReference
from shared.values.stored_media import StoredMedia, StoredPart

if TYPE_CHECKING:
    from pathlib import Path

    from shared.console.services import ConsoleServices

#: files on a page; references that are read at once, and at most, to fill it
FILES_PER_PAGE: Final = 24
REFERENCES_AT_ONCE: Final = 40
MOST_READS: Final = 5
#: the files that a filter shows, by its name in the address
FILTERS: Final[Mapping[str, frozenset[DescriptionOutcome | None]]] = {
    "": frozenset({None, *DescriptionOutcome}),
    "described": frozenset({DescriptionOutcome.DESCRIBED}),
    "failed": frozenset({DescriptionOutcome.PERMANENT_FAILURE}),
    "unsupported": frozenset({DescriptionOutcome.UNSUPPORTED}),
    "waiting": frozenset({None, DescriptionOutcome.TEMPORARY_FAILURE, DescriptionOutcome.BUDGET_EXHAUSTED}),
}
#: the filter that shows files with a description by hand
CURATED: Final = "curated"


@dataclass(frozen=True, kw_only=True)
class MediaFilter:
    """A filter for the list of files: a kind or a sticker set, and the state of the description."""

    agents: tuple[str, ...]
    kind: str = ""
    set_name: str = ""
    shown: str = ""

    def __post_init__(self) -> None:
        """Raise OutdatedPage for an unknown `kind` or `shown`."""
        if self.kind and self.kind not in set(MediaKind):
            raise OutdatedPage(f"Unknown kind of file; expected one of: {', '.join(MediaKind)}.")
        if self.shown != CURATED and self.shown not in FILTERS:
            raise OutdatedPage(f"Unknown filter; expected one of: {', '.join((*FILTERS, CURATED))}.")

    def query(self, services: ConsoleServices) -> AsyncQuery:
        """Return the query for the references to matching files, the newest first."""
        agents, client = list(self.agents), services.client
        if self.set_name:
            return REFERENCES_OF_SET.on(client, agents, self.set_name)
        if self.kind:
            return REFERENCES_OF_KIND.on(client, agents, self.kind)
        return REFERENCES_OF_AGENT.on(client, agents)

    def shows(self, file: ConsoleFile) -> bool:
        """Return whether a file's description has the state that `shown` asks for. The query cannot check this."""
        if self.shown == CURATED:
            return file.curated is not None or file.edit is not None
        outcome = file.media.description.outcome if file.media is not None and file.media.description else None
        return outcome in FILTERS[self.shown]


@dataclass(frozen=True, kw_only=True)
class ConsoleFile:
    """A file that was sent to an agent. It may have a model's description, one in `agents/`, and one by the owner."""

    reference: FileReference
    media: StoredMedia | None
    #: the file of the deployment that describes it, which wins over the owner's edit; None if there is none
    curated: tuple[Path, CuratedMedia] | None
    edit: CuratedEdit | None

    def to_json(self) -> dict[str, Any]:
        """Return the file as JSON for the page."""
        ref, media = self.reference.ref, self.media
        return {
            "unique_id": ref.unique_id,
            "agent": self.reference.agent,
            "kind": ref.kind.value,
            "emoji": ref.emoji,
            "set": ref.set_name,
            "sent_at": self.reference.at.isoformat(),
            "is_own": self.reference.key is None,
            "parts": [
                {"number": number, "type": part.mime_type, "size": part.size}
                for number, part in enumerate(media.parts if media else ())
            ],
            "facts": media.facts.model_dump(exclude_defaults=True) if media else {},
            "ai": _description(media) if media else None,
            "file": _by_file(*self.curated) if self.curated else None,
            "edit": _by_owner(self.edit) if self.edit else None,
        }


def _description(media: StoredMedia) -> dict[str, Any]:
    found = media.description
    return {
        "outcome": found.outcome.value if found else "",
        "shows": found.shows if found else "",
        "written": (found.written or "") if found else "",
        "says": found.says if found else "",
        "is_cut": bool(found and found.is_cut),
        "why": found.why if found else "",
        "source": found.source if found else "",
        "tries": media.tries,
        "next_try_at": media.next_try_at.isoformat() if media.next_try_at else None,
        "updated_at": media.updated_at.isoformat(),
        "is_again": media.again is not None,
        "again_failure": media.again_failure,
    }


def _by_file(path: Path, one: CuratedMedia) -> dict[str, Any]:
    return {"text": one.description, "file": file_name(path)}


def file_name(path: Path) -> str:
    """Return a file's path from the last folder `agents` on; if there is none, the last three parts of the path."""
    parts = path.parts
    begins = max((n for n, part in enumerate(parts[:-1]) if part == "agents"), default=max(0, len(parts) - 3))
    return "/".join(parts[begins:])


def _by_owner(edit: CuratedEdit) -> dict[str, Any]:
    return {"text": edit.description, "edited_at": edit.edited_at.isoformat(), "by": edit.by}


async def list_files(services: ConsoleServices, wanted: MediaFilter, after: str) -> Mapping[str, Any]:
    """Return a page of files. A file that several people sent is listed once on a page."""
    found, seen = list[dict[str, Any]](), set[tuple[str, str]]()
    edits = await edits_of(services, wanted.agents)
    for _ in range(MOST_READS if wanted.agents else 0):
        page = wanted.query(services).order_by(NAME, direction=Direction.DESCENDING.value).limit(REFERENCES_AT_ONCE)
        if after:
            page = page.start_after(_position(services, after))
        with translate_errors("list files"):
            read = await page.get(retry=RETRY, timeout=CALL_SECONDS)
        references = {one.reference.id: reference_in(one) for one in read}
        media = await stored_media(services, [one for one in references.values() if one is not None])
        for snapshot in read:
            reference = references[snapshot.reference.id]
            after = f"{snapshot.get('at').isoformat()} {snapshot.reference.id}"
            if reference is None or (reference.ref.unique_id, reference.agent) in seen:
                continue
            seen.add((reference.ref.unique_id, reference.agent))
            file = _file(services, reference, media.get(reference.ref.unique_id), edits)
            if wanted.shows(file):
                found.append(file.to_json())
                if len(found) == FILES_PER_PAGE:
                    return {"items": found, "next": after}
        if len(read) < REFERENCES_AT_ONCE:
            return {"items": found, "next": ""}
    return {"items": found, "next": after}


def _position(services: ConsoleServices, after: str) -> dict[str, Any]:
    moment, _, name = after.partition(" ")
    try:
        at = datetime.fromisoformat(moment)
        return {"at": at, NAME: services.client.document(paths.reference_path(name))}
    except ValueError:
        raise OutdatedPage("The list has changed. Load the page again.") from None


async def stored_media(
    services: ConsoleServices, references: Sequence[FileReference]
) -> Mapping[str, StoredMedia | None]:
    """Return the stored descriptions of files by unique id; None for a file that has none."""
    names = dict.fromkeys(one.ref.unique_id for one in references if one.ref.unique_id)
    documents = [services.client.document(paths.media_path(name)) for name in names]
    with translate_errors("read what files show"):
        found = services.client.get_all(documents, retry=RETRY, timeout=CALL_SECONDS)
        return {one.id: decode_media(one.to_dict()) async for one in found}


async def find_file(services: ConsoleServices, unique_id: str, agents: Sequence[str]) -> ConsoleFile:
    """Return a file that was sent to one of these agents. Raises NotFound."""
    if not unique_id or "/" in unique_id or not agents:
        raise NotFound
    query = AGENTS_OF_FILE.on(services.client, unique_id, list(agents)).limit(REFERENCES_AT_ONCE)
    with translate_errors("find who sent a file"):
        references = references_in(await query.get(retry=RETRY, timeout=CALL_SECONDS))
    if not references:
        raise NotFound
    newest = max(references, key=lambda one: one.at)
    media = await stored_media(services, [newest])
    return _file(services, newest, media.get(unique_id), await edits_of(services, [newest.agent]))


async def find_part(services: ConsoleServices, unique_id: str, number: str, agents: Sequence[str]) -> StoredPart:
    """Return one part, such as a picture, of a file sent to one of these agents. Costs two reads. Raises NotFound."""
    if not unique_id or "/" in unique_id or not agents or not number.isdecimal():
        raise NotFound
    query = AGENTS_OF_FILE.on(services.client, unique_id, list(agents)).select([]).limit(1)
    with translate_errors("find who sent a file"):
        is_theirs = bool(await query.get(retry=RETRY, timeout=CALL_SECONDS))
        found = await services.client.document(paths.media_path(unique_id)).get(retry=RETRY, timeout=CALL_SECONDS)
    media = decode_media(found.to_dict()) if is_theirs else None
    if media is None or int(number) >= len(media.parts):
        raise NotFound
    return media.parts[int(number)]


def _file(
    services: ConsoleServices,
    reference: FileReference,
    media: StoredMedia | None,
    edits: Mapping[str, Mapping[str, CuratedEdit]],
) -> ConsoleFile:
    ref = reference.ref
    curated = curated_by_key(services.agent_folders, reference.agent)
    return ConsoleFile(
        reference=reference,
        media=media,
        curated=next((curated[key] for key in keys_of(ref) if key in curated), None),
        edit=edits.get(reference.agent, {}).get(ref.unique_id),
    )


async def edits_of(services: ConsoleServices, agents: Sequence[str]) -> Mapping[str, Mapping[str, CuratedEdit]]:
    """Return the owner's descriptions of files, by agent and unique id."""
    store = FirestoreCurations(services.client, services.clock)
    return {agent: await store.of_agent(agent) for agent in agents}


@lru_cache(maxsize=64)
def curated_by_key(folders: tuple[Path, ...], agent: str) -> Mapping[tuple[str, str], tuple[Path, CuratedMedia]]:
    """Return each description in the agent's folder with its path, under every key of the file that it describes.

    Return {} if a file in the folder has a mistake. The view of personas reports the mistake.
    """
    try:
        return dict(_by_key(folders, agent))
    except InvalidPersona:
        return {}


def _by_key(folders: tuple[Path, ...], agent: str) -> Iterator[tuple[tuple[str, str], tuple[Path, CuratedMedia]]]:
    for path, one in reversed(curated_files(folders, agent)):  # the first file of a picture wins, so it comes last
        yield from ((key, (path, one)) for key in one.names)
