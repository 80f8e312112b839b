"""Marks in Firestore: the owner's verdicts on decisions and answers."""

from collections.abc import Sequence
from typing import Final

from google.cloud.firestore_v1.base_query import FieldFilter
from pydantic import ValidationError

from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, FirestoreStore, translate_errors
from shared.chat.store.queries import MARKS_OF_AGENT, MARKS_OF_CONVERSATION, NEWEST_PAGES
from shared.chat.store.transcripts import readable
from shared.values.mark import Mark
from shared.values.message import AnyEntry

#: marks of one conversation that are read at most
MOST_OF_CONVERSATION: Final = 60
#: the field by which pages are sorted: the number of a page's first entry
_FIRST: Final = NEWEST_PAGES.order[0].field


class FirestoreMarks(FirestoreStore):
    """Stores the owner's verdicts ("marks") on decisions and answers, and reads the entries that they are about.

    Every method may raise StoreUnavailable or StoreRefused.
    """

    async def keep(self, mark: Mark) -> None:
        """Store a mark. It replaces an earlier mark on the same message."""
        document = self.client.document(paths.mark_path(mark.id))
        with translate_errors("store a mark"):
            await document.set(mark.model_dump(), retry=RETRY, timeout=CALL_SECONDS)

    async def remove(self, mark_id: str) -> None:
        """Delete a mark, if there is one."""
        with translate_errors("delete a mark"):
            await self.client.document(paths.mark_path(mark_id)).delete(retry=RETRY, timeout=CALL_SECONDS)

    async def of_conversation(self, conversation: str) -> Sequence[Mark]:
        """Return the marks of a conversation, in the order of its messages."""
        query = MARKS_OF_CONVERSATION.on(self.client, conversation).limit(MOST_OF_CONVERSATION)
        with translate_errors("read marks"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        marks = [one for one in map(_decode, (snapshot.to_dict() for snapshot in found)) if one is not None]
        return sorted(marks, key=lambda one: one.seq)

    async def page(self, agents: Sequence[str], before: Mark | None, limit: int) -> Sequence[Mark]:
        """Return marks of these agents, the newest first. If `before` is given, only older marks are returned."""
        query = MARKS_OF_AGENT.on(self.client, list(agents)).limit(limit)
        if before is not None:
            query = query.where(filter=FieldFilter("at", "<", before.at))
        with translate_errors("read marks"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return [one for one in map(_decode, (snapshot.to_dict() for snapshot in found)) if one is not None]

    async def find(self, mark_id: str) -> Mark | None:
        with translate_errors("read a mark"):
            found = await self.client.document(paths.mark_path(mark_id)).get(retry=RETRY, timeout=CALL_SECONDS)
        return _decode(found.to_dict())

    async def entries_up_to(self, conversation: str, seq: int, pages: int) -> tuple[AnyEntry, ...]:
        """Return the entries of a transcript up to number `seq`, oldest first. At most `pages` pages are read."""
        place = self.client.document(paths.conversation_path(conversation))
        query = NEWEST_PAGES.on(place).start_at({_FIRST: seq}).limit(pages)
        with translate_errors("read a transcript"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return tuple(entry for entry in readable(reversed(found)) if entry.seq <= seq)


def _decode(document: layout.Document | None) -> Mark | None:
    try:
        return Mark.model_validate(document) if document else None
    except ValidationError:
        log("this version cannot read a mark")
        return None
