"""Leaving out: what is made of a conversation (its compression, notes and summaries) holds no text from outside.

So it needs no mark, which would stand on all of it for good.
"""

from dataclasses import replace
from typing import Final

from shared.prompting.history import HistoryEvent, HistoryItem

#: stands in its place
LEFT_OUT: Final = "[text from outside, left out]"


def without_outside(item: HistoryItem) -> HistoryItem:
    """Return the item, or what tells that there was one whose text is from outside."""
    if not item.outside:
        return item
    if isinstance(item, HistoryEvent):
        return replace(item, note=LEFT_OUT, outside="")
    emptied = {"text": LEFT_OUT, "media": "", "media_refs": (), "reply": None, "forwarded_from": None}
    message = item.message.model_copy(update=emptied)
    return replace(item, message=message, text=LEFT_OUT, media="", did=None, outside="")
