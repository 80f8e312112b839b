"""Keyboards: how somebody who presses sees that it counts, and which buttons go."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Ended:
    """A keyboard of which buttons go, and the id of its message; 0: it is not known."""

    message_id: int
    keyboard: Keyboard
    #: what is left of it; none: nothing
    left: Keyboard | None = None


def gone_keyboards(context: TickContext, batch: Batch, answered: Collection[int], *, is_left: bool) -> Sequence[Ended]:
    """The keyboards that go: what was chosen, is old, or was answered otherwise. Of effects the pressed buttons go.

    Who stops the agent ends what is offered to them, too. `answered`: the ids of the people whom a new plan answers;
    what else they write leaves the effects that they were offered. `is_left`: whether the conversation is left.
    """
    ending = [entry.author.id for entry, command in batch.commands if command.withdraws_offers]
    found = list[Ended]()
    for keyboard in context.session.chat.keyboards:
        chosen = [choice for choice in batch.choices if choice.keyboard.id == keyboard.id]
        message_id = next((choice.press.message_id for choice in chosen), keyboard.message_id)
        left = keyboard.without(choice.place for choice in chosen)
        otherwise = ending if keyboard.effects else (*answered, *ending)
        if is_left or keyboard.is_old(context.now) or any(map(keyboard.is_for, otherwise)):
            found.append(Ended(message_id, keyboard))
        elif chosen:
            found.append(Ended(message_id, keyboard, None if left.is_used_up else left))
    return found


def without_keyboards(context: TickContext, plan: Plan | None, gone: Sequence[Ended]) -> Plan | None:
    """The plan that also takes these buttons away, behind what it says; the chat knows them no more."""
    if not gone:
        return plan
    session, left = context.session, {one.keyboard.id: one.left for one in gone}
    known = (left.get(k.id, k) for k in session.chat.keyboards)
    session.note_chat(keyboards=tuple(k for k in known if k is not None))
    tasks = tuple(
        PlannedTask(
            task=Unbutton(
                id=f"buttons-{one.message_id}",
                message_id=one.message_id,
                left=one.left.buttons if one.left is not None else (),
            ),
            is_own=True,
        )
        for one in gone
        if one.message_id
    )
    if not tasks:
        return plan
    if plan is None:
        return Plan(id=str(ULID()), created_at=context.now, tasks=tasks, trace=current_trace())
    return plan.model_copy(update={"tasks": (*plan.tasks, *tasks)})
