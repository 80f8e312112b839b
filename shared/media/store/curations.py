"""Curated edits in Firestore: descriptions that an agent's owner wrote in the console.

They replace a model's descriptions, but not those in the curated files of the deployment. Each agent has one document
with a field for each file, so that simultaneous edits lose nothing.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final

from google.cloud.firestore_v1 import DELETE_FIELD
from google.cloud.firestore_v1.async_client import AsyncClient
from pydantic import AwareDatetime, ValidationError

from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.values.curated import CuratedMedia

#: the most edits of an agent: a document has at most 1 MiB. More of them belong in files
MOST_EDITS: Final = 400
#: how long an instance uses the edits that it has read
FRESH_EDITS: Final = timedelta(minutes=1)


class CuratedEdit(CuratedMedia):
    """A description of a file that an agent's owner wrote, with the owner's id and the time."""

    by: int
    edited_at: AwareDatetime


class FirestoreCurations:
    """The curated edits of all agents, cached for a minute. Methods may raise StoreUnavailable or StoreRefused."""

    def __init__(self, client: AsyncClient, clock: Callable[[], datetime]) -> None:
        """`client` must have been made inside the running event loop."""
        self.client, self._clock = client, clock
        self._known: dict[str, tuple[datetime, Mapping[str, CuratedEdit]]] = {}

    async def of_agent(self, agent: str) -> Mapping[str, CuratedEdit]:
        """Return an agent's edits as a map from the file's unique id. Costs one read, unless the cache has them."""
        now, known = self._clock(), self._known.get(agent)
        if known is not None and now < known[0] + FRESH_EDITS:
            return known[1]
        with translate_errors("read curated descriptions"):
            found = await self.client.document(paths.curations_path(agent)).get(retry=RETRY, timeout=CALL_SECONDS)
        edits = decode_edits(found.to_dict())
        self._known[agent] = now, edits
        return edits

    async def keep(self, agent: str, edit: CuratedEdit) -> None:
        """Store an edit. It replaces an earlier edit of the same file."""
        await self._write(agent, {edit.unique_id: edit.model_dump(mode="python")})

    async def delete(self, agent: str, unique_id: str) -> None:
        """Delete the edit of a file, so that the model's description is used again."""
        await self._write(agent, {unique_id: DELETE_FIELD})

    async def _write(self, agent: str, fields: Mapping[str, Any]) -> None:
        self._known.pop(agent, None)
        document = self.client.document(paths.curations_path(agent))
        with translate_errors("store a curated description"):
            await document.set({"edits": dict(fields)}, merge=True, retry=RETRY, timeout=CALL_SECONDS)


def decode_edits(document: layout.Document | None) -> Mapping[str, CuratedEdit]:
    """Return the edits in a document. Edits of an unknown form are left out."""
    found, stored = dict[str, CuratedEdit](), (document or {}).get("edits")
    for name, one in stored.items() if isinstance(stored, Mapping) else ():
        with suppress(ValidationError):
            found[name] = CuratedEdit.model_validate(one)
    return found
