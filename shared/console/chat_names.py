"""Titles of chats, for lists that name the chats of their items."""

from collections.abc import Iterable, Mapping

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors


async def chat_names(client: AsyncClient, chats: Iterable[str]) -> Mapping[str, str]:
    """Return the titles of chats by the ids of the chats' documents; "" for a private chat. Costs a read for each chat.

    Raises StoreUnavailable or StoreRefused.
    """
    documents = [client.document(paths.chat_path_of(one)) for one in sorted({*chats} - {""})]
    if not documents:
        return {}
    with translate_errors("read titles of chats"):
        found = client.get_all(documents, ["title", "topic"], retry=RETRY, timeout=CALL_SECONDS)
        known = {one.reference.id: one.to_dict() or {} async for one in found}
    return {chat: " · ".join(filter(None, (one.get("title"), one.get("topic")))) for chat, one in known.items()}
