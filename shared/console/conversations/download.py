"""A conversation's transcript as JSON Lines, for the owner to keep."""

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from shared.chat.lines import lines_of
from shared.console.conversations.opened import OpenedConversation
from shared.console.conversations.store import PAGES_AT_ONCE, ConsoleConversations, StoredPage
from shared.values.message import AnyEntry
from shared.values.transcript import Transcript

_ENTRY: TypeAdapter[AnyEntry] = TypeAdapter(AnyEntry)
UNREADABLE: Final = "this entry has a form that this version of lull does not know"
#: fields that a file for people leaves out: numbers without meaning outside of the database
_LEFT_OUT: Final = frozenset({"embedding"})


async def transcript_file(stored: ConsoleConversations, opened: OpenedConversation) -> bytes:
    """Return the whole transcript in the same JSON Lines as an archive, then one line for each unreadable entry."""
    entries, unreadable = list[AnyEntry](), list[str]()
    async for page in every_page(stored, opened.stored.id):
        for number, one in enumerate(page.entries):
            try:
                entries.append(_ENTRY.validate_python(one))
            except ValidationError:
                unreadable.append(_unreadable(one, page.first + number))
    if opened.is_current:
        known = max((one.seq for one in entries), default=0)
        entries += [one for one in opened.chat.talk.unpaged if one.seq > known]
    document = {name: value for name, value in opened.stored.fields.items() if name not in _LEFT_OUT}
    transcript = Transcript(
        conversation=opened.stored.id, document=document, entries=tuple(entries), compression=opened.compression
    )
    return "".join(f"{line}\n" for line in (*lines_of(transcript), *unreadable)).encode()


async def every_page(stored: ConsoleConversations, conversation: str) -> AsyncIterator[StoredPage]:
    """Yield the pages of a transcript, the oldest first."""
    seq = 0
    while True:
        pages = await stored.pages_after(conversation, seq, PAGES_AT_ONCE)
        for page in pages:
            yield page
        if len(pages) < PAGES_AT_ONCE:
            return
        seq = pages[-1].first


def _unreadable(stored: Any, guessed: int) -> str:
    seq = stored.get("seq") if isinstance(stored, Mapping) else None
    told = {"type": "unreadable", "seq": seq if isinstance(seq, int) else guessed, "why": UNREADABLE}
    return json.dumps(told, separators=(",", ":"))
