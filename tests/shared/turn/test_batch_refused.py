"""Actions of people without access are recorded, and have no other effect."""

from typing import Any

import pytest

from shared.deciding.access_policy import BLOCKED, STRANGER, AccessPolicy
from shared.deciding.circumstances import OwnIdentity
from shared.turn.batch import InboxBatch, read_batch
from shared.turn.escalating import _asking
from shared.turn.situation import ChatSituation
from shared.values.chat import CurrentConversation
from shared.values.decision import DecisionTier
from shared.values.evolve import evolve
from shared.values.keyboard import Keyboard
from shared.values.message import AnyEntry, Author, ButtonPress, Edit, Event, Message, Reaction
from shared.values.trust import AccessList, AdmittedGroup, AdmittedPerson, BlockedPerson
from shared.values.update import Json
from tests.shared.examples import (
    ANN,
    BOB,
    GROUP,
    GROUP_KEY,
    ME,
    NOW,
    message_update,
    plan_of,
    private_chat,
    said,
    send,
    update_of,
    user,
)

SELF = OwnIdentity(ME.id, "lull_bot", ("lull",))
OWNER = 7
HERE = {GROUP_KEY.chat_id: AdmittedGroup(chat_id=GROUP_KEY.chat_id, since=NOW, by=OWNER)}
OUT = {ANN.id: BlockedPerson(id=ANN.id, since=NOW, by=OWNER)}
#: a blocked person in a group that was let in, one in private, and a stranger in private
IN_GROUP = AccessPolicy(
    access_list=AccessList(agent="lull", owner=OWNER, groups=HERE, blocked=OUT), chat_id=GROUP_KEY.chat_id
)
IN_PRIVATE = AccessPolicy(
    access_list=AccessList(
        agent="lull", owner=OWNER, blocked=OUT, people={ANN.id: AdmittedPerson(id=ANN.id, since=NOW, by=OWNER)}
    ),
    chat_id=ANN.id,
    is_fellow=True,
)
NOT_YET = AccessPolicy(access_list=AccessList(agent="lull", owner=OWNER), chat_id=ANN.id)
BOARD = Keyboard(id="x" * 16, choices=("Tea", "Coffee"), message_id=7, at=NOW)
EVERYWHERE = pytest.mark.parametrize("access", [IN_GROUP, IN_PRIVATE, NOT_YET])


def read(access: AccessPolicy, *raws: Json, **fields: Any) -> InboxBatch:
    return read_batch([update_of(raw) for raw in raws], ChatSituation(me=SELF, access=access, **fields))


def there(access: AccessPolicy) -> Json:
    return GROUP if access.chat_id < 0 else private_chat()


def press(access: AccessPolicy, data: str, **fields: Any) -> Json:
    below = {"message": {"message_id": 7, "chat": there(access), "from": user(ME), "text": "?"}}
    return {"update_id": 9, "callback_query": {"id": "q", "from": user(ANN), "data": data, **below, **fields}}


def reaction(access: AccessPolicy) -> Json:
    told = {"chat": there(access), "message_id": 7, "user": user(ANN), "date": 1, "new_reaction": [{"emoji": "👍"}]}
    return {"update_id": 9, "message_reaction": told}


def edit(access: AccessPolicy, text: str) -> Json:
    message = message_update(5, text, chat=there(access))["message"]
    return {"update_id": 9, "edited_message": message | {"edit_date": 1_772_366_500}}


def comes_of(batch: InboxBatch) -> tuple[object, ...]:
    return batch.targets, batch.commands, batch.choices, batch.revived


@EVERYWHERE
def test_what_they_write_is_kept_with_the_reason(access: AccessPolicy) -> None:
    found = read(access, message_update(9, "lull, hello", chat=there(access)))
    (entry,) = found.entries
    assert isinstance(entry, Message)
    assert entry.decision is not None
    assert (entry.decision.tier, entry.decision.reason) == (
        DecisionTier.ACCESS,
        STRANGER if access is NOT_YET else BLOCKED,
    )
    assert comes_of(found) == ((), (), (), ())


@EVERYWHERE
@pytest.mark.parametrize("window", [(), (said("hello", message_id=5),)])
def test_an_edit_calls_for_nothing(access: AccessPolicy, window: tuple[AnyEntry, ...]) -> None:
    found = read(access, edit(access, "lull, hello"), window=window)
    assert [type(one) for one in found.entries] == [Edit]
    assert comes_of(found) == ((), (), (), ())


def test_nor_while_they_wait_for_an_answer_from_before_they_were_blocked() -> None:
    plan = evolve(plan_of(send()), answers=(5,))
    window = (said("hello", message_id=5),)
    assert comes_of(read(IN_GROUP, edit(IN_GROUP, "again"), window=window, standing=plan)) == ((), (), (), ())
    others = AccessPolicy(access_list=AccessList(agent="lull", owner=OWNER, groups=HERE), chat_id=GROUP_KEY.chat_id)
    assert read(others, edit(others, "again"), window=window, standing=plan).targets


@EVERYWHERE
def test_a_reaction_calls_for_nothing(access: AccessPolicy) -> None:
    found = read(access, reaction(access), window=(said("Tea?", ME, 7),))
    assert [type(one) for one in found.entries] == [Reaction]
    assert comes_of(found) == ((), (), (), ())
    assert _asking(found) is None


@EVERYWHERE
@pytest.mark.parametrize("data", [BOARD.buttons[0].data, "reminders:conv-1:p0", "model:conv-1:m0", "", "anything"])
def test_of_what_they_press_nothing_is_done(access: AccessPolicy, data: str) -> None:
    found = read(access, press(access, data), talk=CurrentConversation(keyboards=(BOARD,)))
    assert [type(one) for one in found.entries] == [ButtonPress]
    assert comes_of(found) == ((), (), (), ())
    assert _asking(found) is None


@EVERYWHERE
def test_but_what_is_theirs_by_right(access: AccessPolicy) -> None:
    found = read(access, press(access, "forget:conv-1:y"))
    assert [command.name for _, command in found.commands] == ["forget"]


@EVERYWHERE
def test_a_press_below_what_they_sent_elsewhere_is_no_press(access: AccessPolicy) -> None:
    told = press(access, "reminders:conv-1:p0", inline_message_id="abc")
    told["callback_query"].pop("message")
    told["callback_query"]["chat_instance"] = "1"
    found = read(access, told)
    assert [type(one) for one in found.entries] == [Event]
    assert comes_of(found) == ((), (), (), ())


@EVERYWHERE
def test_a_poll_is_a_message(access: AccessPolicy) -> None:
    poll = {"question": "lull, tea?", "options": [{"text": "Yes"}]}
    found = read(access, message_update(9, "", chat=there(access), poll=poll))
    assert comes_of(found) == ((), (), (), ())


def test_somebody_else_s_press_counts_where_theirs_came_first() -> None:
    theirs, bobs = press(IN_GROUP, BOARD.buttons[0].data), press(IN_GROUP, BOARD.buttons[1].data)
    bobs = {"update_id": 10, "callback_query": bobs["callback_query"] | {"from": user(BOB)}}
    (choice,) = read(IN_GROUP, theirs, bobs, talk=CurrentConversation(keyboards=(BOARD,))).choices
    assert (choice.text, choice.press.author.id) == ("Coffee", BOB.id)


@pytest.mark.parametrize("speaker", [GROUP, {"id": -1_009, "type": "channel", "title": "News"}])
def test_channels_and_anonymous_administrators_are_known_where_the_group_is_let_in(speaker: Json) -> None:
    told = message_update(9, "lull, hello", chat=GROUP, sender_chat=speaker)
    assert [one.author.id for one in read(IN_GROUP, told).targets] == [speaker["id"]]
    nobodys = AccessPolicy(access_list=AccessList(agent="lull", owner=OWNER), chat_id=GROUP_KEY.chat_id)
    found = read(nobodys, told)
    assert comes_of(found) == ((), (), (), ())
    assert _asking(found) == Author(id=speaker["id"], name=speaker["title"])
    out = {speaker["id"]: BlockedPerson(id=speaker["id"], since=NOW, by=OWNER)}
    blocked = AccessPolicy(
        access_list=AccessList(agent="lull", owner=OWNER, groups=HERE, blocked=out), chat_id=GROUP_KEY.chat_id
    )
    assert comes_of(read(blocked, told)) == ((), (), (), ()), "a channel can be blocked as a person can"


@pytest.mark.parametrize("speaker", [GROUP, {"id": -1_009, "type": "channel", "title": "News"}])
@pytest.mark.parametrize("command", ["/people", "/requests", "/invite"])
def test_nor_is_any_of_them_taken_for_the_owner(speaker: Json, command: str) -> None:
    entity = {"type": "bot_command", "offset": 0, "length": len(command)}
    told = message_update(9, command, Author(id=OWNER, name="Olga"), chat=GROUP, sender_chat=speaker)
    told["message"]["entities"] = [entity]
    for _, invocation in read(IN_GROUP, told).commands:
        assert invocation.permission.name == "DENIED"
