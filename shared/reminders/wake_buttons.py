"""The buttons that unmute the agent: one in the muted chat, and one for the owner in their own chat."""

from typing import Final

from shared.base.wording.words import Words
from shared.values.button_data import PLACE, WAKE, button_data
from shared.values.channel import Button
from shared.values.chat_key import ChatKey
from shared.values.outbox import NoticeButton

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def wake_button(words: Words, conversation: str) -> Button:
    """Return the button that unmutes the agent, for a message in the muted chat itself."""
    return Button(words.say("description.wake"), button_data("wake", conversation, "h"))


def owner_wake_buttons(words: Words, key: ChatKey) -> tuple[NoticeButton, ...]:
    """Return the button in the owner's own chat that unmutes the agent in another chat; () if that chat's ids do not
    fit into a button's data.
    """
    sign, between = "n" if key.chat_id < 0 else "p", "-" if key.is_direct else "_"
    place = f"{sign}{_in_base_36(abs(key.chat_id))}{between}{_in_base_36(abs(key.topic_id))}"
    if chat_in_button(key.agent, place) != key:
        return ()
    return (NoticeButton(text=words.say("description.wake"), command="people", argument=f"{WAKE}{place}"),)


def chat_in_button(agent: str, carried: str) -> ChatKey | None:
    """Return the chat in the data of a button of `owner_wake_buttons`; None for any other data."""
    found = PLACE.fullmatch(carried)
    if found is None or len(carried) > 17:
        return None
    chat_id = int(found[2], 36)
    topic_id = -int(found[4], 36) if found[3] == "-" else int(found[4], 36)
    return ChatKey(agent=agent, chat_id=-chat_id if found[1] == "n" else chat_id, topic_id=topic_id)


def _in_base_36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits or "0"
