"""Links to messages, where Telegram has such: in supergroups, for their members (core.telegram.org/api/links)."""

from typing import Final

from shared.values.chat_key import ChatKey

#: the Bot API's ids of supergroups and channels are their own behind this
#: (core.telegram.org/api/bots/ids)
_SUPERGROUPS: Final = -1_000_000_000_000


def message_link(key: ChatKey, message_id: int) -> str:
    """The link to a message; empty: nothing leads there, as in private chats and small groups."""
    if key.chat_id >= _SUPERGROUPS or message_id <= 0 or key.is_direct:
        return ""
    place = [str(_SUPERGROUPS - key.chat_id), *([str(key.topic_id)] if key.topic_id else []), str(message_id)]
    return f"https://t.me/c/{'/'.join(place)}"
