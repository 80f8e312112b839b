"""Profiles of people, and Telegram's data on chats and sticker sets."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from google.cloud.firestore_v1 import DELETE_FIELD, Increment

from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, FirestoreStore, translate_errors
from shared.values.chat_key import ChatKey
from shared.values.stickers import SetSticker, StickerSet

#: how long outdated data is kept for use when Telegram does not answer
KEPT_STALE = timedelta(days=30)


class DailyCounter(StrEnum):
    """The things that are counted for each person and day."""

    REMINDED = "reminded"  #: reminders that repeat several times a day
    READ = "read"  #: documents that commands read for the person


@dataclass(frozen=True, kw_only=True)
class DailyQuota:
    """The daily quota that an agent gives to each person; `day` is written as 2026-11-28."""

    counted: DailyCounter
    agent: str
    day: str
    most: int


@dataclass(frozen=True, kw_only=True)
class PersonProfile:
    """Data that a person gave about themselves. A field is "" if the person did not give it."""

    pronouns: str = ""
    #: `set_zone` is the time zone that the person set with /zone; `said_zone` is one that they mentioned to an agent
    set_zone: str = ""
    said_zone: str = ""

    @property
    def zone(self) -> str:
        """The time zone in which the person writes times: the one that they set, or else one that they mentioned."""
        return self.set_zone or self.said_zone


@dataclass(frozen=True, kw_only=True)
class StoredStickerSet:
    """Telegram's answer about a sticker set. From `fresh_until` on, Telegram is asked again.

    `found` is None if Telegram has no such set.
    """

    found: StickerSet | None
    fresh_until: datetime


@dataclass(frozen=True, kw_only=True)
class MemberCount:
    """Telegram's answer about the number of members of a chat. From `fresh_until` on, Telegram is asked again.

    `count` is None if Telegram did not give the number.
    """

    count: int | None
    fresh_until: datetime


class FirestorePeople(FirestoreStore):
    """Profiles of people, for all agents. Every method may raise StoreUnavailable or StoreRefused."""

    async def profile(self, person_id: int) -> PersonProfile:
        """Return a person's profile; one with empty fields if nothing is stored."""
        with translate_errors("read what a person told"):
            found = await self.client.document(paths.person_path(person_id)).get(retry=RETRY, timeout=CALL_SECONDS)
        kept = found.to_dict() or {}
        told = (kept.get(name) for name in ("pronouns", "zone", "said_zone"))
        pronouns, zone, said = (one if isinstance(one, str) else "" for one in told)
        return PersonProfile(pronouns=pronouns, set_zone=zone, said_zone=said)

    async def keep_pronouns(self, person_id: int, pronouns: str, at: datetime) -> None:
        """Store a person's pronouns; "" deletes them."""
        with translate_errors("store a person's pronouns"):
            await self._keep(person_id, {"pronouns": pronouns, "changed_at": at})

    async def keep_zone(self, person_id: int, zone: str, at: datetime) -> None:
        """Store the time zone that a person set. "" deletes this zone, and also the zone that the person mentioned."""
        with translate_errors("store a person's time zone"):
            said = {} if zone else {"said_zone": ""}
            await self._keep(person_id, {"zone": zone, "changed_at": at, **said})

    async def keep_said_zone(self, person_id: int, zone: str, at: datetime) -> None:
        """Store the time zone that a person mentioned to an agent."""
        with translate_errors("store the time zone that a person stated"):
            await self._keep(person_id, {"said_zone": zone, "changed_at": at})

    async def draw(self, person_id: int, budget: DailyQuota, wanted: int) -> int:
        """Use up to `wanted` of a person's daily quota. Return how much could be used."""
        document, name = self.client.document(paths.person_path(person_id)), budget.counted.value
        with translate_errors("count what is done for a person"):
            found = await document.get([name], retry=RETRY, timeout=CALL_SECONDS)
            kept = _map_in(_map_in(found.to_dict(), name), budget.agent)
            count = kept.get(budget.day, 0)
            is_count = isinstance(count, int) and not isinstance(count, bool) and count >= 0
            drawn = max(0, min(wanted, budget.most - (count if is_count else 0)))
            if drawn:  # a malformed count is overwritten
                over = dict.fromkeys(kept.keys() - {budget.day}, DELETE_FIELD)
                now = Increment(drawn) if is_count else drawn
                await self._keep(person_id, {name: {budget.agent: {**over, budget.day: now}}})
        return drawn

    async def _keep(self, person_id: int, fields: dict[str, object]) -> None:
        document = self.client.document(paths.person_path(person_id))
        await document.set(fields, merge=True, retry=RETRY, timeout=CALL_SECONDS)


def _map_in(document: Any, name: str) -> Mapping[str, Any]:
    """Return the map that is stored under a name. Any other value counts as {}, and is overwritten later."""
    inner = document.get(name) if isinstance(document, Mapping) else None
    return inner if isinstance(inner, Mapping) else {}


class FirestoreEntities(FirestoreStore):
    """Telegram's data on chats and sticker sets. Every method may raise StoreUnavailable or StoreRefused."""

    async def member_count(self, key: ChatKey) -> MemberCount | None:
        """Return the stored member count, even if it is outdated."""
        with translate_errors("read the number of people in a chat"):
            found = await self.client.document(paths.entity_path(key)).get(retry=RETRY, timeout=CALL_SECONDS)
        kept = found.to_dict() or {}
        count, until = kept.get("members"), kept.get(layout.EXPIRES)
        if not isinstance(until, datetime) or not isinstance(count, int | None):
            return None
        return MemberCount(count=count, fresh_until=until)

    async def keep_member_count(self, key: ChatKey, found: MemberCount) -> None:
        """Store Telegram's member count of a chat."""
        with translate_errors("store the number of people in a chat"):
            await self.client.document(paths.entity_path(key)).set(
                {"members": found.count, layout.EXPIRES: found.fresh_until}, retry=RETRY, timeout=CALL_SECONDS
            )

    async def sticker_set(self, bot_id: int, name: str) -> StoredStickerSet | None:
        """Return the stored sticker set, even if it is outdated."""
        with translate_errors("read a sticker set"):
            document = self.client.document(paths.sticker_set_path(bot_id, name))
            kept = (await document.get(retry=RETRY, timeout=CALL_SECONDS)).to_dict()
        if not kept:
            return None
        try:
            stickers = tuple(SetSticker(one["id"], one["unique_id"], one["emoji"]) for one in kept["stickers"])
            found = StickerSet(kept["name"], kept["title"], stickers) if kept["name"] else None
            return StoredStickerSet(found=found, fresh_until=kept[layout.EXPIRES] - KEPT_STALE)
        except (KeyError, TypeError):  # malformed, so Telegram is asked again
            return None

    async def keep_sticker_set(self, bot_id: int, name: str, told: StoredStickerSet) -> None:
        """Store a sticker set, for longer than it counts as fresh."""
        found = told.found or StickerSet("", "")
        stickers = [{"id": one.file_id, "unique_id": one.unique_id, "emoji": one.emoji} for one in found.stickers]
        fields = {"name": found.name, "title": found.title, "stickers": stickers}
        with translate_errors("store a sticker set"):
            await self.client.document(paths.sticker_set_path(bot_id, name)).set(
                {**fields, layout.EXPIRES: told.fresh_until + KEPT_STALE}, retry=RETRY, timeout=CALL_SECONDS
            )
