"""Offers: a task that a plan may not do on its own becomes a button. The person who asked presses it to do the task.

The offered task is stored with the button, so a press does exactly the announced task.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from shared.base.logs import log
from shared.base.wording.words import SILENCE, Phrase, Words, words_in
from shared.chat.confirming import asking_message
from shared.chat.session import Session
from shared.memory.loaded import LoadedMemories
from shared.memory.wishes import ASKED, with_room_questions
from shared.planning.format.reply import NOT_DONE
from shared.tasks.ask import Ask
from shared.tasks.graph import with_failure, with_own_tasks
from shared.tasks.plan import Plan, PlannedTask, TaskState
from shared.tasks.registry import stored_task
from shared.tasks.send import own_words
from shared.tasks.task import Task
from shared.turn.choosing import ButtonChoice
from shared.turn.effects import EFFECT, refused_event
from shared.turn.runner import PlanRunner
from shared.values.evolve import evolve
from shared.values.keyboard import MOST_EFFECTS
from shared.values.message import Event, Message
from shared.values.origin import merge_spans
from shared.values.reminder import ReminderChange

#: the reasons why a task that would wait for a button press has ended in its plan
OFFERED: Final = "offered by a button"
NOBODY_TO_ASK: Final = "it waits for a button, and nobody knows by which account it would be pressed"
TOO_MANY: Final = f"it waits for a button, and a message has at most {MOST_EFFECTS} of them"
_ASKS: Final = "ask-"


async def with_reminders(session: Session, runner: PlanRunner, plan: Plan) -> Plan:
    """Return the plan, with the exact change stored in each task that changes a reminder. Raises StoreUnavailable."""
    if all(planned.task.reminder_change is None for planned in plan.tasks):
        return plan
    from shared.reminders.editor import ReminderEditor  # imported only here, since most plans change none

    return await ReminderEditor.of(runner.ports, runner.clock).resolve_changes(session, plan)


def with_offers(
    session: Session, plan: Plan, answered: Sequence[Message], words: Words, known: LoadedMemories | None = None
) -> Plan:
    """Return the plan. For each person, one message with buttons replaces the tasks that the person must confirm.

    The message also reports memories that could not be stored or removed. If memory is full, it asks which memory to
    remove. `known`: the stored memories.
    """
    plan = with_room_questions(session, plan, known, answered, words)
    waits = [t for t in plan.tasks if t.is_open and _waits(t)]
    by_person: dict[int, list[Task]] = {}
    for planned in waits:
        # a person who writes as a channel or a group presses buttons as their own account, which is unknown here
        person = _asker(planned, answered)
        wanted = by_person.setdefault(person, []) if person > 0 else []
        if person <= 0 or len(wanted) == MOST_EFFECTS:
            plan = with_failure(plan, planned.task.id, TOO_MANY if wanted else NOBODY_TO_ASK)
        else:
            wanted.append(planned.task)
    gone = {task.id for wanted in by_person.values() for task in wanted}
    tasks = [evolve(t, state=TaskState.DONE, why=OFFERED) if t.task.id in gone else t for t in plan.tasks]
    for person, wanted in by_person.items():
        if new := _not_offered_yet(session, person, wanted, plan.created_at):
            name = f"{_ASKS}{plan.id}-{person}"
            target, is_marked = asking_message(session, plan, waits[0]), waits[0].saw_outside
            asks = {"is_marked": is_marked, "lifts": is_marked and session.chat.key.is_of_one}
            ask = Ask.about(new, words, **asks, id=name, reply_to=target)
            used = merge_spans(one for t in waits if t.task in wanted for one in t.elsewhere)
            # the offer is marked like the plan's texts; for longer if it contains text, which may be untrusted
            is_derived = waits[0].is_derived and not any(map(_has_words, new))
            own = PlannedTask(task=ask, is_own=True, people=(person,), saw_outside=is_marked, elsewhere=used)
            tasks.append(evolve(own, is_derived=is_derived, unseen=waits[0].unseen))
    if refused := _refusal(tasks, words):
        told = own_words(f"refused-{plan.id}", refused, asking_message(session, plan, tasks[0]))
        tasks.append(PlannedTask(task=told, is_own=True))
    return evolve(plan, tasks=tuple(tasks))


def _refusal(tasks: Sequence[PlannedTask], words: Words) -> Phrase:
    """Return the message that tasks were refused, since the plan's texts may claim otherwise; SILENCE if not needed."""
    failed = [t for t in tasks if t.is_fresh and t.state is TaskState.FAILED and t.why != ASKED]
    if any(t.task.memory_wish is not None for t in failed):
        return words.say("refused.memory")
    is_waiting = any(t.why in {NOBODY_TO_ASK, TOO_MANY} for t in failed)
    return words.say("refused.other") if is_waiting else SILENCE


def refused_events(plan: Plan | None, now: datetime) -> Iterator[Event]:
    """Yield entries that tell the model which tasks of its plan were refused or left out."""
    if plan is None:
        return
    for t in plan.tasks:
        if t.is_fresh and t.state is TaskState.FAILED and (t.task.reaches_further or t.task.takes_back):
            yield refused_event(t, now)
    for note in plan.notes:
        if note.endswith(NOT_DONE):
            yield Event(at=now, kind=EFFECT, note=f"of your plan: {note}")


def _waits(planned: PlannedTask) -> bool:
    """Return whether the task must wait until the person who asked confirms it."""
    change = _change_of(planned)
    is_offered = planned.task.reaches_further and not planned.task.traits.asks_owner
    is_loss = change is not None and change.asks_first
    return planned.is_fresh and ((planned.saw_outside and is_offered) or is_loss)


def _change_of(planned: PlannedTask) -> ReminderChange | None:
    """Return the exact change to a reminder that was determined for the task; None if it changes no reminder."""
    changing = planned.task.reminder_change
    return changing.resolved if changing is not None else None


def _asker(planned: PlannedTask, answered: Sequence[Message]) -> int:
    """Return the id of the person to ask: the author of the message the task names, else the last person answered."""
    if (change := _change_of(planned)) is not None:
        return change.asker
    wish = planned.task.memory_wish
    named = (m.author.id for m in answered if wish is not None and wish.message_id and m.message_id == wish.message_id)
    return next(named, planned.people[-1] if planned.people else 0)


def _not_offered_yet(session: Session, person: int, wanted: Sequence[Task], now: datetime) -> tuple[Task, ...]:
    """Return the tasks without repetitions, and without tasks that an open button already offers to the person."""
    boards = (one for one in session.chat.talk.keyboards if one.is_for(person) and one.seq and not one.is_old(now))
    known = [_content(effect) for board in boards for effect in board.effects_left]
    new = list[Task]()
    for task in wanted:
        content = _content(task.model_dump(mode="json"))
        if content not in known:
            known.append(content)
            new.append(task)
    return tuple(new)


def _has_words(task: Task) -> bool:
    content = _content(task.model_dump(mode="json"))
    return any(isinstance(value, str) and value for name, value in content.items() if name != "kind")


def _content(effect: Mapping[str, Any]) -> dict[str, Any]:
    """Return an effect's data without its links to other tasks and to the message that requested it."""
    return {name: value for name, value in effect.items() if name not in {"id", "depends_on", "message_id"}}


def with_effects(session: Session, now: datetime, choices: Sequence[ButtonChoice], plan: Plan | None) -> Plan | None:
    """Return the plan with the tasks of pressed buttons first. Each is carried out as it was stored with its button.

    The button "Don't ask again" has no task. It makes earlier untrusted text count as trusted; a message confirms this.
    """
    own = effects_of(choices)
    for choice in choices:
        if choice.keyboard.lifts(choice.place):
            own.append(_lift_marks(session, choice))
    return with_own_tasks(plan, own, now) if own else plan


def effects_of(choices: Iterable[ButtonChoice]) -> list[PlannedTask]:
    """Return the tasks of pressed buttons.

    A task that begins another conversation is last, since the other tasks belong to the current conversation.
    """
    own = (planned for choice in choices for planned in _pressed_tasks(choice))
    return sorted(own, key=lambda planned: planned.task.traits.begins_conversation)


def _pressed_tasks(choice: ButtonChoice) -> Iterator[PlannedTask]:
    if choice.effect is not None:
        task = stored_task({**choice.effect, "id": f"pressed-{choice.press.updates[0]}", "depends_on": ()})
        assert isinstance(task, Task)
        log("an offered task is carried out", kind=task.kind)
        # the press permits the instruction, but untrusted text inside the instruction stays untrusted
        own = PlannedTask(task=task, is_own=True, people=(choice.press.author.id,), elsewhere=choice.keyboard.elsewhere)
        yield evolve(own, saw_outside=task.traits.uses.times, is_derived=not choice.keyboard.holds_outside)


def _lift_marks(session: Session, choice: ButtonChoice) -> PlannedTask:
    """Stop treating text from before the offer as untrusted. Return the task that confirms this in the chat."""
    session.note_part(evolve(session.chat.talk, unmarked_seq=max(session.chat.talk.unmarked_seq, choice.keyboard.seq)))
    log("earlier text no longer counts as untrusted")
    told = own_words(
        f"lifted-{choice.press.updates[0]}", words_in(session.chat.locale.last_language).say("offer.lifted")
    )
    return PlannedTask(task=told, is_own=True, people=(choice.press.author.id,))
