"""Groups that get a new id."""

from shared.chat.conversation import resume_conversation
from shared.chat.moves import OLD_ID, merge_plans, moved_chat, new_key, with_old_ids, without_old_ids
from shared.tasks.graph import next_due_at, next_task, with_task
from shared.tasks.notice import Notice
from shared.tasks.plan import DeliveryState, Plan, PlannedTask, TaskOrigin, TaskState
from shared.tasks.rewrite import Rewrite
from shared.values.chat import (
    Chat,
    ChatAccess,
    ChatClaim,
    ConversationInfo,
    CurrentConversation,
    Lease,
    Locale,
    PlanningState,
)
from shared.values.chat_key import ChatKind
from shared.values.evolve import evolve
from shared.values.keyboard import Keyboard
from shared.values.message import Edit, Event, Message, QuotedMessage, Reaction
from tests.shared.examples import ANN, GROUP_KEY, NOW, SECOND, begun, plan_of, react, said, send, wait

THERE = new_key(GROUP_KEY, -100)


def test_it_goes_on_with_what_was_kept() -> None:
    old = Chat(
        key=GROUP_KEY,
        kind=ChatKind.GROUP,
        title="Garden",
        conversation="conv-1",
        talk=CurrentConversation(seq=7, model="big", conversation_title="Beds", turn=3, is_answered=True),
        due_at=NOW,
        claim=ChatClaim(generation=9),
        access=ChatAccess(muted_until=NOW),
    )
    there = Chat(key=new_key(GROUP_KEY, -100), claim=ChatClaim(generation=3, lease=Lease(owner="x", until=NOW)))
    new = moved_chat(old, there)
    assert (new.key.chat_id, new.key.topic_id, new.key.agent) == (-100, 0, "lull")
    assert (new.kind, new.title, new.conversation, new.talk.seq, new.due_at) == (
        ChatKind.SUPERGROUP, "Garden", "conv-1", 7, NOW,
    )  # fmt: skip
    assert (new.talk.turn, new.talk.is_answered) == (3, True)
    assert (new.talk.model, new.access.muted_until, new.talk.conversation_title) == ("big", NOW, "Beds")
    assert (new.claim.generation, new.claim.lease) == (4, None)


def test_its_zone_and_language_come_along_unless_the_new_id_has_some() -> None:
    old = Chat(key=GROUP_KEY, conversation="conv-1", locale=Locale(group_zone="Asia/Tokyo", last_language="ja"))
    new = moved_chat(old, Chat(key=THERE))
    assert (new.locale.group_zone, new.locale.last_language) == ("Asia/Tokyo", "ja")
    chosen = moved_chat(old, Chat(key=THERE, locale=Locale(group_zone="Europe/Kyiv", last_language="uk")))
    assert (chosen.locale.group_zone, chosen.locale.last_language) == ("Europe/Kyiv", "uk")


def test_keeps_choices_made_under_the_new_id() -> None:
    old = Chat(
        key=GROUP_KEY,
        conversation="conv-1",
        talk=CurrentConversation(model="big"),
        access=ChatAccess(muted_until=NOW),
        planning=PlanningState(active_until=NOW + SECOND),
    )
    there = Chat(
        key=THERE,
        title="Beds",
        conversation="conv-2",
        talk=CurrentConversation(seq=4, model="small"),
        access=ChatAccess(muted_until=NOW + SECOND),
        planning=PlanningState(active_until=NOW),
    )
    new = moved_chat(old, there)
    assert (new.talk.model, new.access.muted_until, new.planning.active_until) == ("small", NOW + SECOND, NOW + SECOND)
    assert (new.title, new.conversation, new.talk.seq) == ("Beds", "conv-1", 0)


def test_where_nothing_was_said_before_the_new_conversation_goes_on() -> None:
    there = Chat(
        key=THERE,
        conversation="conv-2",
        talk=CurrentConversation(seq=4, turn=2, is_answered=True, conversation_title="Beds"),
    )
    new = moved_chat(Chat(key=GROUP_KEY, due_at=NOW), there)
    assert (new.conversation, new.talk.seq, new.talk.turn, new.talk.is_answered, new.talk.conversation_title) == (
        "conv-2",
        4,
        2,
        True,
        "Beds",
    )


def test_cancels_tasks_about_old_messages_under_the_new_id() -> None:
    done = evolve(begun(send("0", reply_to=5), DeliveryState.CONFIRMED), state=TaskState.DONE)
    rewrite = PlannedTask(task=Rewrite(id="own-1", message_id=7, text="x"), is_own=True)
    notice = PlannedTask(task=Notice(id="own-2", query_id="q"), is_own=True)
    plan = plan_of(send("1", reply_to=6), react("2", after=("1",)), wait("3"), send("4", after=("2",)))
    plan = evolve(plan, tasks=(done, rewrite, notice, *plan.tasks), answers=(5, 6))
    moved = without_old_ids(plan)
    assert moved.answers == ()
    assert [(t.task.id, t.state, t.why) for t in moved.tasks] == [
        ("0", TaskState.DONE, ""), ("own-1", TaskState.CANCELLED, OLD_ID), ("own-2", TaskState.PLANNED, ""),
        ("1", TaskState.PLANNED, ""), ("2", TaskState.CANCELLED, OLD_ID), ("3", TaskState.PLANNED, ""),
        ("4", TaskState.PLANNED, ""),
    ]  # fmt: skip
    assert moved.tasks[3].task == send("1")


def test_a_promise_of_before_answers_no_message_and_no_comment_of_the_new_chat() -> None:
    origin = TaskOrigin(plan="p0", task="2", answers=(5,), thread=9)
    promise = evolve(plan_of(send("1")).tasks[0], kept_from=origin)
    done = evolve(promise, state=TaskState.DONE)
    moved = without_old_ids(Plan(id="p1", created_at=NOW, tasks=(promise, done)))
    assert [one.kept_from for one in moved.tasks] == [TaskOrigin(plan="p0", task="2"), origin]


def test_keeps_promises_made_under_the_new_id() -> None:
    old = plan_of(wait("1"), send("2", "Old.", after=("1",)))
    there = plan_of(send("1"), wait("2", after=("1",)), send("3", "New.", after=("2",)), plan_id="p2")
    there = evolve(there, answers=(3,))
    sent = evolve(begun(send("1"), DeliveryState.CONFIRMED), state=TaskState.DONE)
    waiting = evolve(there.tasks[1], not_before=NOW + SECOND)
    there = with_task(with_task(there, sent), waiting)
    both = merge_plans(old, there)
    assert both is not None
    assert (both.id, both.answers, len(both.tasks)) == ("p1", (3,), 5)
    assert len({t.task.id for t in both.tasks}) == 5
    both = with_task(both, evolve(both.tasks[0], not_before=NOW + 9 * SECOND))
    assert next_due_at(both) == NOW + SECOND
    both = with_task(both, evolve(both.tasks[3], state=TaskState.DONE))
    following = next_task(both, NOW)
    assert following is not None
    assert following.task.id == both.tasks[4].task.id


def test_of_two_plans_the_open_one_goes_on() -> None:
    is_open = plan_of(send())
    closed = Plan(id="p2", created_at=NOW, tasks=())
    assert merge_plans(is_open, None) == merge_plans(is_open, closed) == is_open
    assert merge_plans(None, is_open) == merge_plans(closed, is_open) == is_open
    assert merge_plans(None, None) is None
    assert merge_plans(closed, None) == closed


def test_old_message_ids_name_no_message_of_the_new_chat() -> None:
    old = (
        said("hi", message_id=5, seq=1, reply=QuotedMessage(message_id=4, author=ANN)),
        Edit(seq=2, at=NOW, message_id=5, author=ANN, text="ho"),
        Reaction(seq=3, at=NOW, message_id=5, author=ANN, emojis=("👍",)),
        Event(seq=4, at=NOW, kind="x"),
    )
    new = said("hi", message_id=5, seq=5, reply=QuotedMessage(message_id=4, author=ANN))
    found = with_old_ids((*old, new), 4)
    assert [entry.message_id for entry in found if isinstance(entry, Message | Edit | Reaction)] == [-5, -5, -5, 5]
    assert [entry.reply.message_id for entry in found if isinstance(entry, Message) and entry.reply] == [-4, 4]
    assert with_old_ids(found, 4) == found
    assert with_old_ids((*old, new), 0) == (*old, new)


def test_only_a_conversation_that_moved_has_old_ids() -> None:
    old, there = (
        Chat(key=GROUP_KEY, conversation="conv-1", talk=CurrentConversation(seq=7)),
        Chat(key=new_key(GROUP_KEY, -9), talk=CurrentConversation(seq=2)),
    )
    assert moved_chat(old, there).moves.moved_seq == 7
    assert moved_chat(Chat(key=GROUP_KEY), there).moves.moved_seq == 0


def test_old_offers_are_below_no_message_of_the_new_chat() -> None:
    keyboard = Keyboard(id="x" * 16, choices=("Tea",), message_id=7, at=NOW)
    offering = Chat(
        key=GROUP_KEY, conversation="conv-1", talk=CurrentConversation(keyboards=(keyboard,), unmarked_seq=7)
    )
    assert moved_chat(offering, Chat(key=THERE)).talk.keyboards == ()
    kept = ConversationInfo(id="conv-0", chat=GROUP_KEY.id)
    assert (
        resume_conversation(offering, kept, ()).talk.keyboards,
        resume_conversation(offering, kept, ()).talk.unmarked_seq,
    ) == ((), 0)
