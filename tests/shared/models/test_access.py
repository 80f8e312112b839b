"""Access requests: their ids, and the update that has what waits answered."""

from shared.models.access import (
    ADMITTED,
    WOKEN,
    AccessRequest,
    RequestState,
    admission,
    awakening,
    is_let_in_once,
    request_id,
)
from shared.models.chat_key import ChatKey
from tests.shared.values import ANN, GROUP_KEY, KEY, NOW, SECOND


def request(key: ChatKey = KEY, **fields: object) -> AccessRequest:
    told = {"id": request_id(key), "agent": key.agent, "chat": key.id, "person": ANN.id, "name": "Ann", "at": NOW}
    return AccessRequest.model_validate({**told, **fields})


def test_a_group_with_all_its_topics_has_one_request_and_each_person_one() -> None:
    topic = ChatKey(agent=GROUP_KEY.agent, chat_id=GROUP_KEY.chat_id, topic_id=5)
    assert request_id(topic) == request_id(GROUP_KEY) != request_id(KEY)
    assert request_id(KEY) != request_id(ChatKey(agent="moss", chat_id=KEY.chat_id))
    assert (request().is_group, request(GROUP_KEY).is_group, request(topic).key) == (False, True, topic)


def test_each_decision_has_one_update_which_is_no_update_of_telegram_s() -> None:
    once = request(state=RequestState.ONCE, decided_at=NOW)
    first, again = admission(once), admission(once)
    later = admission(once.model_copy(update={"decided_at": NOW + SECOND}))
    assert first == again
    assert first.envelope.update_id != later.envelope.update_id
    assert 2**32 < first.envelope.update_id < 2**53
    assert (first.envelope.kind, first.envelope.key) == (ADMITTED, KEY)
    assert first.raw[ADMITTED] == {"state": "once"}
    let_in = admission(request(state=RequestState.LET_IN, decided_at=NOW))
    assert [is_let_in_once(one) for one in (first, let_in)] == [True, False]


def test_an_awakening_is_one_update_for_its_moment() -> None:
    update = awakening(GROUP_KEY, NOW)
    assert update == awakening(GROUP_KEY, NOW)
    assert update.envelope.update_id != awakening(GROUP_KEY, NOW + SECOND).envelope.update_id
    assert (update.envelope.kind, update.envelope.key) == (WOKEN, GROUP_KEY)
    assert 2**32 < update.envelope.update_id < 2**53
