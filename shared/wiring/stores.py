"""Makes the stores for tools, commands and turns; and recall, which searches in earlier conversations."""

from dataclasses import replace
from datetime import timedelta

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.access.store.invitations import FirestoreInvitations
from shared.access.store.requests import FirestoreAccessRequests
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import FirestoreOwners
from shared.chat.store.conversations import FirestoreConversations
from shared.chat.store.outbox import FirestoreOutbox
from shared.chat.store.people import FirestorePeople
from shared.llm.ports.embedding import Embedder
from shared.llm.ports.world import MessagingChannel
from shared.memory.store import FirestoreMemories
from shared.recall.search import Search
from shared.recall.service import RecallService
from shared.recall.store.memberships import FirestoreMemberships
from shared.recall.store.segments import FirestoreSegments, FirestoreTurns
from shared.recall.visible_chats import VisibleChatsFinder
from shared.reminders.store import FirestoreReminders
from shared.wiring import now


def stores_of(client: AsyncClient) -> dict[type, object]:
    """Return each store by its type. The returned stores share one cache of access lists."""
    access_lists = FirestoreAccessLists(client, now)
    return {
        FirestoreAccessRequests: FirestoreAccessRequests(client),
        FirestoreConversations: FirestoreConversations(client),
        FirestoreInvitations: FirestoreInvitations(client, access_lists),
        FirestoreMemories: FirestoreMemories(client),
        FirestoreOutbox: FirestoreOutbox(client),
        FirestoreOwners: FirestoreOwners(client),
        FirestorePeople: FirestorePeople(client),
        FirestoreReminders: FirestoreReminders(client),
        FirestoreAccessLists: access_lists,
    }


def recall_of(embedder: Embedder | None, client: AsyncClient, channel: MessagingChannel) -> RecallService:
    """Return the recall service of the agent with this channel. To be called inside the running event loop.

    `embedder` makes vectors of questions; None if searches use words only.
    """
    searcher = Search(segments=FirestoreSegments(client), embedder=embedder)
    visible_chats = chats_finder(client, channel)
    return RecallService(visible_chats=visible_chats, searcher=searcher, stored_turns=FirestoreTurns(client))


def chats_finder(client: AsyncClient, channel: MessagingChannel) -> VisibleChatsFinder:
    """Return the finder of the chats that a person may see. To be called inside the running event loop."""
    return VisibleChatsFinder(
        memberships=FirestoreMemberships(client), channel=channel, owners=FirestoreOwners(client), clock=now
    )


def fresh_chats_finder(client: AsyncClient, channel: MessagingChannel) -> VisibleChatsFinder:
    """Return the finder for exports. It always asks Telegram who is in a group, since exports cannot be revoked."""
    return replace(chats_finder(client, channel), oldest=timedelta())
