"""Incidents in Firestore, for listing and replaying them."""

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from google.cloud.firestore_v1.async_query import AsyncQuery
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from pydantic import ValidationError

from shared.base.errors import WriteConflict
from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, ProjectStore, translate_errors
from shared.chat.store.incidents import decode_incident
from shared.chat.store.queries import INCIDENTS, INCIDENTS_OF_KIND
from shared.values.incident import Incident, IncidentKind
from shared.values.update import InboxUpdate

PAGE = 100
#: valid names of documents in Firestore (firebase.google.com/docs/firestore/quotas)
DOCUMENT_ID = re.compile(r"(?!\.{1,2}$)(?!__.*__$)[^/]{1,300}")


@dataclass(frozen=True, kw_only=True)
class IncidentSnapshot:
    """An incident as it was read, with the version of its document. Writes fail if the stored version has changed."""

    incident: Incident
    version: object


class FirestoreIncidents(ProjectStore):
    """The incidents. Each instance has one client, made inside the running event loop.

    Calls may raise StoreUnavailable.
    """

    async def newest(self, kind: IncidentKind | None, limit: int, *, also_replayed: bool) -> Sequence[Incident]:
        """Return the newest incidents of one kind, or of all kinds if `kind` is None, newest first."""
        query = INCIDENTS.on(self.client) if kind is None else INCIDENTS_OF_KIND.on(self.client, kind.value)
        incidents: list[Incident] = []
        async for snapshot in _all(query):
            incident = _incident(snapshot)
            if incident is not None and (also_replayed or incident.replayed_at is None):
                incidents.append(incident)
            if len(incidents) == limit:
                break
        return incidents

    async def find(self, incident_id: str) -> IncidentSnapshot | None:
        """Return the incident with this id; None if there is none, or if the id is malformed."""
        if not DOCUMENT_ID.fullmatch(incident_id):
            return None
        with translate_errors("read an incident"):
            snapshot = await self._reference(incident_id).get(retry=RETRY, timeout=CALL_SECONDS)
        incident = _incident(snapshot) if snapshot.exists else None
        return None if incident is None else IncidentSnapshot(incident=incident, version=snapshot.update_time)

    async def note_replay(self, seen: IncidentSnapshot, at: datetime) -> None:
        """Store the time of the replay. Raises WriteConflict if the incident changed since it was read."""
        await self._commit(seen, None, at)

    async def drop(self, seen: IncidentSnapshot, at: datetime) -> None:
        """Record that nothing is to be done about an incident. Raises WriteConflict if it changed since it was read."""
        unchanged = self.client.write_option(last_update_time=seen.version)
        with translate_errors("drop an incident"):
            try:
                await self._reference(seen.incident.id).update(
                    {"dropped_at": at}, option=unchanged, retry=RETRY, timeout=CALL_SECONDS
                )
            except CHANGED as cause:
                stored = await self.find(seen.incident.id)
                if stored is None or stored.incident.dropped_at != at:
                    raise WriteConflict("somebody else has changed the incident meanwhile; look at it again") from cause

    async def put_back(self, seen: IncidentSnapshot, update: InboxUpdate, at: datetime) -> None:
        """Make the update unread and note the replay, in one commit. Raises a StoreError."""
        await self._commit(seen, update, at)

    async def _commit(self, seen: IncidentSnapshot, update: InboxUpdate | None, at: datetime) -> None:
        batch = self.client.batch()
        unchanged = self.client.write_option(last_update_time=seen.version)
        batch.update(self._reference(seen.incident.id), {"replayed_at": at}, option=unchanged)
        if update is not None:
            envelope = update.envelope
            path = paths.update_path(envelope.key, envelope.update_id)
            batch.set(self.client.document(path), layout.encode_update(update))
        with translate_errors("note a replay"):
            try:
                await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED as cause:
                stored = await self.find(seen.incident.id)
                # if the response to a commit is lost, the client repeats the commit and meets its own first write
                if stored is None or stored.incident.replayed_at != at:
                    raise WriteConflict("somebody else replayed the incident meanwhile") from cause

    def _reference(self, incident_id: str) -> Any:
        return self.client.document(paths.incident_path(incident_id))


async def _all(query: AsyncQuery) -> AsyncIterator[DocumentSnapshot[Any]]:
    """Yield all results of a query, page by page."""
    page = query.limit(PAGE)
    while True:
        with translate_errors("list the incidents"):
            snapshots = await page.get(retry=RETRY, timeout=CALL_SECONDS)
        for snapshot in snapshots:
            yield snapshot
        if len(snapshots) < PAGE:
            return
        page = query.limit(PAGE).start_after(snapshots[-1])


def _incident(snapshot: DocumentSnapshot[Any]) -> Incident | None:
    try:
        return decode_incident(snapshot.to_dict())
    except ValidationError:
        log("an incident has a form that this version does not know", id=snapshot.id)
        return None
