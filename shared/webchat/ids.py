"""The numbers of web conversations, of their updates, and of their messages.

The page makes the number of an update from its clock. If a message is posted twice, both posts have the same number, so
it is stored once. Updates are read in the order of their numbers.
"""

import re
from datetime import datetime, timedelta
from typing import Final

from shared.values.chat_key import WEB_TOPICS, ChatKey

#: above all message ids of Telegram (31 bits), since a conversation of Telegram may go on in the web
FIRST_MESSAGE: Final = 2**31
#: limits of the difference between now and an update's number: the page may have been offline, its clock inexact
EARLIEST: Final = timedelta(days=1)
LATEST: Final = timedelta(minutes=2)
#: an update is numbered by the microsecond, a conversation by the millisecond
_PER_MS: Final = 1000
#: the id of a press contains its conversation, since the call that confirms a press has only this id
_PRESS: Final = re.compile(r"web-(\d{1,19})-(\d{1,19})-(\d{1,19})", re.ASCII)


def update_number(at: datetime) -> int:
    """Return the number of an update that is made at this time: the microseconds since 1970."""
    return int(at.timestamp() * 1_000_000)


def is_update_number(number: int, now: datetime) -> bool:
    """Return whether an update's number, which the page made from its clock, is close enough to the time `now`."""
    return update_number(now - EARLIEST) <= number <= update_number(now + LATEST)


def is_conversation_number(number: int, update: int) -> bool:
    """Return whether this is the number of a web conversation that began no later than the update was made."""
    return number in WEB_TOPICS and number * _PER_MS <= update


def message_of_update(update: int, conversation: int) -> int:
    """Return the id of the owner's message in an update. The id is even; ids of the agent's messages are odd."""
    return FIRST_MESSAGE + 2 * max(0, update // _PER_MS - conversation)


def message_of_agent(at: datetime, conversation: int, newest: int) -> int:
    """Return the id of a message that the agent sends at `at`. The id is odd, and greater than `newest`."""
    after = FIRST_MESSAGE + 2 * max(0, update_number(at) // _PER_MS - conversation) + 1
    return max(after, newest + 2 if newest else 0)


def press_id(key: ChatKey, update: int) -> str:
    """Return the id of the button press in an update."""
    return f"web-{key.chat_id}-{key.topic_id}-{update}"


def is_web_press(query_id: str) -> bool:
    """Return whether the id of a button press belongs to a web conversation."""
    return _PRESS.fullmatch(query_id) is not None


def pressed_chat(agent: str, query_id: str) -> ChatKey | None:
    """Return the web conversation in which a button was pressed; None if the press came from another channel."""
    found = _PRESS.fullmatch(query_id)
    if found is None or int(found[2]) not in WEB_TOPICS:
        return None
    return ChatKey(agent=agent, chat_id=int(found[1]), topic_id=int(found[2]))
