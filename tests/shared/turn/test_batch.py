"""Batches: the messages to answer, and the updates that require a new plan."""

from typing import Any

import pytest

from shared.commands.command import Permission
from shared.deciding.circumstances import OwnIdentity
from shared.tasks.graph import cancel_all
from shared.tasks.plan import PlannedTask
from shared.turn.batch import InboxBatch, read_batch
from shared.turn.situation import ChatSituation
from shared.values.chat import Chat, ChatAccess, Locale
from shared.values.chat_key import ChatKind
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Message
from shared.values.update import Json
from tests.shared.examples import (
    ANN,
    BOB,
    GROUP,
    GROUP_KEY,
    KEY,
    ME,
    message_update,
    plan_of,
    private_chat,
    send,
    update_of,
    user,
)

SELF = OwnIdentity(ME.id, "lull_bot", ("lull",))
TO_ME: dict[str, Any] = {"reply_to_message": {"message_id": 99, "from": user(ME), "text": "?"}}


def batch(*raws: Json) -> InboxBatch:
    return read_batch([update_of(raw) for raw in raws], ChatSituation(me=SELF))


def group_message(update_id: int, text: str = "hi", **fields: Any) -> Json:
    return message_update(update_id, text, chat=GROUP, **fields)


def edit_of(message_id: int, update_id: int) -> Json:
    message = message_update(update_id)["message"] | {"message_id": message_id, "chat": GROUP, "text": "new"}
    return {"update_id": update_id, "edited_message": message}


def album_part(update_id: int, **fields: Any) -> Json:
    return group_message(update_id, "", media_group_id="a", photo=[{"file_id": str(update_id)}], **fields)


def private_part(update_id: int, **fields: Any) -> Json:
    return message_update(update_id, "", media_group_id="a", photo=[{"file_id": str(update_id)}], **fields)


def test_a_batch_knows_its_updates_its_chat_and_what_is_to_be_answered() -> None:
    found = batch(group_message(1), group_message(2, **TO_ME), edit_of(1, 3))
    assert (found.update_ids, found.kind, found.names.title) == ((1, 2, 3), ChatKind.SUPERGROUP, "Garden")
    assert [m.message_id for m in found.targets] == [2]
    assert [isinstance(e, Message) and e.decision is not None for e in found.entries] == [True, True, False]


def test_the_newest_title_counts() -> None:
    renamed = GROUP | {"title": "Orchard"}
    assert batch(group_message(1), message_update(2, chat=renamed)).names.title == "Orchard"


def test_a_topics_name_is_that_of_its_first_message_until_it_is_renamed() -> None:
    first = {"message_id": 1, "forum_topic_created": {"name": "Tea"}}
    unnamed, named = Chat(key=GROUP_KEY), Chat(key=GROUP_KEY, title="Old", topic="Coffee")
    spoken = batch(group_message(1, reply_to_message=first))
    assert (spoken.chat_after(unnamed).title, spoken.chat_after(unnamed).topic) == ("Garden", "Tea")
    assert (spoken.chat_after(named).title, spoken.chat_after(named).topic) == ("Garden", "Coffee")
    renamed = batch(
        group_message(1, forum_topic_edited={"name": "Cocoa"}),
        group_message(2, reply_to_message=first),
        group_message(3),
    )
    assert renamed.chat_after(named).topic == "Cocoa"
    assert batch(group_message(1)).chat_after(named).topic == "Coffee"


def test_the_language_of_who_wrote_last_is_known_until_somebody_says_another() -> None:
    before = Chat(key=GROUP_KEY, locale=Locale(last_language="uk"))
    german: Json = {"from": {"id": 5, "first_name": "Max", "language_code": "de"}}
    said = message_update(1, chat=GROUP)
    speaking = batch({**said, "message": said["message"] | german}, group_message(2))
    assert speaking.chat_after(before).locale.last_language == "de"
    assert batch(group_message(1)).chat_after(before).locale.last_language == "uk"


def test_updates_without_a_chat_have_no_kind() -> None:
    found = batch({"update_id": 1, "poll": {"id": "5"}})
    assert (found.kind, found.names.title, found.targets) == (ChatKind.NONE, "", ())


def test_an_album_is_decided_as_one_message() -> None:
    found = batch(album_part(1), album_part(2, **TO_ME))
    assert len(found.entries) == 1
    assert found.update_ids == (1, 2)


def one_after_the_other(*raws: Json, standing: bool = False) -> list[list[int]]:
    """Read updates one by one with the decisions on earlier ones; list the messages to answer for each."""
    found, window = list[list[int]](), list[AnyEntry]()
    for raw in raws:
        plan = evolve(plan_of(send("1")), answers=(1,)) if standing and window else None
        read = read_batch([update_of(raw)], ChatSituation(me=SELF, window=tuple(window), standing=plan))
        window += read.entries
        found.append([m.message_id for m in read.targets])
    return found


def test_an_album_that_comes_in_three_pieces_is_answered_once() -> None:
    parts = [private_part(n, caption="look") for n in (1, 2, 3)]
    assert one_after_the_other(*parts) == [[1], [], []]
    named = [album_part(1), album_part(2, **TO_ME, caption="look"), album_part(3, **TO_ME, caption="and this")]
    assert one_after_the_other(*named) == [[], [2], []]


def test_an_album_that_grows_twice_before_its_answer_left_is_planned_anew_twice() -> None:
    parts = [private_part(n) for n in (1, 2, 3)]
    assert one_after_the_other(*parts, standing=True) == [[1], [1], [1]]


def test_a_caption_that_is_edited_after_the_answer_is_not_answered_again() -> None:
    parts = [private_part(n, caption="look") for n in (1, 2)]
    edited = {"update_id": 3, "edited_message": parts[1]["message"] | {"caption": "look there"}}
    assert one_after_the_other(*parts, edited) == [[1], [], []]
    assert one_after_the_other(*parts, edited, standing=True) == [[1], [1], [1]]


def test_the_transcript_tells_once_that_the_agent_came_or_went() -> None:
    came = batch(group_message(1, new_chat_members=[user(ME)]), group_message(2, left_chat_member=user(ME)))
    assert (came.entries, came.read_ids) == ((), (1, 2))
    others = batch(
        group_message(1, new_chat_members=[user(ME), user(BOB)]), group_message(2, left_chat_member=user(BOB))
    )
    assert len(others.entries) == 2


def moved_in_or_out(update_id: int, status: str) -> Json:
    return {"update_id": update_id, "my_chat_member": {"chat": private_chat(), "new_chat_member": {"status": status}}}


def test_who_was_brought_back_is_not_gone() -> None:
    gone, back = moved_in_or_out(1, "kicked"), moved_in_or_out(2, "member")
    assert batch(gone, message_update(3)).members.was_removed
    assert not batch(gone, back, message_update(3)).members.was_removed
    assert batch(back, message_update(3), moved_in_or_out(4, "left")).members.was_removed
    assert not batch(message_update(3)).members.was_removed


ASKED = group_message(1, **TO_ME)


@pytest.mark.parametrize(
    ("newer", "expected"),
    [
        ([], False),
        ([group_message(2, author=BOB)], False),
        ([group_message(2, author=BOB, **TO_ME)], True),
        ([group_message(2, author=ANN)], True),
        ([edit_of(1, 2)], True),
        ([edit_of(77, 2)], False),
        ([{"update_id": 2, "message_reaction": {"message_id": 1, "chat": GROUP, "new_reaction": []}}], False),
    ],
    ids=[
        "nothing",
        "chatter",
        "another question",
        "the asker goes on",
        "the question changes",
        "another edit",
        "reaction",
    ],
)
def test_only_what_changes_the_question_calls_for_another_plan(newer: list[Json], expected: bool) -> None:
    assert batch(ASKED, *newer).calls_for_another_plan(batch(ASKED)) is expected


def test_an_album_calls_for_another_plan_when_it_grew_and_not_because_it_is_one() -> None:
    first = batch(album_part(1, **TO_ME))
    assert batch(album_part(1, **TO_ME), album_part(2)).calls_for_another_plan(first)
    assert not batch(album_part(1, **TO_ME), group_message(2, author=BOB)).calls_for_another_plan(first)


def command(update_id: int, text: str, **fields: Any) -> Json:
    length = len(text.split()[0])
    return message_update(update_id, text, entities=[{"type": "bot_command", "offset": 0, "length": length}], **fields)


def test_what_came_after_another_conversation_began_belongs_there() -> None:
    found = batch(message_update(1), command(2, "/new"), message_update(3), command(4, "/stop"))
    assert found.update_ids == (1, 2)
    assert [c.name for _, c in found.commands] == ["new"]
    assert (found.targets, found.was_silenced, found.is_stopped) == ((), True, True)


def test_what_came_before_the_last_wish_to_stop_is_not_answered() -> None:
    found = batch(message_update(1), command(2, "/stop"), message_update(3), command(4, "/mute"), message_update(5))
    assert (found.update_ids, found.targets) == ((1, 2, 3, 4), ())


def test_other_commands_go_first_and_leave_the_rest() -> None:
    found = batch(message_update(1), command(2, "/help"), message_update(3))
    assert (found.update_ids, found.is_stopped) == ((2,), False)


def test_an_administrators_command_waits_until_it_is_known_who_wrote_it() -> None:
    raw = command(1, "/new@lull_bot", chat=GROUP)
    (_, asked), *_ = batch(raw).commands
    assert (asked.permission, asked.ends_plan) == (Permission.UNKNOWN, False)
    known = ChatSituation(me=SELF, permissions={ANN.id: Permission.GRANTED})
    (_, granted), *_ = read_batch([update_of(raw)], known).commands
    assert (granted.permission, granted.ends_plan) == (Permission.GRANTED, True)


def test_while_the_chat_is_muted_only_declared_commands_are_heard() -> None:
    raws = [command(1, "/help"), command(2, "/nothing")]
    heard = read_batch([update_of(raw) for raw in raws], ChatSituation(me=SELF, is_muted=True))
    assert [c.name for _, c in heard.commands] == ["help"]
    assert [c.name for _, c in batch(*raws).commands] == ["help", "nothing"]


def test_a_command_knows_the_language_of_who_wrote_it() -> None:
    raw = command(1, "/help", **{"from": {**user(ANN), "language_code": "uk"}})
    (_, found), *_ = batch(raw).commands
    assert found.language == "uk"


def test_what_only_lull_still_has_to_say_leaves_nobody_unanswered() -> None:
    own = PlannedTask(task=send("own"), is_own=True)
    plan = evolve(plan_of(send()), answers=(5,))
    assert ChatSituation(me=SELF, standing=plan).unanswered_ids == {5}
    stopped = evolve(cancel_all(plan, "stopped"), tasks=(own, *cancel_all(plan, "stopped").tasks))
    assert ChatSituation(me=SELF, standing=stopped).unanswered_ids == frozenset()


def test_who_writes_again_has_blocked_the_agent_no_more() -> None:
    blocked = Chat(key=KEY, access=ChatAccess(is_blocked=True))
    reacted = batch({"update_id": 1, "message_reaction": {"chat": message_update(1)["message"]["chat"]}})
    assert reacted.chat_after(blocked).access.is_blocked, "nothing was written"
    assert not batch(message_update(2)).chat_after(blocked).access.is_blocked
