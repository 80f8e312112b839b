"""All stores use one client, and those that change an access list share it."""

from shared.access.store.invitations import FirestoreInvitations
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.chats import FirestoreChats
from shared.wiring.stores import stores_of


async def test_each_is_of_the_client_and_the_access_list_is_one(chats: FirestoreChats) -> None:
    made = stores_of(chats.client)
    assert all(vars(store)["client"] is chats.client for store in made.values())
    invitations = made[FirestoreInvitations]
    assert isinstance(invitations, FirestoreInvitations)
    assert made[FirestoreAccessLists] in vars(invitations).values()
