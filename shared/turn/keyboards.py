"""Keyboards: how somebody who presses sees that it counts, and which buttons go."""

from collections.abc import Collection, Sequence
from contextlib import suppress

from ulid import ULID

from shared.errors import ChannelError
from shared.logs import current_trace
from shared.models.keyboard import Keyboard
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.unbutton import Unbutton
from shared.turn.batch import Batch
from shared.turn.choosing import Choice
from shared.turn.services import TickContext


async def acknowledge(context: TickContext, choices: Sequence[Choice]) -> None:
    """Show who chose something that it was seen, before the model thinks about it.

    It only decorates, as typing does: the choice itself is in the inbox until it is read.
    """
    runner = context.services.runner
    if runner.gate.known_until(context.session.chat.key.chat_id) is None:
        for choice in choices:
            with suppress(ChannelError):
                await runner.channel.answer_press(choice.press.query_id, "")


def gone_keyboards(
    context: TickContext, batch: Batch, answered: Collection[int], *, is_left: bool
) -> Sequence[tuple[int, Keyboard]]:
    """The keyboards that go, with the ids of their messages: what was chosen, is old, or was answered otherwise.

    Who stops the agent ends what is offered to them, too. `answered`: the ids of the people whom a new plan answers.
    `is_left`: whether the conversation is left.
    """
    chosen = {choice.keyboard.id: choice.press.message_id for choice in batch.choices}
    ending = [entry.author.id for entry, command in batch.commands if command.withdraws_offers]
    return [
        (chosen.get(k.id, k.message_id), k)
        for k in context.session.chat.keyboards
        if is_left or k.id in chosen or k.is_old(context.now) or any(map(k.is_for, (*answered, *ending)))
    ]


def without_keyboards(context: TickContext, plan: Plan | None, gone: Sequence[tuple[int, Keyboard]]) -> Plan | None:
    """The plan that also takes these keyboards away, behind what it says; the chat knows them no more."""
    if not gone:
        return plan
    ids = {keyboard.id for _, keyboard in gone}
    session = context.session
    session.note_chat(keyboards=tuple(k for k in session.chat.keyboards if k.id not in ids))
    tasks = tuple(
        PlannedTask(task=Unbutton(id=f"buttons-{message_id}", message_id=message_id), is_own=True)
        for message_id, _ in gone
        if message_id
    )
    if not tasks:
        return plan
    if plan is None:
        return Plan(id=str(ULID()), created_at=context.now, tasks=tasks, trace=current_trace())
    return plan.model_copy(update={"tasks": (*plan.tasks, *tasks)})
