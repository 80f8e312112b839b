"""Who may have an answer: by the roster, the kind of chat, and how open the agent is."""

from typing import Any

import pytest

from shared.deciding.access import BLOCKED, GROUP, OPEN, SILENCED, STRANGER, UNCLAIMED, Access
from shared.deciding.circumstances import Circumstances, OwnIdentity
from shared.deciding.rules import decide_in, refusal
from shared.values.chat_key import ChatKind
from shared.values.decision import Tier
from shared.values.message import Author, DueReminder, Message
from shared.values.trust import Blocked, LetIn, LetInGroup, Roster, Silenced, TrustTier
from tests.shared.examples import ANN, BOB, BOT_ID, GROUP_KEY, ME, NOW

OWNER = 7
GROUP_ID = GROUP_KEY.chat_id


def roster(**fields: Any) -> Roster:
    return Roster.model_validate({"agent": "lull", "owner": OWNER, **fields})


IN = roster(people={ANN.id: LetIn(id=ANN.id, since=NOW, by=OWNER)})
OUT = roster(blocked={ANN.id: Blocked(id=ANN.id, since=NOW, by=OWNER)})
QUIET = roster(silenced=Silenced(since=NOW, by=OWNER))
WITH_GROUP = roster(groups={GROUP_ID: LetInGroup(chat_id=GROUP_ID, since=NOW, by=OWNER)})


@pytest.mark.parametrize(
    ("access", "person", "why"),
    [
        (OPEN, ANN.id, ""),
        (Access(roster=Roster(agent="lull"), chat_id=ANN.id), ANN.id, UNCLAIMED),
        (Access(roster=Roster(agent="lull"), chat_id=ANN.id, is_open=True), ANN.id, ""),
        (Access(roster=roster(), chat_id=ANN.id), ANN.id, STRANGER),
        (Access(roster=roster(), chat_id=ANN.id, is_fellow=True), ANN.id, ""),
        (Access(roster=roster(), chat_id=ANN.id, is_admitted=True), ANN.id, ""),
        (Access(roster=roster(), chat_id=ANN.id, is_open=True), ANN.id, ""),
        (Access(roster=roster(), chat_id=OWNER), OWNER, ""),
        (Access(roster=IN, chat_id=ANN.id), ANN.id, ""),
        (Access(roster=OUT, chat_id=ANN.id), ANN.id, BLOCKED),
        (Access(roster=OUT, chat_id=ANN.id, is_open=True, is_admitted=True), ANN.id, BLOCKED),
        (Access(roster=QUIET, chat_id=OWNER, is_open=True), OWNER, SILENCED),
        (Access(roster=IN, chat_id=GROUP_ID), ANN.id, GROUP),
        (Access(roster=IN, chat_id=GROUP_ID), OWNER, GROUP),
        (Access(roster=IN, chat_id=GROUP_ID, is_open=True), BOB.id, ""),
        (Access(roster=WITH_GROUP, chat_id=GROUP_ID), BOB.id, ""),
        (Access(roster=WITH_GROUP, chat_id=BOB.id), BOB.id, STRANGER),
        (Access(roster=WITH_GROUP, chat_id=GROUP_ID), -1_001, ""),  # a channel's or an anonymous one's words
    ],
)
def test_why_somebody_has_no_answer(access: Access, person: int, why: str) -> None:
    assert access.refusal(person) == why
    assert access.turns_away is bool(access.refusal(max(access.chat_id, 0)))


def test_the_tier_is_told_where_nobody_is_turned_away_too() -> None:
    assert (OPEN.owner, OPEN.tier_of(OWNER)) == (0, TrustTier.STRANGER)
    here = Access(roster=WITH_GROUP, chat_id=GROUP_ID, is_open=True)
    assert (here.owner, here.tier_of(OWNER), here.tier_of(BOB.id)) == (OWNER, TrustTier.OWNER, TrustTier.KNOWN)


def message(author: Author = ANN, **fields: Any) -> Message:
    return Message.model_validate({"at": NOW, "message_id": 5, "author": author, "text": "hello", **fields})


def given(access: Access, kind: ChatKind = ChatKind.PRIVATE) -> Circumstances:
    return Circumstances(kind=kind, me=OwnIdentity(BOT_ID, "lull_bot"), access=access)


def test_the_decision_says_why_and_that_it_is_about_access() -> None:
    made = decide_in(message(), given(Access(roster=roster(), chat_id=ANN.id)))
    assert (made.respond, made.reason, made.tier) == (False, STRANGER, Tier.ACCESS)
    allowed = decide_in(message(), given(Access(roster=IN, chat_id=ANN.id)))
    assert (allowed.respond, allowed.tier) == (True, Tier.CHAT)


def test_neither_a_promise_nor_another_bot_s_call_is_for_who_is_blocked() -> None:
    due = DueReminder(id="r", due_at=NOW)
    assert decide_in(message(reminder=due), given(Access(roster=OUT, chat_id=ANN.id))).tier is Tier.ACCESS
    assert decide_in(message(reminder=due), given(Access(roster=IN, chat_id=ANN.id))).respond
    bot = Author(id=9, name="bot", is_bot=True)
    closed = given(Access(roster=roster(), chat_id=GROUP_ID), ChatKind.SUPERGROUP)
    assert decide_in(message(bot), closed).reason == GROUP


@pytest.mark.parametrize("nobodys", [message(ME), message(is_service=True), message(is_post=True)])
def test_what_nobody_wrote_is_refused_to_nobody(nobodys: Message) -> None:
    assert refusal(nobodys, given(Access(roster=roster(), chat_id=ANN.id))) == ""
