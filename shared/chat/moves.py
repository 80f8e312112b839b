"""The move of a group that became a supergroup: everything stored under its old id continues under the new one.

If ticks ran under the new id before the move, their plan, model choice and mute are kept too.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from shared.chat.store.chats import ChatCommit, MovedChat
from shared.chat.store.transcripts import Window, WindowDeletion
from shared.tasks.plan import Plan, PlannedTask, TaskState
from shared.values.budget import add_closed_leases, all_leases
from shared.values.chat import Chat, CurrentConversation
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Event, MediaDescribed, Message

#: the reason that a cancelled task gets
OLD_ID = "it is about a message that has no id in the group as it is now"


def moved_chat(old: Chat, there: Chat) -> Chat:
    """Return the new chat, `there`, with the data of the old chat. If both have a conversation, the old chat's goes on.

    The new chat must return the old chat's budget leases. Its generation (number of claims and releases) is increased,
    since the name of a Cloud Tasks task may already contain the present number.
    """
    goes_on = old if old.conversation else there
    return evolve(
        there,
        kind=ChatKind.SUPERGROUP,
        title=old.title or there.title,
        conversation=goes_on.conversation,
        talk=_moved_talk(old, there, goes_on),
        moves=evolve(there.moves, moved_seq=goes_on.talk.seq if goes_on is old else 0, moved_from=old.key.chat_id),
        access=evolve(there.access, muted_until=_latest(old.access.muted_until, there.access.muted_until)),
        due_at=old.due_at,
        planning=evolve(
            there.planning,
            waits_until=old.planning.waits_until,
            active_until=_latest(old.planning.active_until, there.planning.active_until),
        ),
        locale=evolve(
            there.locale,
            group_zone=there.locale.group_zone or old.locale.group_zone,
            chosen_language=there.locale.chosen_language or old.locale.chosen_language,
            last_language=there.locale.last_language or old.locale.last_language,
        ),
        claim=evolve(there.claim, generation=there.claim.generation + 1, lease=None),
        recall=evolve(
            there.recall,
            segment=goes_on.recall.segment,
            rests_at=goes_on.recall.rests_at,
            busy_since=goes_on.recall.busy_since,
        ),
        privacy=evolve(there.privacy, erased_at=_latest(old.privacy.erased_at, there.privacy.erased_at)),
        budget=add_closed_leases(there.budget, all_leases(old.budget)),
    )


def _moved_talk(old: Chat, there: Chat, goes_on: Chat) -> CurrentConversation:
    return evolve(
        there.talk,
        seq=goes_on.talk.seq,
        shown_seq=goes_on.talk.shown_seq,
        turn=goes_on.talk.turn,
        is_answered=goes_on.talk.is_answered,
        conversation_title=goes_on.talk.conversation_title,
        model=there.talk.model or old.talk.model,
        begun_by=goes_on.talk.begun_by,
        unpaged=(),
        keyboards=(),  # the keyboards' messages have other ids in the new chat
        has_past=goes_on.talk.has_past or there.talk.turn > 0,
    )


def last_change(change: ChatCommit, moved: MovedChat) -> ChatCommit:
    """Return the old chat's last commit, which also writes `moved` and deletes the old window."""
    kept = (one for one in change.records if not isinstance(one, Window))
    return replace(change, records=(*kept, WindowDeletion(), moved))


def _latest(*moments: datetime | None) -> datetime | None:
    return max(filter(None, moments), default=None)


def without_old_ids(plan: Plan) -> Plan:
    """Return the old chat's plan for use in the new chat, where the same message ids mean other messages.

    The plan quotes no message any more, and tasks that are about one message are cancelled.
    """
    return evolve(plan, answers=(), tasks=tuple(map(_about_no_message, plan.tasks)))


def _about_no_message(planned: PlannedTask) -> PlannedTask:
    if not planned.is_open:
        return planned
    if planned.kept_from is not None:
        planned = evolve(planned, kept_from=evolve(planned.kept_from, answers=(), thread=0))
    rest = planned.task.without_message()
    changes = {"task": rest} if rest is not None else {"state": TaskState.CANCELLED, "why": OLD_ID}
    return planned.model_copy(update=changes)


def merge_plans(old: Plan | None, there: Plan | None) -> Plan | None:
    """Return one plan with the tasks of both plans. If one of them is finished or missing, return the other."""
    if there is None or not there.is_open:
        return old
    if old is None or not old.is_open:
        return there
    return evolve(
        old,
        answers=there.answers,
        tasks=(*old.tasks, *map(_rename, there.tasks)),
        notes=(*old.notes, *there.notes),
        calls=(*old.calls, *there.calls),
    )


def _rename(planned: PlannedTask) -> PlannedTask:
    """Return a task of the new chat under an id that no task of the old chat has."""
    depends_on = tuple(map(_name, planned.task.depends_on))
    renamed = evolve(planned.task, id=_name(planned.task.id), depends_on=depends_on)
    return evolve(planned, task=renamed)


def _name(task_id: str) -> str:
    return f"there-{task_id}"


def with_old_ids(entries: Iterable[AnyEntry], moved_seq: int) -> tuple[AnyEntry, ...]:
    """Return the entries; the message ids in entries up to number `moved_seq` are made negative.

    A supergroup counts message ids from 1 again, so an unchanged old id would mean another message. Telegram's ids are
    positive.
    """
    return tuple(_with_old_ids(entry) if entry.seq <= moved_seq else entry for entry in entries)


def _with_old_ids(entry: AnyEntry) -> AnyEntry:
    if isinstance(entry, Event):
        return entry
    if isinstance(entry, MediaDescribed):
        return evolve(entry, message_ids=tuple(-abs(one) for one in entry.message_ids))
    changes: dict[str, object] = {"message_id": -abs(entry.message_id)}
    if isinstance(entry, Message) and entry.reply is not None:
        changes["reply"] = evolve(entry.reply, message_id=-abs(entry.reply.message_id))
    return entry.model_copy(update=changes)


def new_key(key: ChatKey, chat_id: int) -> ChatKey:
    """Return the chat's key under the new id. It has no topic, since basic groups have no topics."""
    return ChatKey(agent=key.agent, chat_id=chat_id)
