"""Access requests: their ids, and the update that makes the agent answer waiting messages."""

from shared.values.access_request import (
    ADMITTED,
    WOKEN,
    AccessRequest,
    RequestState,
    admission,
    awakening,
    is_let_in_once,
    request_id,
    visible_entries,
)
from shared.values.chat_key import ChatKey
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.message import Edit, Event, Message, Reaction
from tests.shared.examples import ANN, BOB, GROUP_KEY, KEY, NOW, SECOND, said


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
    later = admission(evolve(once, decided_at=NOW + SECOND))
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


REFUSED = Decision(respond=False, reason="a stranger", tier=DecisionTier.ACCESS)


def refused(seq: int) -> Message:
    return said(f"secret {seq}", ANN, seq, seq=seq, decision=REFUSED)


def test_of_who_is_refused_no_word_is_heard_and_of_others_every_one() -> None:
    others = said("hello", BOB, 2, seq=2, decision=Decision(respond=False, reason="x", tier=DecisionTier.NONE))
    edit = Edit(at=NOW, seq=3, message_id=1, author=ANN, text="a new secret")
    liked = Reaction(at=NOW, seq=4, message_id=1, author=BOB, emojis=("👍",))
    assert visible_entries([refused(1), others, edit, liked]) == (others,)
    alone = evolve(edit, decision=REFUSED, message_id=2)
    assert visible_entries([others, alone]) == (others,), "blocked since: what was said before stays"
    mended = Edit(at=NOW, seq=5, message_id=2, author=BOB, text="hello!")
    assert visible_entries([others, mended]) == (others, mended)


def test_what_waited_is_heard_once_they_are_let_in_and_nothing_after_it_that_is_refused() -> None:
    let_in = Event(at=NOW, seq=2, kind=ADMITTED, note="the owner decided: once")
    assert visible_entries([refused(1), let_in, refused(3)]) == (refused(1), let_in)
