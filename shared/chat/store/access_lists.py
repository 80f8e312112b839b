"""Access lists in Firestore: fields of the bot's document, beside its owner. Each entry is a field of its own."""

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
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, translated
from shared.values.trust import (
    FRESH,
    MOST_BLOCKED,
    MOST_GROUPS,
    MOST_PEOPLE,
    AccessList,
    AdmittedGroup,
    AdmittedPerson,
    AgentSilence,
    BlockedPerson,
    cut_name,
)

#: where names stand in a bot's document: the access list, and the field of each of its entries
_NAMES: Final = (("people", "name"), ("groups", "title"), ("blocked", "name"), ("blocked", "why"))
Entry = TypeVar("Entry", bound=BaseModel)


class FirestoreAccessLists:
    """The access lists of all agents, each known to this instance for a while.

    Each change is one write of single fields, which loses no other that is made at the same time and may be repeated.
    What this instance changes it sees at once; what another one changes, after FRESH at most. Every call raises
    StoreUnavailable or StoreRefused.
    """

    def __init__(self, client: AsyncClient, clock: Callable[[], datetime]) -> None:
        """`client` belongs to the running loop."""
        self.client = client
        self.clock = clock
        self._known: dict[str, tuple[datetime, AccessList]] = {}
        #: by agent, how often its access list was dropped: what was read before that is not kept
        self._drops: dict[str, int] = {}
        #: the agents whose stored access lists are known to have no longer names than they may have
        self._short: set[str] = set()

    async def access_list(self, agent: str, at_most: timedelta = FRESH) -> AccessList:
        """An agent's access list, at most so old. It costs a read when the known one is older, else nothing."""
        asked_at, drops = self.clock(), self._drops.get(agent, 0)
        known = self._known.get(agent)
        if known is not None and asked_at - known[0] < at_most:
            return known[1]
        with translated("read an agent's access list"):
            found = await self.client.document(paths.bot_path(agent)).get(retry=RETRY, timeout=CALL_SECONDS)
        access_list = decode_access_list(agent, found.to_dict())
        if self._drops.get(agent, 0) == drops:
            self._known[agent] = asked_at, access_list
        return access_list

    async def let_in(self, agent: str, entry: AdmittedPerson) -> bool:
        """Let a person in; who is blocked stays so. False if there are MOST_PEOPLE already: then nothing changes."""
        access_list = await self.access_list(agent)
        if len(access_list.people) >= MOST_PEOPLE and entry.id not in access_list.people:
            return False
        await self._write(agent, {"people": {str(entry.id): entry.model_dump()}})
        return True

    async def shut_out(self, agent: str, person: int) -> None:
        """Take back that a person was let in."""
        await self._write(agent, {"people": {str(person): DELETE_FIELD}})

    async def block(self, agent: str, entry: BlockedPerson) -> bool:
        """Block somebody; false if there are MOST_BLOCKED already. Whoever calls it makes sure it is not the owner."""
        access_list = await self.access_list(agent)
        if len(access_list.blocked) >= MOST_BLOCKED and entry.id not in access_list.blocked:
            return False
        await self._write(agent, {"blocked": {str(entry.id): entry.model_dump()}})
        return True

    async def unblock(self, agent: str, person: int) -> None:
        """Take back that somebody is blocked: they are again what they were before."""
        await self._write(agent, {"blocked": {str(person): DELETE_FIELD}})

    async def let_group_in(self, agent: str, entry: AdmittedGroup, former: int = 0) -> bool:
        """Let a group in, with all who write there; false if there are MOST_GROUPS already.

        `former` is the chat id that the group had before, 0 if it had none: this entry takes the place of that one.
        """
        groups = (await self.access_list(agent)).groups
        if len(groups) >= MOST_GROUPS and entry.chat_id not in groups and former not in groups:
            return False
        place = {str(former): DELETE_FIELD} if former in groups else {}
        await self._write(agent, {"groups": {**place, str(entry.chat_id): entry.model_dump()}})
        return True

    async def shut_group_out(self, agent: str, chat_id: int) -> None:
        """Take back that a group was let in."""
        await self._write(agent, {"groups": {str(chat_id): DELETE_FIELD}})

    async def set_silenced(self, agent: str, silenced: AgentSilence | None) -> None:
        """Have the agent answer nobody, anywhere; none: have it answer again."""
        await self._write(agent, {"silenced": DELETE_FIELD if silenced is None else silenced.model_dump()})

    def drop(self, agent: str) -> None:
        """Read the agent's access list anew the next time."""
        self._drops[agent] = self._drops.get(agent, 0) + 1
        self._known.pop(agent, None)

    async def _write(self, agent: str, fields: layout.Document) -> None:
        document = self.client.document(paths.bot_path(agent))
        try:
            await self._shorten(agent)
            with translated("change an agent's access list"):
                await document.set(fields, merge=True, retry=RETRY, timeout=CALL_SECONDS)
        finally:  # it may have been written although nobody said so
            self.drop(agent)

    async def _shorten(self, agent: str) -> None:
        """Cut the names in a stored access list to today's length, once, so that a full list has room again."""
        if agent in self._short:
            return
        document = self.client.document(paths.bot_path(agent))
        with translated("change an agent's access list"):
            seen = await document.get(retry=RETRY, timeout=CALL_SECONDS)
            if fields := shortened(seen.to_dict()):
                same = self.client.write_option(last_update_time=seen.update_time)
                try:
                    await document.update(fields, option=same, retry=RETRY, timeout=CALL_SECONDS)
                except CHANGED:  # the next change shortens it
                    return
        self._short.add(agent)


def shortened(document: layout.Document | None) -> dict[str, str]:
    """The names in a bot's document that are longer than an access list keeps, cut, by the paths of their fields."""
    told = dict[str, str]()
    for access_list, field in _NAMES:
        entries = (document or {}).get(access_list)
        for name, entry in entries.items() if isinstance(entries, Mapping) else ():
            kept = entry.get(field) if isinstance(entry, Mapping) else None
            if isinstance(kept, str) and cut_name(kept) != kept:
                told[FieldPath(access_list, name, field).to_api_repr()] = cut_name(kept)
    return told


def decode_access_list(agent: str, document: layout.Document | None) -> AccessList:
    """The access list in a bot's document, without entries of a form that only a newer lull knows."""
    kept = document or {}
    silenced = kept.get("silenced")
    return AccessList(
        agent=agent,
        owner=decode_owner(kept) or 0,
        people=_entries(kept.get("people"), AdmittedPerson),
        groups=_entries(kept.get("groups"), AdmittedGroup),
        blocked=_entries(kept.get("blocked"), BlockedPerson),
        silenced=None if silenced is None else _silenced(silenced),
    )


def _entries(kept: Any, model: type[Entry]) -> dict[int, Entry]:
    found = dict[int, Entry]()
    for name, one in kept.items() if isinstance(kept, Mapping) else ():
        with suppress(ValidationError, ValueError):
            found[int(name)] = model.model_validate(one)
    return found


def _silenced(kept: Any) -> AgentSilence:
    """The silence; one of another form is one as well, of which it is not known who asked for it."""
    try:
        return AgentSilence.model_validate(kept)
    except ValidationError:
        return AgentSilence(since=datetime.fromtimestamp(0, UTC))
