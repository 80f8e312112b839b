"""Keyboards: confirm that button presses were received, and remove buttons that were used or have expired."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from ulid import ULID

from shared.base.errors import ChannelError
from shared.base.logs import current_trace
from shared.base.text import fit_line
from shared.base.wording.direction import begins_right_to_left, isolate
from shared.base.wording.verbatim import visible
from shared.chat.session import Session
from shared.commands.command import Permission
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.show_choice import ShowChoice
from shared.tasks.task import Task
from shared.tasks.unbutton import RemoveButtons
from shared.turn.batch import InboxBatch
from shared.turn.choosing import ButtonChoice
from shared.turn.runner import PlanRunner
from shared.turn.services import Administrators
from shared.values.evolve import evolve
from shared.values.keyboard import Keyboard
from shared.values.message import AnyEntry, Message

#: the maximum characters of the name that is shown after a choice
LONGEST_SHOWN_NAME: Final = 40


async def acknowledge(session: Session, runner: PlanRunner, choices: Sequence[ButtonChoice]) -> None:
    """Show people that their choices were received, before the model thinks about the choices.

    A failure does no harm: the choice itself stays in the inbox until it is read.
    """
    if runner.gate.known_until(session.recipient.flood_chat) is None:
        for choice in choices:
            if not choice.press.query_id:  # the owner accepted the offer in the console
                continue
            with suppress(ChannelError):
                await runner.channel.answer_press(choice.press.query_id, "")


@dataclass(frozen=True)
class KeyboardRemoval:
    """The removal of some or all buttons of a keyboard. `message_id` is 0 if the keyboard's message is unknown."""

    message_id: int
    keyboard: Keyboard
    #: the keyboard with the remaining buttons; None if no buttons remain
    left: Keyboard | None = None


def gone_keyboards(
    session: Session, now: datetime, batch: InboxBatch, answered: Collection[int], *, is_left: bool
) -> Sequence[KeyboardRemoval]:
    """Return the keyboards that lose buttons.

    A keyboard loses all buttons if it was declined, if it is old, if the chat changes to another conversation
    (`is_left`), or if a person who may press it stops the agent. The buttons of a question also go after a press, or if
    a new plan answers a person who may press them. `answered`: the ids of the people whom the new plan answers. If the
    buttons carry out tasks, a press removes only the pressed button, unless the tasks are alternatives.
    """
    ending = [entry.author.id for entry, command in batch.commands if command.withdraws_offers]
    found = list[KeyboardRemoval]()
    for keyboard in session.chat.talk.keyboards:
        chosen = [choice for choice in batch.choices if choice.keyboard.id == keyboard.id]
        message_id = next((choice.press.message_id for choice in chosen), keyboard.message_id)
        left = keyboard.without(choice.place for choice in chosen)
        otherwise = ending if keyboard.effects else (*answered, *ending)
        if keyboard.id in batch.acts.declined:
            found.append(KeyboardRemoval(batch.acts.declined[keyboard.id], keyboard))
        elif is_left or keyboard.is_old(now) or any(map(keyboard.is_for, otherwise)):
            found.append(KeyboardRemoval(message_id, keyboard))
        elif chosen:
            found.append(KeyboardRemoval(message_id, keyboard, None if left.is_used_up else left))
    return found


@dataclass(frozen=True, kw_only=True)
class ShownChoices:
    """Lines to add to messages, which show the buttons that people pressed in a batch. `lines` maps a keyboard's id to
    one line for each press, with the presser's name if it may be shown. `entries`: the newest entries of the
    conversation.
    """

    lines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    entries: Sequence[AnyEntry] = ()


NO_CHOICES: Final = ShownChoices()


async def chosen_of(session: Session, administrators: Administrators, choices: Sequence[ButtonChoice]) -> ShownChoices:
    """Return the lines that show these button presses in the messages that had the buttons."""
    if not choices:
        return NO_CHOICES
    lines = dict[str, tuple[str, ...]]()
    for choice in choices:
        made = visible(choice.text)
        name = fit_line(visible(await _shown_name(session, administrators, choice)), LONGEST_SHOWN_NAME)
        by_whom = f" · {isolate(name, is_right_to_left=begins_right_to_left(made))}" if name else ""
        lines[choice.keyboard.id] = (*lines.get(choice.keyboard.id, ()), f"✓ {made}{by_whom}")
    return ShownChoices(lines=lines, entries=await session.window())


async def _shown_name(session: Session, administrators: Administrators, choice: ButtonChoice) -> str:
    """Return the name to show for the person who pressed a button; "" if a name might reveal an anonymous account.

    A press always names the person's account, even if the person appears in the chat under the name of a group or
    channel.
    """
    press, keyboard, chat = choice.press, choice.keyboard, session.chat
    # Telegram has no message for a choice; its author is the account, so choices do not show who writes here
    window = await session.window()
    said = [e for e in window if isinstance(e, Message) and e.message_id > 0 and not e.is_post]
    is_known = any(message.author.id == press.author.id for message in said)
    if keyboard.asked_as:
        return "" if is_known else keyboard.asked_as
    if keyboard.people or is_known or all(message.author.id > 0 for message in said):
        return press.author.name
    await administrators.ask_about({press.author.id})
    return chat.title if administrators.known[press.author.id] is Permission.GRANTED else ""


def without_keyboards(
    session: Session,
    now: datetime,
    plan: Plan | None,
    gone: Sequence[KeyboardRemoval],
    chosen: ShownChoices = NO_CHOICES,
) -> Plan | None:
    """Remove the buttons in `gone` from the chat's document. Return the plan, with tasks to remove them at Telegram.

    If people chose something in this batch (`chosen`), these tasks also write the choices in place of the buttons.
    """
    if not gone:
        return plan
    left = {one.keyboard.id: one.left for one in gone}
    known = [(left.get(k.id, k), chosen.lines.get(k.id, ())) for k in session.chat.talk.keyboards]
    kept = (evolve(k, lines=(*k.lines, *new)) for k, new in known if k is not None)
    session.note_part(evolve(session.chat.talk, keyboards=tuple(kept)))
    tasks = tuple(PlannedTask(task=_ending(one, chosen), is_own=True) for one in gone if one.message_id)
    if not tasks:
        return plan
    if plan is None:
        return Plan(id=str(ULID()), created_at=now, tasks=tasks, trace=current_trace())
    return evolve(plan, tasks=(*plan.tasks, *tasks))


def _ending(ended: KeyboardRemoval, chosen: ShownChoices) -> Task:
    """Return the task that removes buttons from the message of a keyboard, and shows the choices if there are any."""
    name, left = f"buttons-{ended.message_id}", ended.left.buttons if ended.left is not None else ()
    new = chosen.lines.get(ended.keyboard.id)
    if not new:
        return RemoveButtons(id=name, message_id=ended.message_id, left=left)
    lines = (*ended.keyboard.lines, *new)
    return ShowChoice.of(chosen.entries, ended.message_id, lines, id=name, new=len(new), left=left)
