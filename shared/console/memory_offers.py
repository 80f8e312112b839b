"""Offers to remember something: buttons that nobody has pressed yet. The owner can accept them in the console."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from shared.base.language.likeness import has_same_meaning
from shared.memory.by_owner import MemoriesByOwner
from shared.memory.loaded import new_id
from shared.memory.upsert import MOST_MEMORIES, WishContext, WishOutcome, apply_wish
from shared.memory.visible import MemoryAudience
from shared.tasks.registry import stored_task
from shared.tasks.task import Task
from shared.values.chat import Chat
from shared.values.keyboard import Keyboard
from shared.values.memory import MemoryOwner, MemoryScope, MemorySource, MemoryWish
from shared.values.place import place_of


@dataclass(frozen=True, kw_only=True)
class MemoryOffer:
    """A button that stores a memory when it is pressed: the button, and the person who may press it."""

    chat: Chat
    keyboard: str
    #: the index of the button
    place: int
    person: int
    wish: MemoryWish
    at: datetime
    seq: int = 0

    @property
    def audience(self) -> MemoryAudience:
        """The chat of the offer, with the person who may press the button."""
        return MemoryAudience(
            key=self.chat.key, moved_from=self.chat.moves.moved_from, people=(self.person,) if self.person else ()
        )

    @property
    def owner(self) -> MemoryOwner:
        """The owner of the memory that the offer would store."""
        here = self.audience
        if self.wish.scope is MemoryScope.AGENT:
            return here.agents
        if self.wish.scope is MemoryScope.CHAT and here.chats:
            return here.chats[0]
        return here.person(self.person)

    def is_about(self, owner: MemoryOwner, owned: MemoriesByOwner) -> bool:
        """Return whether the offer would still change this owner's memories."""
        changed = owned.find(self.wish.memory or self.wish.instead_of)
        if changed is not None:
            return changed[0] == owner and changed[1].text != self.wish.text
        is_known = any(has_same_meaning(one.text, self.wish.text) for one in owned.of(owner))
        is_new = not self.wish.memory and bool(self.wish.text.strip())
        return self.owner == owner and is_new and not is_known


def offers_in(chat: Chat, now: datetime) -> Iterator[MemoryOffer]:
    """Yield a chat's offers to remember something, oldest first."""
    for keyboard in chat.talk.keyboards:
        if not keyboard.is_old(now):
            yield from _offers_of(chat, keyboard)


def _offers_of(chat: Chat, keyboard: Keyboard) -> Iterator[MemoryOffer]:
    for place, effect in enumerate(keyboard.effects):
        wish = _wish_of(effect) if place not in keyboard.pressed else None
        if wish is not None:
            yield MemoryOffer(
                chat=chat,
                keyboard=keyboard.id,
                place=place,
                person=next(iter(keyboard.people), 0),
                wish=replace(wish, message_id=0, elsewhere=keyboard.elsewhere),
                at=keyboard.at,
                seq=keyboard.seq,
            )


def _wish_of(effect: dict[str, Any]) -> MemoryWish | None:
    task: object = None
    with suppress(ValueError):  # also for a form that this version does not know
        task = stored_task({**effect, "depends_on": ()})
    return task.memory_wish if isinstance(task, Task) else None


def find_offer(chat: Chat, keyboard: str, place: int, now: datetime) -> MemoryOffer | None:
    """Return the offer behind a button of a chat; None if it was pressed, or has expired."""
    return next((one for one in offers_in(chat, now) if (one.keyboard, one.place) == (keyboard, place)), None)


def adopt_offer(
    owned: MemoriesByOwner, offer: MemoryOffer, owner: int, now: datetime, most: int = MOST_MEMORIES
) -> WishOutcome:
    """Return the outcome of accepting an offer as if the person had pressed its button: new memories, or a refusal.

    `owner` is the id of the agent's owner. Accepting the same offer again changes nothing.
    """
    chat = offer.chat
    source = MemorySource(
        conversation=chat.conversation,
        seq=offer.seq,
        place=place_of(chat.key),
        person=offer.person,
        title="" if chat.key.is_private else chat.title,
        topic_id=chat.key.topic_id,
    )
    context = WishContext(
        source=source, now=now, new_id=new_id(offer.keyboard, str(offer.place)), owner=owner, most=most
    )
    return apply_wish(owned, offer.audience, offer.wish, context)
