"""Changes that the owner makes to a conversation in the console."""

from datetime import datetime
from typing import Final

from google.api_core.exceptions import NotFound as NoDocument
from google.cloud.firestore_v1 import DELETE_FIELD
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.transforms import SERVER_TIMESTAMP

from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.console.records import Click
from shared.console.route import NotFound
from shared.console.services import ConsoleServices
from shared.privacy.store.deletions import FirestoreDeletions
from shared.values.chat_key import ChatKey
from shared.values.deletion import GRACE, Deletion, DeletionScope, deletion_id
from shared.values.notes import Notes
from shared.values.wake import note_job

#: observations that are deleted in one commit
AT_ONCE: Final = 300


async def delete_conversation(
    services: ConsoleServices, key: ChatKey, conversation: str, language: str, now: datetime
) -> None:
    """Request the deletion of a conversation with everything derived from it, and hide it from lists at once.

    This is the deletion that `/forget` offers for a conversation, but no receipt is sent to the chat. The call may be
    repeated. Raises a StoreError or a QueueError.
    """
    deletion = Deletion(
        id=deletion_id(key.agent, DeletionScope.CONVERSATION, str(key.chat_id), conversation),
        scope=DeletionScope.CONVERSATION,
        chat=key.id,
        conversation=conversation,
        language=language,
        asked_at=now,
        due_at=now + GRACE,
        is_told=True,
    )
    await FirestoreDeletions(services.client, services.jobs).ask(deletion)
    # lists are sorted by this field, so they leave the conversation out
    await _update(services.client, conversation, {"updated_at": DELETE_FIELD})


async def make_abbreviation(services: ConsoleServices, conversation: str, notes: Notes, click: Click) -> None:
    """Request that the missing notes of a conversation are made now, such as its short version (the abbreviation).

    If no notes are missing, all notes are made again. Raises NotFound, a StoreError or a QueueError.
    """
    now = click.at
    if click.is_repeated and any(one.abbreviation and one.at >= now for one in notes.history):
        return  # it was made since then
    fields: layout.Document = {"due_at": now, "failures": 0, "needs_abbreviation": True}
    if notes.noted_seq >= notes.entries and not notes.needs_abbreviation:
        await _delete_observations(services.client, conversation)
        fields |= {"noted_seq": 0, "left_out": [], "embedding_model": "", "embedding": DELETE_FIELD}
    await _update(services.client, conversation, fields)
    await services.jobs.enqueue(note_job(conversation, _name_of(now), now))


def _name_of(now: datetime) -> str:
    return f"console {now.isoformat()}"


async def _update(client: AsyncClient, conversation: str, fields: layout.Document) -> None:
    document = client.document(paths.conversation_path(conversation))
    with translate_errors("change a conversation"):
        try:
            await document.update(fields | {"changed_at": SERVER_TIMESTAMP}, retry=RETRY, timeout=CALL_SECONDS)
        except NoDocument:
            raise NotFound from None


async def _delete_observations(client: AsyncClient, conversation: str) -> None:
    """Delete the observations about people in this conversation's notes, since new notes will contain them again."""
    below = client.collection(paths.observations_path(conversation))
    while True:
        with translate_errors("delete observations"):
            found = await below.select([]).limit(AT_ONCE).get(retry=RETRY, timeout=CALL_SECONDS)
            batch = client.batch()
            for one in found:
                batch.delete(one.reference)
            if found:
                await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
        if len(found) < AT_ONCE:
            return
