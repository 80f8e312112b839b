"""Functions that delete documents in Firestore."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.async_document import AsyncDocumentReference

from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.privacy.store.deletion_lookup import pages_of

#: number of documents that are deleted in one commit
AT_ONCE: Final = 300


async def delete(client: AsyncClient, gone: Sequence[AsyncDocumentReference]) -> int:
    """Delete documents in batches. Return their number, whether or not they existed."""
    for start in range(0, len(gone), AT_ONCE):
        batch: Any = client.batch()
        for one in gone[start : start + AT_ONCE]:
            batch.delete(one)
        with translate_errors("erase documents"):
            await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
    return len(gone)


async def delete_there(client: AsyncClient, wanted: Sequence[str], cut: datetime | None = None) -> int:
    """Delete the documents at these paths, except those written after the cut (if given). Return the number deleted."""
    references = [client.document(path) for path in wanted]
    with translate_errors("look for data to erase"):
        found = [one async for one in client.get_all(references, [], retry=RETRY, timeout=CALL_SECONDS)]
    gone = [one.reference for one in found if one.exists and (cut is None or one.update_time <= cut)]
    return await delete(client, gone)


async def delete_all(client: AsyncClient, collection: Any) -> int:
    """Delete every document of a collection. Return the number of documents."""
    return await delete(
        client, [one.reference async for one in pages_of(collection.select([]), "list documents to erase")]
    )


async def delete_below(client: AsyncClient, document: AsyncDocumentReference) -> int:
    """Delete every document in the collections directly below a document. Return the number of deleted documents."""
    return sum([await delete_all(client, collection) async for collection in collections_of(document)])


async def collections_of(document: AsyncDocumentReference) -> AsyncIterator[Any]:
    with translate_errors("list the collections below a document"):
        async for collection in document.collections(retry=RETRY, timeout=CALL_SECONDS):
            yield collection
