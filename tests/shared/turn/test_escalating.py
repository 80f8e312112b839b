"""Questions to the owner about strangers. Complete stories are in tests/stories/test_access.py."""

from datetime import timedelta
from typing import Any

import pytest

from shared.base.text import Entity, EntityType
from shared.deciding.access_policy import AccessPolicy
from shared.telegram.inbound.entries import MemberChanges
from shared.turn.batch import InboxBatch
from shared.turn.escalating import _asking, _is_asked, _telling_words
from shared.values.access_request import ASKED_AGAIN
from shared.values.chat_key import ChatKind
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Author, DueReminder, Event, Message
from shared.values.trust import AccessList, AdmittedGroup, BlockedPerson
from tests.shared.examples import ANN, BOB, GROUP_KEY, ME, NOW

OWNER, GROUP = 7, GROUP_KEY.chat_id


def access_list(**fields: Any) -> AccessList:
    return AccessList.model_validate({"agent": "lull", "owner": OWNER, **fields})


def batch(access: AccessPolicy, *entries: AnyEntry, **fields: Any) -> InboxBatch:
    kind = ChatKind.SUPERGROUP if access.chat_id < 0 else ChatKind.PRIVATE
    return InboxBatch(update_ids=(), entries=entries, kind=fields.pop("kind", kind), access=access, **fields)


def said(author: Author, text: str = "hello") -> Message:
    command = (Entity(type=EntityType.BOT_COMMAND, offset=0, length=len(text.split()[0])),) if text[0] == "/" else ()
    return Message(at=NOW, message_id=5, author=author, text=text, entities=command)


CLOSED = AccessPolicy(access_list=access_list(), chat_id=ANN.id)
IN_GROUP = AccessPolicy(access_list=access_list(), chat_id=GROUP)
BLOCKED = access_list(blocked={ANN.id: BlockedPerson(id=ANN.id, since=NOW)})
LET_IN = access_list(groups={GROUP: AdmittedGroup(chat_id=GROUP, since=NOW, by=OWNER)})
ADDED = Event(at=NOW, kind="my_chat_member")


@pytest.mark.parametrize(
    ("given", "who"),
    [
        (batch(CLOSED, said(ANN)), ANN),
        (batch(CLOSED, said(ME)), None),
        (batch(CLOSED, evolve(said(ANN), reminder=DueReminder(id="r", due_at=NOW))), None),
        (batch(CLOSED, Event(at=NOW, kind="x")), None),
        (batch(AccessPolicy(access_list=AccessList(agent="lull"), chat_id=ANN.id), said(ANN)), None),
        (batch(AccessPolicy(access_list=access_list(), chat_id=ANN.id, is_open=True), said(ANN)), None),
        (
            batch(AccessPolicy(access_list=BLOCKED, chat_id=ANN.id), said(ANN)),
            None,
        ),
        (batch(IN_GROUP, said(BOB)), BOB),
        (batch(IN_GROUP, ADDED, said(BOB), members=MemberChanges(added_by=ANN)), ANN),
        (batch(IN_GROUP, ADDED, members=MemberChanges(added_by=ANN)), ANN),
        (batch(IN_GROUP, said(BOB), kind=ChatKind.CHANNEL), None),
        (batch(AccessPolicy(access_list=BLOCKED, chat_id=GROUP), said(ANN)), None),
        (batch(AccessPolicy(access_list=BLOCKED, chat_id=GROUP), said(ANN), said(BOB)), BOB),
        (
            batch(
                AccessPolicy(access_list=LET_IN, chat_id=GROUP),
                said(BOB),
            ),
            None,
        ),
    ],
)
def test_who_asks(given: InboxBatch, who: Author | None) -> None:
    assert _asking(given) == who


def test_the_owner_is_asked_again_after_a_month() -> None:
    assert not _is_asked(None, NOW)
    assert _is_asked(NOW, NOW + ASKED_AGAIN - timedelta(seconds=1))
    assert not _is_asked(NOW, NOW + ASKED_AGAIN)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (["/start"], ""),
        (["/start", "hello", "more"], "hello"),
        (["/start", "/new what is the time?", "/help"], "/new what is the time?"),
        (["first", "/start"], "first"),
    ],
)
def test_the_owner_is_shown_the_first_message_that_is_no_command(written: list[str], told: str) -> None:
    assert _telling_words([said(ANN, text) for text in written]) == told
