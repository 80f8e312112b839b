"""Every store is of one client, and those that change a roster share it."""

from shared.adapters.firestore.chats import FirestoreChats
from shared.adapters.firestore.invitations import FirestoreInvitations
from shared.bootstrap.stores import stores_of
from shared.ports.invitations import Invitations
from shared.ports.trust import Rosters


async def test_each_is_of_the_client_and_the_roster_is_one(chats: FirestoreChats) -> None:
    made = stores_of(chats.client)
    assert all(vars(store)["client"] is chats.client for store in made.values())
    invitations = made[Invitations]
    assert isinstance(invitations, FirestoreInvitations)
    assert made[Rosters] in vars(invitations).values()
