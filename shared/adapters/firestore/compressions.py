"""Summaries of the older part of conversations.

Each is a document of its own: no tick needs the chat's lease to write one, and only long conversations read it.
"""

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.adapters.firestore import layout
from shared.adapters.firestore.calls import CALL_SECONDS, CHANGED, RETRY, translated
from shared.adapters.firestore.queries import NEWEST_PAGES, PAGES
from shared.adapters.firestore.records.transcripts import readable
from shared.adapters.firestore.writes import add_write, replace_seen
from shared.errors import Contended
from shared.models.message import AnyEntry
from shared.models.prompt import CompressionSummary
from shared.ports.chats import CompressionSnapshot

#: documents of one answer: a page may be 300 kB, but mostly is one or two messages
PAGES_AT_ONCE = 60
#: what orders them: the number of a page's first entry
FIRST = PAGES.order[0].field


class FirestoreCompressions:
    """The summaries of all conversations."""

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client

    async def read(self, conversation: str) -> CompressionSnapshot:
        """The summary of a conversation, if it has one. Raises StoreUnavailable."""
        with translated("read a summary"):
            snapshot = await self.client.document(layout.compression_path(conversation)).get(
                retry=RETRY, timeout=CALL_SECONDS
            )
        if not snapshot.exists:
            return CompressionSnapshot(summary=None, version=None)
        return CompressionSnapshot(
            summary=CompressionSummary.model_validate(snapshot.to_dict()), version=snapshot.update_time
        )

    async def replace(
        self, conversation: str, seen: CompressionSnapshot, summary: CompressionSummary
    ) -> CompressionSnapshot:
        """Put a summary in the place of the one that was seen. Raises Contended if it changed."""
        path, document = layout.compression_path(conversation), layout.encode_compression(summary)
        batch = self.client.batch()
        add_write(batch, self.client, replace_seen(path, document, seen.version))
        with translated("keep a summary"):
            try:
                results = await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED as cause:
                raise Contended("another tick summarised the conversation") from cause
        return CompressionSnapshot(summary=summary, version=results[0].update_time)

    async def entries_after(self, conversation: str, seq: int) -> tuple[AnyEntry, ...]:
        """The entries that follow number `seq`: those of so many pages of the transcript. Raises StoreUnavailable."""
        document = self.client.document(layout.conversation_path(conversation))
        with translated("read a transcript"):
            # the page that holds the first of them may have begun before it
            begun = NEWEST_PAGES.on(document).start_at({FIRST: seq + 1}).limit(1)
            pages = list(await begun.get(retry=RETRY, timeout=CALL_SECONDS))
            following = PAGES.on(document).start_after({FIRST: seq + 1}).limit(PAGES_AT_ONCE)
            pages += await following.get(retry=RETRY, timeout=CALL_SECONDS)
        return tuple(entry for entry in readable(pages) if entry.seq > seq)
