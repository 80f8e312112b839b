"""Offering: the keyboard below a message that offers choices. The commit before the call stores it, with the plan."""

from collections.abc import Sequence
from datetime import datetime
from secrets import token_urlsafe

from shared.models.keyboard import Keyboard, newest_that_fit
from shared.models.message import AnyEntry, Message
from shared.models.takeout import ShownTakeout
from shared.session.session import Session
from shared.tasks.plan import KeptFrom, PlannedTask
from shared.tasks.task import Delivered

#: 96 bits, in 16 letters
_ID_BYTES = 12


def offering(
    session: Session, planned: PlannedTask, origin: KeptFrom, now: datetime, entries: Sequence[AnyEntry] = ()
) -> PlannedTask:
    """The task with the buttons of what it offers, of which the next commit tells the chat; it gets them once.

    `entries`: the newest of the conversation.
    """
    if not planned.task.offered or planned.buttons:
        return planned
    people = _people(planned)
    is_a_chats = not people and not planned.task.is_for_everyone()
    keyboard = Keyboard(
        id=token_urlsafe(_ID_BYTES),
        choices=planned.task.offered,
        people=people,
        asked_as=_chat_among(planned.people, entries) if is_a_chats else "",
        thread=origin.thread,
        holds_outside=planned.is_marked,
        elsewhere=planned.elsewhere,
        effects=planned.task.effects,
        at=now,
    )
    session.note_chat(keyboards=newest_that_fit((*session.chat.keyboards, keyboard)))
    return planned.model_copy(update={"buttons": keyboard.buttons})


def _people(planned: PlannedTask) -> tuple[int, ...]:
    """Who may press. Who writes in a channel's or a group's name presses in their own, which nobody knows here."""
    if planned.task.effects:
        return tuple(one for one in planned.people if one > 0)
    is_anybodys = planned.task.is_for_everyone() or any(one < 0 for one in planned.people)
    return () if is_anybodys else planned.people


def _chat_among(people: Sequence[int], entries: Sequence[AnyEntry]) -> str:
    """The name of the chat among these in whose name somebody wrote last."""
    said = (entry.author for entry in reversed(entries) if isinstance(entry, Message))
    return next((author.name for author in said if author.id < 0 and author.id in people), "")


def shown(session: Session, planned: PlannedTask, delivered: Delivered) -> None:
    """Note below which message a keyboard is, or which one tells how far a takeout is: the last one of its task."""
    if planned.shows and delivered.message_ids:
        session.note_chat(shown_takeout=ShownTakeout(run=planned.shows, message_id=delivered.message_ids[-1]))
    if planned.task.offered and delivered.message_ids:
        known = {"message_id": delivered.message_ids[-1], "seq": session.chat.seq + len(delivered.entries)}
        session.note_chat(
            keyboards=tuple(
                k.model_copy(update=known) if k.buttons == planned.buttons else k for k in session.chat.keyboards
            )
        )
