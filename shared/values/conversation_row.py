"""The data for a conversation's row in the console's list: its newest message, and the people who wrote recently."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from shared.base.text import abridge
from shared.values.evolve import FrozenModel
from shared.values.message import AnyEntry, Author, Edit, Message

#: characters of the last words; a row has room for one or two lines
LAST_CHARACTERS: Final = 120
#: how many people a document names; its row needs the first
MOST_AUTHORS: Final = 20
NAME_CHARACTERS: Final = 40


class LastWords(FrozenModel):
    """The time, the author and the beginning of a conversation's newest message."""

    at: datetime
    by: str
    is_agent: bool = False
    text: str


class RowAuthor(FrozenModel):
    """A person who took part in a conversation."""

    id: int
    name: str


def last_words_of(entries: Sequence[AnyEntry]) -> LastWords | None:
    """Return the beginning of the newest message, with its newest edit; None if there is no message."""
    edits = {one.message_id: one for one in entries if isinstance(one, Edit)}
    for one in reversed(entries):
        if isinstance(one, Message) and not one.is_service and not one.is_command:
            edit = edits.get(one.message_id)
            said = (edit.text or edit.media) if edit is not None else ""
            text = " ".join((said or one.text or one.media).split())
            name = abridge(one.author.name, NAME_CHARACTERS)
            return LastWords(at=one.at, by=name, is_agent=one.author.is_agent, text=abridge(text, LAST_CHARACTERS))
    return None


def recent_authors(entries: Sequence[AnyEntry]) -> tuple[RowAuthor, ...]:
    """Return the people who wrote last, the latest first. Bots, the agent and deleted people are left out."""
    found = dict[int, Author]()
    for one in reversed(entries):
        if isinstance(one, Message) and not (one.is_service or one.author.is_agent or one.author.is_bot):
            found.setdefault(one.author.id, one.author)
    authors = [one for number, one in found.items() if number][:MOST_AUTHORS]
    return tuple(RowAuthor(id=one.id, name=abridge(one.name, NAME_CHARACTERS)) for one in authors)


def row_fields(entries: Sequence[AnyEntry]) -> dict[str, Any]:
    """Return the document fields that the console's list shows, made from the conversation's newest entries.

    The fields repeat people's words and names, so a deletion makes new ones from the entries that are left.
    """
    last = last_words_of(entries)
    return {
        "last_words": last.model_dump() if last is not None else {},
        "authors": [one.model_dump() for one in recent_authors(entries)],
    }
