"""The permission to be answered: it depends on the access list, the kind of chat, and whether the agent is open."""

from typing import Any

import pytest

from shared.deciding.access_policy import BLOCKED, GROUP, OPEN, SILENCED, STRANGER, UNCLAIMED, AccessPolicy
from shared.deciding.circumstances import DecisionContext, OwnIdentity
from shared.deciding.rules import decide_in, refusal
from shared.values.chat_key import ChatKind
from shared.values.decision import DecisionTier
from shared.values.message import Author, DueReminder, Message
from shared.values.trust import AccessList, AdmittedGroup, AdmittedPerson, AgentSilence, BlockedPerson, TrustTier
from tests.shared.examples import ANN, BOB, BOT_ID, GROUP_KEY, ME, NOW

OWNER = 7
GROUP_ID = GROUP_KEY.chat_id


def access_list(**fields: Any) -> AccessList:
    return AccessList.model_validate({"agent": "lull", "owner": OWNER, **fields})


IN = access_list(people={ANN.id: AdmittedPerson(id=ANN.id, since=NOW, by=OWNER)})
OUT = access_list(blocked={ANN.id: BlockedPerson(id=ANN.id, since=NOW, by=OWNER)})
QUIET = access_list(silenced=AgentSilence(since=NOW, by=OWNER))
WITH_GROUP = access_list(groups={GROUP_ID: AdmittedGroup(chat_id=GROUP_ID, since=NOW, by=OWNER)})


@pytest.mark.parametrize(
    ("access", "person", "why"),
    [
        (OPEN, ANN.id, ""),
        (AccessPolicy(access_list=AccessList(agent="lull"), chat_id=ANN.id), ANN.id, UNCLAIMED),
        (AccessPolicy(access_list=AccessList(agent="lull"), chat_id=ANN.id, is_open=True), ANN.id, ""),
        (AccessPolicy(access_list=access_list(), chat_id=ANN.id), ANN.id, STRANGER),
        (AccessPolicy(access_list=access_list(), chat_id=ANN.id, is_fellow=True), ANN.id, ""),
        (AccessPolicy(access_list=access_list(), chat_id=ANN.id, is_admitted=True), ANN.id, ""),
        (AccessPolicy(access_list=access_list(), chat_id=ANN.id, is_open=True), ANN.id, ""),
        (AccessPolicy(access_list=access_list(), chat_id=OWNER), OWNER, ""),
        (AccessPolicy(access_list=IN, chat_id=ANN.id), ANN.id, ""),
        (AccessPolicy(access_list=OUT, chat_id=ANN.id), ANN.id, BLOCKED),
        (AccessPolicy(access_list=OUT, chat_id=ANN.id, is_open=True, is_admitted=True), ANN.id, BLOCKED),
        (AccessPolicy(access_list=QUIET, chat_id=OWNER, is_open=True), OWNER, SILENCED),
        (AccessPolicy(access_list=IN, chat_id=GROUP_ID), ANN.id, GROUP),
        (AccessPolicy(access_list=IN, chat_id=GROUP_ID), OWNER, GROUP),
        (AccessPolicy(access_list=IN, chat_id=GROUP_ID, is_open=True), BOB.id, ""),
        (AccessPolicy(access_list=WITH_GROUP, chat_id=GROUP_ID), BOB.id, ""),
        (AccessPolicy(access_list=WITH_GROUP, chat_id=BOB.id), BOB.id, STRANGER),
        (
            AccessPolicy(access_list=WITH_GROUP, chat_id=GROUP_ID),
            -1_001,
            "",
        ),  # a channel or an anonymous administrator writes
    ],
)
def test_why_somebody_has_no_answer(access: AccessPolicy, person: int, why: str) -> None:
    assert access.refusal(person) == why
    assert access.turns_away is bool(access.refusal(max(access.chat_id, 0)))


def test_the_tier_is_told_where_nobody_is_turned_away_too() -> None:
    assert (OPEN.owner, OPEN.tier_of(OWNER)) == (0, TrustTier.STRANGER)
    here = AccessPolicy(access_list=WITH_GROUP, chat_id=GROUP_ID, is_open=True)
    assert (here.owner, here.tier_of(OWNER), here.tier_of(BOB.id)) == (OWNER, TrustTier.OWNER, TrustTier.KNOWN)


def message(author: Author = ANN, **fields: Any) -> Message:
    return Message.model_validate({"at": NOW, "message_id": 5, "author": author, "text": "hello", **fields})


def given(access: AccessPolicy, kind: ChatKind = ChatKind.PRIVATE) -> DecisionContext:
    return DecisionContext(kind=kind, me=OwnIdentity(BOT_ID, "lull_bot"), access=access)


def test_the_decision_says_why_and_that_it_is_about_access() -> None:
    made = decide_in(message(), given(AccessPolicy(access_list=access_list(), chat_id=ANN.id)))
    assert (made.respond, made.reason, made.tier) == (False, STRANGER, DecisionTier.ACCESS)
    allowed = decide_in(message(), given(AccessPolicy(access_list=IN, chat_id=ANN.id)))
    assert (allowed.respond, allowed.tier) == (True, DecisionTier.CHAT)


def test_neither_a_promise_nor_another_bot_s_call_is_for_who_is_blocked() -> None:
    due = DueReminder(id="r", due_at=NOW)
    assert (
        decide_in(message(reminder=due), given(AccessPolicy(access_list=OUT, chat_id=ANN.id))).tier
        is DecisionTier.ACCESS
    )
    assert decide_in(message(reminder=due), given(AccessPolicy(access_list=IN, chat_id=ANN.id))).respond
    bot = Author(id=9, name="bot", is_bot=True)
    closed = given(AccessPolicy(access_list=access_list(), chat_id=GROUP_ID), ChatKind.SUPERGROUP)
    assert decide_in(message(bot), closed).reason == GROUP


@pytest.mark.parametrize("nobodys", [message(ME), message(is_service=True), message(is_post=True)])
def test_what_nobody_wrote_is_refused_to_nobody(nobodys: Message) -> None:
    assert refusal(nobodys, given(AccessPolicy(access_list=access_list(), chat_id=ANN.id))) == ""
