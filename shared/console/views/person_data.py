"""A person's data: the chats that contain it, its export and its deletion; also, all running exports and deletions."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_query import FieldFilter
from pydantic import ValidationError

from shared.chat.queue import JobQueue
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.queries import DELETIONS_DUE, DELETIONS_OF_PERSON, EXPORTS_DUE
from shared.console.chat_names import chat_names
from shared.console.logs_link import logs_url
from shared.console.posted import posted_click
from shared.console.route import BadRequest, ConsoleRequest, ConsoleRoute, NotFound, OutdatedPage
from shared.console.services import ConsoleServices
from shared.console.views.status import moment_in
from shared.privacy.export.service import ExportService
from shared.privacy.places import stored_places
from shared.privacy.store.deletion_lookup import FirestoreDeletionLookup
from shared.privacy.store.deletions import FirestoreDeletions
from shared.privacy.store.exports import FirestoreExports
from shared.values.chat_key import ChatKey
from shared.values.deletion import GRACE, ROUND_STEPS, Deletion, DeletionScope, deletion_id
from shared.values.export import Export

#: the time after which a person may be deleted again
LATELY: Final = timedelta(days=1)
#: running deletions and exports that are shown
_MOST_RUNNING: Final = 50


@dataclass(frozen=True, kw_only=True)
class PersonPlaces:
    """The chats that contain data of a person: private chats, and groups with their stored titles."""

    person: int
    private: Sequence[ChatKey]
    groups: Mapping[str, str]

    @property
    def is_known(self) -> bool:
        return bool(self.private or self.groups)


@dataclass(frozen=True, kw_only=True)
class PersonData:
    """Starts exports and deletions, and reads their progress. Every method may raise a StoreError.

    `is_open`: whether the deployment has a bucket for exports.
    """

    client: AsyncClient
    jobs: JobQueue
    is_open: bool

    async def places(self, person: int, agents: Collection[str]) -> PersonPlaces:
        """Return the chats of these agents that contain data of a person."""
        lookup = FirestoreDeletionLookup(self.client)
        chats, groups = await asyncio.gather(lookup.chats_of(person), lookup.groups_of(person))
        ours = [key for key in groups if key.agent in agents]
        return PersonPlaces(
            person=person,
            private=[key for key in chats if key.agent in agents],
            groups=await chat_names(self.client, [key.id for key in ours]),
        )

    async def export(self, person: int) -> Export | None:
        """Return a person's newest export; None if there is none."""
        return (await FirestoreExports(self.client).find(person)).export

    async def deletions(self, person: int) -> Sequence[Deletion]:
        """Return a person's deletions, the newest first."""
        query = DELETIONS_OF_PERSON.on(self.client, person)
        with translate_errors("read deletions"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        known = [one for one in map(_deletion, (snapshot.to_dict() for snapshot in found)) if one is not None]
        return sorted(known, key=lambda one: one.asked_at, reverse=True)

    async def start_export(self, key: ChatKey, language: str, now: datetime) -> Export | None:
        """Start the export for the person of a private chat, or return the one that is running.

        None if the deployment has no bucket for exports. Raises a QueueError.
        """
        exports = FirestoreExports(self.client)
        service = ExportService(exports=exports, queue=self.jobs, is_open=self.is_open)
        return await service.ask(key, language, now)

    async def start_deletion(self, key: ChatKey, person: int, of: str, now: datetime) -> Deletion | None:
        """Start the deletion of a person's data. `key` is the owner's private chat, and `of` is the id of the click.

        Return None if another click started a deletion of the same data less than a day ago. No receipt is sent, since
        the console shows the progress. Raises a QueueError.
        """
        deletion = Deletion(
            id=deletion_id(key.agent, DeletionScope.PERSON, str(person), f"console {of}"),
            scope=DeletionScope.PERSON,
            person=person,
            chat=key.id,
            asked_at=now,
            due_at=now + GRACE,
            is_told=True,
        )
        known = await self.deletions(person)
        if any(one.asked_at > now - LATELY and one.id != deletion.id for one in known):
            return None
        await FirestoreDeletions(self.client, self.jobs).ask(deletion)
        return deletion

    async def running(self, agents: Collection[str], now: datetime) -> tuple[Sequence[Deletion], Sequence[Export]]:
        """Return the deletions and exports of these agents that are not finished."""
        late = now + timedelta(days=2)  # a deletion waits for at most a day
        deletions = await self._due(DELETIONS_DUE.on(self.client).where(filter=FieldFilter("due_at", "<", late)))
        exports = await self._due(EXPORTS_DUE.on(self.client).where(filter=FieldFilter("due_at", "<", late)))
        erasing = [one for one in map(_deletion, deletions) if one is not None and one.key.agent in agents]
        gathering = [one for one in map(_export, exports) if one is not None and one.agent in agents]
        return erasing, gathering

    async def _due(self, query: Any) -> Sequence[dict[str, Any]]:
        with translate_errors("read what is deleted and exported"):
            found = await query.limit(_MOST_RUNNING).get(retry=RETRY, timeout=CALL_SECONDS)
        return [one.to_dict() or {} for one in found]


def deletion_json(deletion: Deletion, steps: int) -> Mapping[str, Any]:
    """Return the progress of a deletion. A deletion has two rounds, each of `steps` steps."""
    done = steps * (deletion.round - 1) + len(deletion.done)
    return {
        "id": deletion.id,
        "scope": deletion.scope.value,
        "person": deletion.person,
        "agent": deletion.key.agent,
        "asked_at": deletion.asked_at.isoformat(),
        "due_at": deletion.due_at.isoformat() if deletion.due_at is not None else None,
        "is_done": deletion.due_at is None,
        "round": deletion.round,
        "share": 1.0 if deletion.due_at is None else min(1.0, done / (2 * steps)),
        "counts": deletion.counts,
        "has_refused": bool(deletion.refused),
    }


def export_json(export: Export) -> Mapping[str, Any]:
    """Return the progress of an export."""
    return {
        "person": export.person,
        "agent": export.agent,
        "asked_at": export.asked_at.isoformat(),
        "state": export.state.value,
        "done": export.done,
        "total": export.total,
        "parts": len(export.parts),
        "bytes": sum(part.size for part in export.parts),
        "has_arrived": export.is_over and export.has_arrived,
    }


def _deletion(document: dict[str, Any] | None) -> Deletion | None:
    try:
        return Deletion.model_validate(document)
    except ValidationError:
        return None


def _export(document: dict[str, Any]) -> Export | None:
    try:
        return Export.model_validate(document)
    except ValidationError:
        return None


async def show_person_data(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return where a person's data is, what a deletion or an export covers, the last export, and all deletions."""
    data, places = await _places(services, request)
    export, deletions = await data.export(places.person), await data.deletions(places.person)
    await services.record_look(request, "person_data", "")
    return {
        "person": places.person,
        "private": [{"chat": key.id, "agent": key.agent} for key in places.private],
        "groups": [
            {"chat": chat, "title": title, "agent": ChatKey.from_id(chat).agent}
            for chat, title in places.groups.items()
        ],
        "places": [
            {"collection": one.collection, "holds": one.holds, "forgotten": one.forgotten, "is_kept": one.is_kept,
             "restored": one.restored, "exported": list(one.exported)}
            for one in stored_places()
        ],
        "export": export_json(export) if export is not None and export.agent in request.agents else None,
        "deletions": [deletion_json(one, ROUND_STEPS) for one in deletions if one.key.agent in request.agents],
        "may_export": data.is_open and bool(places.private),
        "may_forget": services.agents <= set(request.agents),
    }  # fmt: skip


async def export_person_data(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Start a person's export. It is sent to the person's private chat with an agent, and to nobody else."""
    data, places = await _places(services, request)
    if not places.private:
        raise BadRequest("export_has_no_chat")
    async with services.record_change(request, "export_person") as click:
        export = await data.start_export(places.private[0], "", click.at)
        if export is None:
            raise BadRequest("export_has_no_bucket")
        if export.agent not in request.agents:
            raise BadRequest("export_is_running")
    return export_json(export)


async def forget_person(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Start the deletion of a person's data. `confirm` must be the person's id, as the owner typed it."""
    data, places = await _places(services, request)
    if not services.agents <= set(request.agents):
        raise BadRequest("forget_of_others")
    if str(request.body.get("confirm", "")).strip() != str(places.person):
        raise BadRequest("forget_not_confirmed")
    of, key = posted_click(request), ChatKey(agent=request.agents[0], chat_id=request.owner)
    async with services.record_change(request, "forget_person") as click:
        deletion = await data.start_deletion(key, places.person, of, click.at)
        if deletion is None:
            raise BadRequest("forgotten_lately")
    return deletion_json(deletion, ROUND_STEPS)


async def list_running(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the deletions and exports of the owner's agents that are not finished."""
    deletions, exports = await _data(services).running(request.agents, services.clock())
    return {
        "deletions": [deletion_json(one, ROUND_STEPS) for one in deletions],
        "exports": [export_json(one) for one in exports],
    }


async def find_logs(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the address of the log entries with a trace; "" on a local machine, where logs are files."""
    url = logs_url(services.project, request.query.get("trace", ""), moment_in(request.query, "at"))
    if url is None:
        raise OutdatedPage("trace must be a W3C trace id of 32 hexadecimal digits.")
    return {"url": "" if services.is_local else url}


def _data(services: ConsoleServices) -> PersonData:
    return PersonData(client=services.client, jobs=services.jobs, is_open=services.has_exports)


async def _places(services: ConsoleServices, request: ConsoleRequest) -> tuple[PersonData, PersonPlaces]:
    """Return the chats with data of the person in the path. Raises NotFound if no agent of the owner knows them."""
    written, data = request.path["person"], _data(services)
    if not (written.isdecimal() and len(written) <= 16 and int(written)):
        raise NotFound
    places = await data.places(int(written), request.agents)
    if not places.is_known:
        raise NotFound
    return data, places


ROUTES = (
    ConsoleRoute("GET", "/api/person-data/{person}", show_person_data),
    ConsoleRoute("POST", "/api/person-data/{person}/export", export_person_data),
    ConsoleRoute("POST", "/api/person-data/{person}/forget", forget_person),
    ConsoleRoute("GET", "/api/person-data", list_running),
    ConsoleRoute("GET", "/api/logs", find_logs),
)
