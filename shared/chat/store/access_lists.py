"""Access lists in Firestore, stored in the bot's document. Each entry is a separate field."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar

from google.cloud.firestore_v1 import DELETE_FIELD
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.field_path import FieldPath
from pydantic import BaseModel, ValidationError

from shared.chat.store import layout, paths
from shared.chat.store.bots import decode_owner
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, translate_errors
from shared.values.money import OwnerLimits, SpendingLimits
from shared.values.trust import (
    FRESH,
    MOST_BLOCKED,
    MOST_GROUPS,
    MOST_PEOPLE,
    AccessList,
    AccessRules,
    AdmittedGroup,
    AdmittedPerson,
    AgentSilence,
    BlockedPerson,
    KeepingTerms,
    cut_name,
)

#: for each list in a bot's document, a text field of its entries that is cut
_NAMES: Final = (("people", "name"), ("groups", "title"), ("blocked", "name"), ("blocked", "why"))
EntryT = TypeVar("EntryT", bound=BaseModel)


class FirestoreAccessLists:
    """The access lists of all agents, cached by this instance.

    A change writes only single fields. So it may be repeated, and no simultaneous change is lost. This instance sees
    its own changes at once, and those of other instances after FRESH at the latest. Every method may raise
    StoreUnavailable or StoreRefused.
    """

    def __init__(self, client: AsyncClient, clock: Callable[[], datetime]) -> None:
        """`client` belongs to the running loop."""
        self.client = client
        self.clock = clock
        self._known: dict[str, tuple[datetime, AccessList]] = {}
        #: agent → how often its cached list was dropped. A list that was read before the last drop is not cached
        self._drops: dict[str, int] = {}
        #: agents whose stored names are known to be short enough
        self._short: set[str] = set()

    async def access_list(self, agent: str, at_most: timedelta = FRESH) -> AccessList:
        """Return an agent's access list that is at most `at_most` old. Costs a read if the cached list is older."""
        asked_at, drops = self.clock(), self._drops.get(agent, 0)
        known = self._known.get(agent)
        if known is not None and asked_at - known[0] < at_most:
            return known[1]
        with translate_errors("read an agent's access list"):
            found = await self.client.document(paths.bot_path(agent)).get(retry=RETRY, timeout=CALL_SECONDS)
        access_list = decode_access_list(agent, found.to_dict())
        if self._drops.get(agent, 0) == drops:
            self._known[agent] = asked_at, access_list
        return access_list

    async def let_in(self, agent: str, entry: AdmittedPerson) -> bool:
        """Let a person in. A blocked person stays blocked. Return False if there are MOST_PEOPLE already."""
        access_list = await self.access_list(agent)
        if len(access_list.people) >= MOST_PEOPLE and entry.id not in access_list.people:
            return False
        await self._write(agent, {"people": {str(entry.id): entry.model_dump()}})
        return True

    async def shut_out(self, agent: str, person: int) -> None:
        """Remove a person from the people who were let in."""
        await self._write(agent, {"people": {str(person): DELETE_FIELD}})

    async def block(self, agent: str, entry: BlockedPerson) -> bool:
        """Block a person, who must not be the owner. Return False if there are MOST_BLOCKED already."""
        access_list = await self.access_list(agent)
        if len(access_list.blocked) >= MOST_BLOCKED and entry.id not in access_list.blocked:
            return False
        await self._write(agent, {"blocked": {str(entry.id): entry.model_dump()}})
        return True

    async def unblock(self, agent: str, person: int) -> None:
        """Unblock a person. The tier that the person had before applies again."""
        await self._write(agent, {"blocked": {str(person): DELETE_FIELD}})

    async def let_group_in(self, agent: str, entry: AdmittedGroup, former: int = 0) -> bool:
        """Let a group and its members in. Return False if there are MOST_GROUPS already.

        `former`: the group's previous chat id, whose entry is replaced; 0 if it had none.
        """
        groups = (await self.access_list(agent)).groups
        if len(groups) >= MOST_GROUPS and entry.chat_id not in groups and former not in groups:
            return False
        place = {str(former): DELETE_FIELD} if former in groups else {}
        await self._write(agent, {"groups": {**place, str(entry.chat_id): entry.model_dump()}})
        return True

    async def shut_group_out(self, agent: str, chat_id: int) -> None:
        """Remove a group from the groups that were let in."""
        await self._write(agent, {"groups": {str(chat_id): DELETE_FIELD}})

    async def set_silenced(self, agent: str, silenced: AgentSilence | None) -> None:
        """Silence the agent everywhere; None ends the silence."""
        await self._write(agent, {"silenced": DELETE_FIELD if silenced is None else silenced.model_dump()})

    async def set_keeping(self, agent: str, terms: KeepingTerms | None) -> None:
        """Set until when exchanges with models are recorded; None ends the recording. Ticks see this within FRESH."""
        await self._write(agent, {"keeping": DELETE_FIELD if terms is None else terms.model_dump()})

    async def set_rules(self, agent: str, rules: AccessRules) -> None:
        """Store the owner's rules for strangers and groups, in place of earlier ones."""
        await self._replace(agent, ("rules",), rules.model_dump(exclude_none=True))

    async def set_limits(self, agent: str, part: str, limits: SpendingLimits) -> None:
        """Store the owner's limits for `part`, a field of `OwnerLimits`. Budgets see them after FRESH at the latest."""
        await self._replace(agent, ("limits", part), limits.model_dump(exclude_none=True))

    async def set_soft_share(self, agent: str, share: float | None) -> None:
        """Store the share of a limit above which the cheaper model answers; None: the deployment's setting applies."""
        await self._replace(agent, ("limits", "soft_share"), share)

    async def _replace(self, agent: str, place: tuple[str, ...], value: object) -> None:
        """Replace the field at the path `place` as a whole, so that no part of its old value stays."""
        document: Any = self.client.document(paths.bot_path(agent))  # its types know no single fields to merge
        fields: Any = value
        for name in reversed(place):
            fields = {name: fields}
        try:
            with translate_errors("change what an agent's owner set"):
                await document.set(fields, merge=[FieldPath(*place)], retry=RETRY, timeout=CALL_SECONDS)
        finally:
            self.drop(agent)

    def drop(self, agent: str) -> None:
        """Drop the cached access list of an agent, so that the next call reads it from Firestore."""
        self._drops[agent] = self._drops.get(agent, 0) + 1
        self._known.pop(agent, None)

    async def _write(self, agent: str, fields: layout.Document) -> None:
        document = self.client.document(paths.bot_path(agent))
        try:
            await self._shorten(agent)
            with translate_errors("change an agent's access list"):
                await document.set(fields, merge=True, retry=RETRY, timeout=CALL_SECONDS)
        finally:  # the write may have succeeded although no answer came
            self.drop(agent)

    async def _shorten(self, agent: str) -> None:
        """Cut overlong names in a stored access list, once for each agent, so that a full list has room again."""
        if agent in self._short:
            return
        document = self.client.document(paths.bot_path(agent))
        with translate_errors("change an agent's access list"):
            seen = await document.get(retry=RETRY, timeout=CALL_SECONDS)
            if fields := overlong_names(seen.to_dict()):
                same = self.client.write_option(last_update_time=seen.update_time)
                try:
                    await document.update(fields, option=same, retry=RETRY, timeout=CALL_SECONDS)
                except CHANGED:  # the next change cuts them
                    return
        self._short.add(agent)


def overlong_names(document: layout.Document | None) -> dict[str, str]:
    """Return the names that are too long for the access list, cut to the allowed length, by their fields' paths."""
    told = dict[str, str]()
    for access_list, field in _NAMES:
        entries = (document or {}).get(access_list)
        for name, entry in entries.items() if isinstance(entries, Mapping) else ():
            kept = entry.get(field) if isinstance(entry, Mapping) else None
            if isinstance(kept, str) and cut_name(kept) != kept:
                told[FieldPath(access_list, name, field).to_api_repr()] = cut_name(kept)
    return told


def decode_access_list(agent: str, document: layout.Document | None) -> AccessList:
    """Return the access list in a bot's document. Entries of an unknown form are left out."""
    kept = document or {}
    silenced = kept.get("silenced")
    return AccessList(
        agent=agent,
        owner=decode_owner(kept) or 0,
        people=_entries(kept.get("people"), AdmittedPerson),
        groups=_entries(kept.get("groups"), AdmittedGroup),
        blocked=_entries(kept.get("blocked"), BlockedPerson),
        silenced=None if silenced is None else _decode_silence(silenced),
        rules=_part(kept.get("rules"), AccessRules),
        limits=_part(kept.get("limits"), OwnerLimits),
        keeping=_decode_keeping(kept.get("keeping")),
    )


def _decode_keeping(kept: Any) -> KeepingTerms | None:
    """Return the terms on which exchanges are recorded; None if none are recorded, or if the form is unknown."""
    try:
        return None if kept is None else KeepingTerms.model_validate(kept)
    except ValidationError:
        return None


def _part(kept: Any, model: type[EntryT]) -> EntryT:
    """Return the owner's settings of the class `model`. Values of an unknown form are replaced by defaults."""
    fields = kept if isinstance(kept, Mapping) else {}
    found = dict[str, Any]()
    for name in model.model_fields:
        with suppress(ValidationError):
            if name in fields:
                found[name] = getattr(model.model_validate({name: fields[name]}), name)
    return model.model_validate(found)


def _entries(kept: Any, model: type[EntryT]) -> dict[int, EntryT]:
    found = dict[int, EntryT]()
    for name, one in kept.items() if isinstance(kept, Mapping) else ():
        with suppress(ValidationError, ValueError):
            found[int(name)] = model.model_validate(one)
    return found


def _decode_silence(kept: Any) -> AgentSilence:
    """Return who silenced the agent, and when. If the stored form is unknown, the agent counts as silenced too."""
    try:
        return AgentSilence.model_validate(kept)
    except ValidationError:
        return AgentSilence(since=datetime.fromtimestamp(0, UTC))
