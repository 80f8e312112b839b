"""Invitations in Firestore: fields of the bot's document, which also has the people whom the invitations let in."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from google.cloud.firestore_v1 import DELETE_FIELD
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.field_path import FieldPath
from pydantic import ValidationError

from shared.base.errors import StoreUnavailable
from shared.chat.store import layout, paths
from shared.chat.store.access_lists import decode_access_list, overlong_names
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, translate_errors
from shared.values.invitation import MOST_OPEN, REPEATED, Invitation, Redemption
from shared.values.trust import MOST_PEOPLE, AdmittedPerson, TrustTier

if TYPE_CHECKING:
    from shared.chat.store.access_lists import FirestoreAccessLists

_FIELD: Final = "invitations"
#: tries of a write when many people open one link at once; and the seconds to wait between two tries, longer each time
#: up to a second
TRIES: Final = 12
_FIRST_PAUSE_S: Final = 0.03
_LONGEST_PAUSE_S: Final = 1.0


class FirestoreInvitations:
    """The invitations of all agents. Every method raises StoreUnavailable or StoreRefused."""

    def __init__(self, client: AsyncClient, access_lists: FirestoreAccessLists) -> None:
        """`client` belongs to the running loop.

        `access_lists` must be the object that the other parts of this process use, since `redeem` drops the list from
        its cache.
        """
        self.client = client
        self.access_lists = access_lists

    async def open(self, agent: str, now: datetime) -> Sequence[Invitation]:
        """Return the open invitations, the newest first."""
        kept = _decode((await self._read(agent)).to_dict())
        return sorted((one for one in kept.values() if one.is_open(now)), key=lambda one: one.made_at, reverse=True)

    async def keep(self, agent: str, invitation: Invitation, now: datetime) -> bool:
        """Store a new invitation and delete expired and used-up ones. Return False if MOST_OPEN are open already.

        If the invitation is already stored, it is not changed.
        """
        kept = _decode((await self._read(agent)).to_dict())
        if invitation.id in kept:
            return True
        over = {name: DELETE_FIELD for name, one in kept.items() if not one.is_open(now)}
        if len(kept) - len(over) >= MOST_OPEN:
            return False
        await self._set(agent, {**over, invitation.id: invitation.model_dump(exclude={"id"})})
        return True

    async def revoke(self, agent: str, invitation_id: str) -> None:
        """Delete an invitation. The people whom it let in keep their access."""
        await self._set(agent, {invitation_id: DELETE_FIELD})

    async def redeem(self, agent: str, invitation_id: str, entry: AdmittedPerson) -> Redemption:
        """Let a person in by an invitation, at `entry.since`. The call may be repeated.

        One write counts the use and lets the person in, on the condition that nothing has changed since the read. So
        the limit of uses holds even if many people open the invitation at once.
        """
        pause = _FIRST_PAUSE_S
        for _ in range(TRIES):
            seen = await self._read(agent)
            found = _redemption(agent, seen.to_dict(), invitation_id, entry)
            if found is not Redemption.LET_IN:
                return found
            if await self._use(seen, invitation_id, entry):
                self.access_lists.drop(agent)
                return found
            await asyncio.sleep(random.uniform(0, pause))
            pause = min(2 * pause, _LONGEST_PAUSE_S)
        raise StoreUnavailable(
            "Firestore did not count the use of an invitation: its document kept changing; try again"
        )

    async def _use(self, seen: DocumentSnapshot[Any], invitation_id: str, entry: AdmittedPerson) -> bool:
        """Count the use and let the person in; return False if the document changed since it was read."""
        kept = _decode(seen.to_dict())[invitation_id]
        fields: dict[str, object] = {
            **overlong_names(seen.to_dict()),
            FieldPath("people", str(entry.id)).to_api_repr(): entry.model_dump(),
            FieldPath(_FIELD, invitation_id, "used").to_api_repr(): kept.used + 1,
        }
        same = self.client.write_option(last_update_time=seen.update_time)
        with translate_errors("let somebody in by an invitation"):
            try:
                document = self.client.document(seen.reference.path)
                await document.update(fields, option=same, retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED:
                return False
        return True

    async def _read(self, agent: str) -> DocumentSnapshot[Any]:
        with translate_errors("read an agent's invitations"):
            return await self.client.document(paths.bot_path(agent)).get(retry=RETRY, timeout=CALL_SECONDS)

    async def _set(self, agent: str, fields: Mapping[str, object]) -> None:
        document = self.client.document(paths.bot_path(agent))
        with translate_errors("change an agent's invitations"):
            await document.set({_FIELD: fields}, merge=True, retry=RETRY, timeout=CALL_SECONDS)


def _redemption(agent: str, document: layout.Document | None, invitation_id: str, entry: AdmittedPerson) -> Redemption:
    """Return the outcome of opening an invitation, from the bot's document."""
    access_list, invitation = decode_access_list(agent, document), _decode(document).get(invitation_id)
    tier = access_list.tier_of(entry.id)
    if tier is TrustTier.BLOCKED:
        return Redemption.OVER
    if tier is not TrustTier.STRANGER:
        stored = access_list.people.get(entry.id)
        is_repeated = (
            stored is not None and stored.invitation == invitation_id and entry.since - stored.since < REPEATED
        )
        return Redemption.REPEATED if is_repeated else Redemption.IS_IN
    if invitation is None or not invitation.is_open(entry.since):
        return Redemption.OVER
    return Redemption.FULL if len(access_list.people) >= MOST_PEOPLE else Redemption.LET_IN


def _decode(document: layout.Document | None) -> dict[str, Invitation]:
    kept, found = (document or {}).get(_FIELD), dict[str, Invitation]()
    for name, one in kept.items() if isinstance(kept, Mapping) else ():
        with suppress(ValidationError, TypeError):
            found[name] = Invitation.model_validate({**one, "id": name})
    return found
