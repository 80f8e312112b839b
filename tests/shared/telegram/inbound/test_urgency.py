"""Urgency of updates: LATER only for those that cannot be for the agent."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.deciding.circumstances import OwnIdentity
from shared.deciding.rules import decide
from shared.telegram.inbound.content import CONTENT
from shared.telegram.inbound.service import NOTES
from shared.telegram.inbound.urgency import (
    AgentNames,
    UpdateUrgency,
    awaits_answer,
    message_id_of,
    typing_call,
    urgency_of,
    wants_typing,
)
from shared.values.chat_key import ChatKind
from shared.values.update import Json
from tests.shared.deciding.groups import ROBO
from tests.shared.examples import ANN, BOB, GROUP, JSON_VALUES, ME, PROPERTY, message_update, said, update_of, user
from tests.shared.expected import EXPECTED
from tests.shared.updates import RAW, stored

NAMES = AgentNames(usernames=("lull_bot",), called=("lull", "the gardener", "C++", "Мох", "ルル", "苔苔", "มอส"))


def urgency(raw: Json, is_active: bool = False) -> UpdateUrgency:
    return urgency_of(update_of(raw).envelope, raw, lambda: NAMES, is_active)


def in_group(text: str, **fields: Any) -> Json:
    return message_update(7, text, chat=GROUP, **fields)


@pytest.mark.parametrize("name", RAW)
def test_every_update_rests_as_long_as_it_may(name: str) -> None:
    update = stored(name)
    assert (
        urgency_of(update.envelope, update.raw, lambda: AgentNames(called=("Marvin",)), False).value
        == EXPECTED[name].urgency
    )


def test_nothing_that_the_rules_would_answer_rests_longer_than_the_quiet_time() -> None:
    silent = {"not addressed", "an event, nothing said", "a channel's post", "a bot's", ""}
    answered = [expected for expected in EXPECTED.values() if expected.reason not in silent]
    assert answered
    assert {expected.urgency for expected in answered} <= {"now", "soon"}


@pytest.mark.parametrize(
    "text",
    [
        *("Lull?", "hey lull!", "THE GARDENER knows", "who does c++ here", "мох, ты тут", "is lull_bot here"),
        *("ねえルルさん、元気？", "苔苔你在吗", "ﾙﾙは元気？", "lullは元気？", "มอสครับ", "lu\u00adll, hi"),
    ],
)
def test_its_name_calls_it_in_any_case(text: str) -> None:
    assert urgency(in_group(text)) is UpdateUrgency.SOON


@pytest.mark.parametrize("text", ["lullaby", "the gardeners", "xlull", "", "мохнатый"])
def test_a_word_that_only_begins_like_its_name_does_not(text: str) -> None:
    assert urgency(in_group(text)) is UpdateUrgency.LATER


GLUE = st.sampled_from(
    ["", " ", "は", "さん", "你", "的", "ครับ", "님", ",", "-", "@", ".", "_", "x", "ж", "\u200b", "。"]
)


@PROPERTY
@given(st.lists(GLUE | st.sampled_from([*NAMES.called, "lull_bot", "LULL", "ﾙﾙ"]), max_size=5).map("".join))
def test_whom_the_rules_find_named_the_webhook_does(text: str) -> None:
    """A message that the rules answer by itself never waits for a minute."""
    me = OwnIdentity(ME.id, NAMES.usernames[0], NAMES.called)
    is_named = decide(said(text), ChatKind.SUPERGROUP, me).respond
    assert (urgency(in_group(text)) is UpdateUrgency.SOON) is is_named


def test_a_caption_is_read_too() -> None:
    raw = in_group("")
    raw["message"] |= {"text": None, "caption": "lull, look"}
    assert urgency(raw) is UpdateUrgency.SOON


def test_a_command_needs_no_quiet_time() -> None:
    entity = {"type": "bot_command", "offset": 0, "length": 5}
    assert urgency(message_update(7, "/help", entities=[entity])) is UpdateUrgency.NOW
    assert urgency(in_group("see /help", entities=[entity | {"offset": 4}])) is UpdateUrgency.SOON


def test_while_the_agent_takes_part_the_group_is_read_soon() -> None:
    assert urgency(in_group("ok"), is_active=True) is UpdateUrgency.SOON
    assert urgency(in_group("ok")) is UpdateUrgency.LATER


def test_a_reply_to_a_bot_may_be_to_this_one() -> None:
    assert urgency(in_group("ok", reply_to_message={"message_id": 1, "from": user(ME)})) is UpdateUrgency.SOON
    assert urgency(in_group("ok", reply_to_message={"message_id": 1, "from": user(BOB)})) is UpdateUrgency.LATER


@PROPERTY
@given(
    st.sampled_from(["message", "edited_message", "callback_query"]),
    st.dictionaries(
        st.sampled_from(["entities", "caption_entities", "reply_to_message", "text", "caption", "chat", "from"]),
        JSON_VALUES | st.lists(st.dictionaries(st.sampled_from(["type", "offset", "from", "is_bot"]), JSON_VALUES)),
    ),
)
def test_no_json_raises(kind: str, subject: dict[str, Any]) -> None:
    raw = {"update_id": 7, kind: subject}
    assert urgency(raw) in UpdateUrgency
    assert wants_typing(update_of(raw).envelope, raw) in {True, False}
    assert awaits_answer(update_of(raw), ("lull",), ME.id) in {True, False}
    assert message_id_of(update_of(raw)) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("text_plain_private", True),
        ("voice", True),
        ("text_group_mention", False),
        ("edited_message_caption", False),
        ("successful_payment", False),
        ("callback_query_data", False),
    ],
)
def test_typing_is_shown_to_who_wrote_in_private(name: str, expected: bool) -> None:
    assert wants_typing(stored(name).envelope, RAW[name]) is expected


SAID = [kind.field for kind in CONTENT if kind.is_said]
CALLED = ("lull", "lull_bot")


def with_content(kind: str, **fields: Any) -> Json:
    """Make a message with only this content."""
    raw = message_update(7, **fields)
    del raw["message"]["text"]
    raw["message"][kind] = {}
    return raw


@pytest.mark.parametrize("kind", SAID)
def test_for_all_that_is_said_somebody_is_seen_typing_and_its_loss_is_apologised_for(kind: str) -> None:
    update = update_of(with_content(kind))
    assert wants_typing(update.envelope, update.raw)
    assert awaits_answer(update, CALLED, ME.id)


@pytest.mark.parametrize("kind", [*NOTES, "moon_landed"])
def test_for_what_only_happened_nobody_waits(kind: str) -> None:
    for raw in (with_content(kind), with_content(kind, chat=GROUP)):
        update = update_of(raw)
        assert not wants_typing(update.envelope, update.raw)
        assert not awaits_answer(update, CALLED, ME.id)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"text": "Lull, what is it?"}, True),
        ({"text": "@lull_bot"}, True),
        ({"text": "lullaby"}, False),
        ({"reply_to_message": {"message_id": 1, "from": user(ME)}}, True),
        ({"reply_to_message": {"message_id": 1, "from": user(BOB)}}, False),
    ],
)
def test_in_a_group_who_spoke_to_the_agent_waits_for_it(fields: Json, expected: bool) -> None:
    raw = message_update(7, chat=GROUP, **fields)
    assert awaits_answer(update_of(raw), CALLED, ME.id) is expected
    edited = {"update_id": 7, "edited_message": raw["message"]}
    assert not awaits_answer(update_of(edited), CALLED, ME.id)


def test_the_message_to_apologise_for_is_known_by_its_id() -> None:
    assert message_id_of(update_of(message_update(7))) == 7
    assert message_id_of(update_of(message_update(7, message_id="7"))) is None
    assert message_id_of(update_of({"update_id": 7, "message": []})) is None


def test_typing_is_shown_in_the_topic_where_somebody_wrote() -> None:
    call = typing_call(update_of(message_update(7, message_thread_id=3, is_topic_message=True)).envelope)
    assert call == {"method": "sendChatAction", "chat_id": ANN.id, "action": "typing", "message_thread_id": 3}


STOP: dict[str, Any] = {"entities": [{"type": "bot_command", "offset": 0, "length": 5}]}


def test_a_stop_request_is_the_agents_wherever_it_may_be_at_it() -> None:
    raw = in_group("/stop", **STOP)
    assert urgency(raw) is UpdateUrgency.NOW
    assert urgency(raw, is_active=True) is UpdateUrgency.STOP
    assert urgency_of(update_of(raw).envelope, raw, lambda: NAMES, False, is_held=True) is UpdateUrgency.STOP
    other = in_group("/stop@other_bot", **STOP)
    assert urgency_of(update_of(other).envelope, other, lambda: NAMES, True, is_held=True) is UpdateUrgency.NOW
    assert (
        urgency(in_group("/stop", **STOP, reply_to_message={"message_id": 1, "from": user(ME)})) is UpdateUrgency.STOP
    )
    assert (
        urgency(in_group("/stop", **STOP, reply_to_message={"message_id": 1, "from": user(ROBO)})) is UpdateUrgency.NOW
    )


def test_while_a_tick_is_at_work_other_chatter_is_as_urgent_as_ever() -> None:
    raw = in_group("ok")
    assert urgency_of(update_of(raw).envelope, raw, lambda: NAMES, False, is_held=True) is UpdateUrgency.LATER


def test_a_forwarded_wish_to_stop_stops_nothing_at_once() -> None:
    origin = {"type": "user", "sender_user": user(BOB), "date": 1}
    assert urgency(message_update(7, "/stop", **STOP)) is UpdateUrgency.STOP
    assert urgency(message_update(7, "/stop", **STOP, forward_origin=origin)) is UpdateUrgency.NOW


@pytest.mark.parametrize("text", ["lull, are you there?", "/help@lull_bot", "@lull_bot hi", "/stop@lull_bot"])
def test_a_channels_post_in_its_discussion_group_asks_nobody(text: str) -> None:
    post = in_group(text, is_automatic_forward=True)
    assert urgency(post, is_active=True) is UpdateUrgency.LATER
    assert not awaits_answer(update_of(post), NAMES.called, 9)
