"""The stickers that an agent may send: found by set and name, cached in memory and in Firestore, listed in prompts."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from shared.base.errors import ChannelError
from shared.base.logs import log
from shared.base.text import abridge
from shared.chat.store.people import StoredStickerSet
from shared.llm.ports.world import MessagingChannel
from shared.values.agent import FrontMatter
from shared.values.media import CURATED, Description, MediaKind, MediaRef
from shared.values.stickers import SetSticker, StickerSet, plain_emoji

if TYPE_CHECKING:
    from shared.chat.store.people import FirestoreEntities
    from shared.media.known import KnownMedia

#: how long Telegram's answer about a set is used, and its answer that there is no such set
FRESH = timedelta(days=1)
FRESH_REFUSAL = timedelta(hours=1)
#: the wait before Telegram is asked again after a failure
ASKED_AGAIN_AFTER = timedelta(minutes=5)
#: the most stickers listed in a prompt; Telegram allows 200 in a set
MOST_LISTED = 200
#: the most characters of a sticker's description
LONGEST_DESCRIPTION = 60
#: the most words of the description if a model made it
MOST_WORDS: Final = 6
#: the end of a description's first plain words: a quotation, a colon, a bracket or the end of a sentence
_END_OF_PLAIN: Final = re.compile(r"[^\w\s,'’-]|(?<!\w)['’]|['’](?!\w)")
_LETTERS: Final = re.compile(r"[^\W\d_]+")


@dataclass(kw_only=True)
class OwnStickers:
    """One agent's stickers. Sets stay in memory while they are fresh, so that most plans read no document."""

    channel: MessagingChannel
    entities: FirestoreEntities
    front: FrontMatter
    clock: Callable[[], datetime]
    descriptions: KnownMedia | None = None
    _held: dict[str, StoredStickerSet] = field(default_factory=dict, init=False)
    #: a lock for each set, so that many chats fetch it once
    _asking: dict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock), init=False)

    async def find(self, set_name: str, name: str, *, anew: bool = False) -> SetSticker | None:
        """Return one of the agent's stickers by set and name, or None. Raises StoreUnavailable or StoreRefused.

        With `anew`, Telegram is asked for the set again, because it refused the file id that was found before.
        """
        own = self._own_name(set_name)
        if not own:
            return None
        await self._load_set(own, anew=anew)
        return self.last_found(own, name)

    def last_found(self, set_name: str, name: str) -> SetSticker | None:
        """Return a sticker from the sets in memory; None if it is not among them. Nothing is read or requested."""
        own = self._own_name(set_name)
        return self._sendable(own).get(plain_emoji(name)) if own else None

    async def prompt_list(self) -> str:
        """Return a text for the prompt that lists each set's stickers by name, with a description where one is known;
        "" if the agent has no stickers. Raises StoreUnavailable or StoreRefused.
        """
        for name in self.front.sets:
            await self._load_set(name)
        sets = {name: one.found for name, one in self._held.items() if one.found is not None}
        return await sticker_list(self.front, sets, self.descriptions)

    def _own_name(self, set_name: str) -> str:
        """Return the set's name as the persona spells it, or "" if the set is not the agent's."""
        return next((one for one in self.front.sets if one.lower() == set_name.strip().lower()), "")

    def _sendable(self, own: str) -> Mapping[str, SetSticker]:
        """Return the stickers of a set that the agent may send, by name."""
        held = self._held.get(own)
        return sendable_stickers(self.front, held.found) if held is not None and held.found is not None else {}

    async def _load_set(self, name: str, *, anew: bool = False) -> None:
        """Load a set into memory, unless the set in memory is fresh. The set comes from Firestore or, if the stored
        set is not fresh either, from Telegram. With `anew`, always ask Telegram.
        """
        before = self._held.get(name)
        if self._is_fresh(before) and not anew:
            return
        async with self._asking[name]:
            if (held := self._held.get(name)) is not before and self._is_fresh(held):
                return  # another task has just fetched the set
            kept = await self.entities.sticker_set(self.channel.bot_id, name)
            self._held[name] = kept if kept and self._is_fresh(kept) and not anew else await self._fetch_set(name, kept)

    def _is_fresh(self, kept: StoredStickerSet | None) -> bool:
        return kept is not None and self.clock() < kept.fresh_until

    async def _fetch_set(self, name: str, kept: StoredStickerSet | None) -> StoredStickerSet:
        """Fetch a set from Telegram. If Telegram fails, return the stored set, however old."""
        now = self.clock()
        try:
            found: StickerSet | None = await self.channel.sticker_set(name)
        except ChannelError as error:
            log(f"a sticker set cannot be read: {error}", set=name)
            return StoredStickerSet(found=kept.found if kept else None, fresh_until=now + ASKED_AGAIN_AFTER)
        if found is None:
            log("Telegram knows no such sticker set", set=name)
        answer = StoredStickerSet(found=found, fresh_until=now + (FRESH if found is not None else FRESH_REFUSAL))
        await self.entities.keep_sticker_set(self.channel.bot_id, name, answer)
        return answer


async def sticker_list(front: FrontMatter, sets: Mapping[str, StickerSet], descriptions: KnownMedia | None) -> str:
    """Return the list of an agent's stickers for prompts; "" if there are none. `sets`: the known sets by name.

    Raises StoreUnavailable or StoreRefused.
    """
    known = {name: sendable_stickers(front, sets[name]) for name in front.sets if name in sets}
    sendable = {name: found for name, found in known.items() if found}
    if not sendable:
        return ""
    refs = [_ref(name, emoji, one) for name, found in sendable.items() for emoji, one in found.items()]
    shown = await descriptions.of_stickers(refs[:MOST_LISTED]) if descriptions is not None else {}
    return "\n".join(_lines(sendable, shown))


def sendable_stickers(front: FrontMatter, found: StickerSet) -> Mapping[str, SetSticker]:
    """Return the stickers of a set that the agent may send, by name."""
    own = next((name for name in front.sets if name.lower() == found.name.lower()), found.name)
    if own in front.sticker_sets:
        return found.by_name
    names = [plain_emoji(one.sticker) for one in front.stickers if one.set == own]
    return {name: found.by_name[name] for name in names if name in found.by_name}


def _ref(set_name: str, name: str, one: SetSticker) -> MediaRef:
    return MediaRef(kind=MediaKind.STICKER, emoji=name, set_name=set_name, file_id=one.file_id, unique_id=one.unique_id)


def _lines(sendable: Mapping[str, Mapping[str, SetSticker]], shown: Mapping[str, Description]) -> Iterator[str]:
    yield "Your stickers, by set (`set`) and emoji (`sticker`):"
    left = MOST_LISTED
    for name, found in sendable.items():
        some = list(found.items())[:left]
        left -= len(some)
        if some:
            separator = "; " if any(one.unique_id in shown for _, one in some) else " "
            yield f"- {name}: {separator.join(_list_item(emoji, shown.get(one.unique_id)) for emoji, one in some)}"


def _list_item(emoji: str, description: Description | None) -> str:
    """Return a sticker's name and description on one line, without characters that could begin instructions."""
    if description is None:
        return emoji
    is_curated = description.source == CURATED
    shown = _on_a_line(description.shows) if is_curated else _in_few_words(description.shows)
    return f"{emoji} {abridge(shown, LONGEST_DESCRIPTION)}" if shown else emoji


def _on_a_line(written: str) -> str:
    return " ".join("".join(one if one.isalnum() or one in " ,.'-" else " " for one in written).split())


def _in_few_words(described: str) -> str:
    """Return the first plain words of a model's description of a sticker.

    The list of stickers is part of lull's own instructions to the model, and anybody may draw a sticker that shows a
    text. So no description in the list may contain instructions or quotes.
    """
    plain = _END_OF_PLAIN.split(described, maxsplit=1)[0].replace("'", "").replace("’", "")
    return " ".join(_LETTERS.findall(plain.lower())[:MOST_WORDS])
