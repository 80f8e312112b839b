"""Access requests in the real Firestore: written by a commit, listed, decided, and answered."""

import asyncio

import pytest

from shared.access.store.requests import FirestoreAccessRequests, StoredAccessRequest
from shared.base.errors import StoreRefused
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.paths import request_path
from shared.chat.store.writes import CommitContext, WriteBatch
from shared.values.access_request import AccessRequest, RequestState, request_id
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from tests.shared.examples import NOW, SECOND


@pytest.fixture
def requests(chats: FirestoreChats) -> FirestoreAccessRequests:
    return FirestoreAccessRequests(chats.client)


def asked(agent: str, person: int, **fields: object) -> AccessRequest:
    key = ChatKey(agent=agent, chat_id=person)
    told = {"id": request_id(key), "agent": agent, "chat": key.id, "person": person, "name": "Eve", "at": NOW}
    return AccessRequest.model_validate({**told, **fields})


async def kept(requests: FirestoreAccessRequests, *some: AccessRequest) -> None:
    batch = WriteBatch(requests.client)
    for one in some:
        for write in StoredAccessRequest(one).writes(CommitContext(chat=Chat(key=one.key), at=NOW)):
            batch.add(write)
    await batch.commit()


async def test_lists_and_counts_requests_newest_first(requests: FirestoreAccessRequests, key: ChatKey) -> None:
    agent = f"waits{key.chat_id}"
    first, second = asked(agent, 5), asked(agent, 6, at=NOW + SECOND, words="hello")
    await kept(requests, first, second, asked(f"{agent}x", 5))
    assert await requests.waiting(agent, 9) == [second, first]
    assert await requests.waiting(agent, 1) == [second]
    assert await requests.waiting_count(agent) == 2
    assert await requests.find(first.id) == first
    assert await requests.find("nothing") is None


async def test_a_decision_is_kept_once_and_may_be_changed(requests: FirestoreAccessRequests, key: ChatKey) -> None:
    agent = f"decided{key.chat_id}"
    one = asked(agent, 5)
    await kept(requests, one)
    decided = await asyncio.gather(*(requests.decide(one.id, RequestState.LET_IN, NOW + SECOND * n) for n in range(4)))
    assert len({found.decided_at for found in decided if found is not None}) == 1
    assert await requests.waiting(agent, 9) == []
    blocked = await requests.decide(one.id, RequestState.BLOCKED, NOW + 9 * SECOND)
    assert blocked == await requests.find(one.id)
    assert blocked is not None
    assert (blocked.state, blocked.decided_at) == (RequestState.BLOCKED, NOW + 9 * SECOND)
    assert await requests.decide("nothing", RequestState.ONCE, NOW) is None


async def test_tells_a_waiting_chat_once_that_it_was_let_in(
    requests: FirestoreAccessRequests, chats: FirestoreChats, key: ChatKey
) -> None:
    one = asked(f"told{key.chat_id}", 5, state=RequestState.ONCE, decided_at=NOW)
    for _ in range(2):
        await requests.have_answered(one)
    assert await chats.unread_count(one.key) == 1


async def test_a_firestore_that_refuses_is_told(requests: FirestoreAccessRequests) -> None:
    with pytest.raises(StoreRefused, match="read an access request"):
        await requests.find("__reserved__")


async def test_one_that_only_a_newer_lull_knows_is_as_good_as_none(
    requests: FirestoreAccessRequests, key: ChatKey
) -> None:
    agent = f"newer{key.chat_id}"
    odd, other = asked(agent, 5), asked(agent, 6)
    await kept(requests, odd, other)
    await requests.client.document(request_path(odd.id)).update({"person": "somebody"})
    assert await requests.waiting(agent, 9) == [other]
    assert await requests.find(odd.id) is None
    assert await requests.decide(odd.id, RequestState.LET_IN, NOW) is None
