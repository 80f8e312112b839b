"""Waking: the buttons that end a silence: one where the agent is silent, and the owner's in their own chat."""

from typing import Final

from shared.base.wording.words import Words
from shared.values.button_data import PLACE, WAKE, button_data
from shared.values.channel import Button
from shared.values.chat_key import ChatKey
from shared.values.outbox import Offer

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def button_here(words: Words, conversation: str) -> Button:
    """The button below a message in the chat itself."""
    return Button(words.say("description.wake"), button_data("wake", conversation, "h"))


def offer_there(words: Words, key: ChatKey) -> tuple[Offer, ...]:
    """The owner's button for another chat; none for an id that no button can carry."""
    sign, between = "n" if key.chat_id < 0 else "p", "-" if key.is_direct else "_"
    place = f"{sign}{_written(abs(key.chat_id))}{between}{_written(abs(key.topic_id))}"
    if place_of(key.agent, place) != key:
        return ()
    return (Offer(text=words.say("description.wake"), command="people", argument=f"{WAKE}{place}"),)


def place_of(agent: str, carried: str) -> ChatKey | None:
    """The chat that a button carries; none for anything else."""
    found = PLACE.fullmatch(carried)
    if found is None or len(carried) > 17:
        return None
    chat_id = int(found[2], 36)
    topic_id = -int(found[4], 36) if found[3] == "-" else int(found[4], 36)
    return ChatKey(agent=agent, chat_id=-chat_id if found[1] == "n" else chat_id, topic_id=topic_id)


def _written(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits or "0"
