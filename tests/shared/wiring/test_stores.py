"""Every store is of one client, and those that change a roster share it."""

from shared.access.store.invitations import FirestoreInvitations
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.rosters import FirestoreRosters
from shared.wiring.stores import stores_of


async def test_each_is_of_the_client_and_the_roster_is_one(chats: FirestoreChats) -> None:
    made = stores_of(chats.client)
    assert all(vars(store)["client"] is chats.client for store in made.values())
    invitations = made[FirestoreInvitations]
    assert isinstance(invitations, FirestoreInvitations)
    assert made[FirestoreRosters] in vars(invitations).values()
