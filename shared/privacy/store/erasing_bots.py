"""Bots' documents in Firestore without somebody: whom the owner let in and blocked, and which chats are to wait."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.field_path import FieldPath
from google.cloud.firestore_v1.transforms import DELETE_FIELD

from shared.base.errors import Contended
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, translated
from shared.privacy.store.erasing_finding import pages_of
from shared.privacy.store.erasing_memories import memories_without
from shared.values.memory import Memory, MemoryOwner, MemoryScope
from shared.values.origin import is_made_of

#: the owner, flood waits and roster are written there: it seldom changes between a look and a write
TRIES: Final = 5


@dataclass(frozen=True)
class ToldOf:
    """Of whom and of which chats nothing is told any more that was written before the cut; 0: of nobody."""

    person: int
    chat_ids: Collection[int]
    cut: datetime

    def is_made_of_theirs(self, memory: Memory) -> bool:
        """Whether it was told by them, or may be made of their words elsewhere."""
        told = self.person != 0 and memory.source.person == self.person
        made = any(is_made_of(memory.elsewhere, one) for one in (self.person, *self.chat_ids) if one)
        return memory.made_at <= self.cut and (told or made)


async def bots_without(client: AsyncClient, of: ToldOf) -> int:
    """Delete what bots' documents and memories tell of somebody; how many there were.

    Who owns an agent goes on to own it. Who is blocked stays so, without a name: else forgetting would end a block.
    Whom the owner let in since is let in. Raises Contended for a document that changes all the time.
    """
    count = 0
    async for bot in pages_of(client.collection(paths.BOTS), "read bots"):
        count += await bot_without(client, bot, of)
        owner = MemoryOwner(scope=MemoryScope.AGENT, agent=bot.id)
        count += await memories_without(client, owner, of.is_made_of_theirs)
    return count


async def bot_without(client: AsyncClient, bot: DocumentSnapshot[Any], of: ToldOf) -> int:
    """Delete what one bot's document tells of somebody, as it was read; 1 if it told anything. Raises Contended."""
    for _ in range(TRIES):
        gone = _told_by(bot.to_dict() or {}, of)
        if not gone:
            return 0
        # what the owner changes meanwhile is not written over: who is unblocked then stays so
        same = client.write_option(last_update_time=bot.update_time)
        fields = {FieldPath(*path).to_api_repr(): value for path, value in gone.items()}
        with translated("erase what a bot's document tells of somebody"):
            try:
                await bot.reference.update(fields, option=same, retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED:
                bot = await bot.reference.get(retry=RETRY, timeout=CALL_SECONDS)
                continue
        return 1
    raise Contended("a bot's document changes all the time")


def _told_by(known: layout.Document, of: ToldOf) -> dict[tuple[str, str], object]:
    """What changes of a bot's document, by the path of each field."""
    gone: dict[tuple[str, str], object] = {}
    for chat_id in map(str, of.chat_ids):
        if chat_id in (known.get("waits") or {}):
            gone["waits", chat_id] = DELETE_FIELD
        group = _entry(known, "groups", chat_id, of.cut) or {}
        if group.get("title"):
            gone["groups", chat_id] = {**group, "title": ""}
    name = str(of.person)
    if _entry(known, "people", name, of.cut) is not None:
        gone["people", name] = DELETE_FIELD
    blocked = _entry(known, "blocked", name, of.cut) or {}
    if blocked.get("name") or blocked.get("why"):
        gone["blocked", name] = {**blocked, "name": "", "why": ""}
    return gone


def _entry(known: layout.Document, roster: str, name: str, cut: datetime) -> layout.Document | None:
    """An entry of a roster from before the cut; none: there is no such."""
    entry: layout.Document | None = (known.get(roster) or {}).get(name)
    since = (entry or {}).get("since")
    return entry if since is None or since <= cut else None
