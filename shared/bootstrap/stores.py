"""The ports that Firestore alone serves, for tools, commands and turns."""

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.adapters.firestore.bots import FirestoreOwners
from shared.adapters.firestore.chats import FirestoreCompressions, FirestoreConversations
from shared.adapters.firestore.invitations import FirestoreInvitations
from shared.adapters.firestore.memories import FirestoreMemories
from shared.adapters.firestore.people import FirestorePeople
from shared.adapters.firestore.reminders import FirestoreReminders
from shared.adapters.firestore.requests import FirestoreAccessRequests
from shared.adapters.firestore.rosters import FirestoreRosters
from shared.bootstrap import now
from shared.ports.chats import Compressions, Conversations, Owners, Reminders
from shared.ports.invitations import Invitations
from shared.ports.memories import Memories
from shared.ports.people import People
from shared.ports.trust import AccessRequests, Rosters


def stores_of(client: AsyncClient) -> dict[type, object]:
    """Each by its port. All of one agent share the roster that they know."""
    rosters = FirestoreRosters(client, now)
    return {
        AccessRequests: FirestoreAccessRequests(client),
        Compressions: FirestoreCompressions(client),
        Conversations: FirestoreConversations(client),
        Invitations: FirestoreInvitations(client, rosters),
        Memories: FirestoreMemories(client),
        Owners: FirestoreOwners(client),
        People: FirestorePeople(client),
        Reminders: FirestoreReminders(client),
        Rosters: rosters,
    }
