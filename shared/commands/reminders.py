"""/reminders: what is still to come in this chat, one's own or, for administrators, all; to cancel, or to put off."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Final

from shared.commands.command import Command, CommandRequest, CommandResponse, verbatim, visible
from shared.commands.listing import LONGEST_LINE, count_told, page_of, turning
from shared.commands.read_budget import PastReadBudget, ReadBudget, past_budget
from shared.errors import ChannelError
from shared.logs import log
from shared.models.button_data import button_data
from shared.models.channel import Button
from shared.models.evolve import evolve
from shared.models.reminder import (
    LONGEST_TEXT,
    MOST_OPEN,
    Occurrence,
    OccurrenceState,
    Reminder,
    for_button,
    mark_of,
    read_for_button,
)
from shared.models.text import abridged
from shared.ports.chats import Reminders
from shared.ports.people import People
from shared.ports.world import Channel, Ports
from shared.wording.words import Phrase, joined, numbered

#: of a chat; a person has fifty at most
MOST_READ: Final = 500
#: what the buttons do: below a list they speak of the next occurrence, below a reminder of the one that it was
PAGES, ONE, CANCEL = "p", "o", "c"
PUT_OFF: Final = {"t": timedelta(minutes=10), "u": timedelta(hours=1), "d": timedelta(days=1)}
AGAIN: Final = {"s": timedelta(minutes=10), "h": timedelta(hours=1)}


@dataclass(frozen=True)
class Listed:
    """The reminders that somebody may change here, and which page of them is asked for, from 0."""

    reminders: Sequence[Reminder]
    page: int = 0
    #: in which times are told without it; empty: none was told
    zone: str = ""


@dataclass(frozen=True)
class Picked:
    """The reminder that a button is for, if there is one here; and whether who pressed may change it."""

    reminder: Reminder | None
    may_change: bool
    #: of the occurrence that the button is for, or the page of the list in which it stands; empty: neither
    mark: str = ""
    #: how many are open of whose it is
    open_count: int = 0
    #: the list in which it stood, where it is cancelled there
    listed: Listed | None = None
    #: in which times are told without it; empty: none was told
    zone: str = ""


async def listed(request: CommandRequest, ports: Ports) -> Listed | PastReadBudget:
    """What a written command lists, if who asks has not had too much read today. Raises StoreUnavailable."""
    return await _listed(request, ports, request.argument.removeprefix(PAGES))


async def _listed(request: CommandRequest, ports: Ports, page: str) -> Listed | PastReadBudget:
    budget = ReadBudget.of(request, ports[People])
    if not await budget.has_left():
        return PastReadBudget()
    read = await ports[Reminders].open_of_chat(request.chat.ids, MOST_READ)
    await budget.count(len(read))
    found = [one for one in read if not one.is_apart]
    if any(one.person != request.person.id for one in found) and not await _is_administrator(request, ports):
        found = [one for one in found if one.person == request.person.id]
    return Listed(found, int(page) if page.isdecimal() else 0, await _usual_zone(request, ports))


async def _usual_zone(request: CommandRequest, ports: Ports) -> str:
    """The zone in which times are told here without it: the person's, in a group the group's; empty: none was told."""
    chat = request.chat
    return (await ports[People].told(request.person.id)).zone if chat.kind.is_of_one else chat.locale.group_zone


async def pressed(request: CommandRequest, ports: Ports) -> object:
    """What a button is for. Raises StoreUnavailable."""
    action, (reminder_id, mark) = request.argument[:1], read_for_button(request.argument[1:])
    if action == PAGES:
        return await listed(request, ports)
    found = await ports[Reminders].find(reminder_id)
    if found is None or found.chat not in request.chat.ids:
        return Picked(None, may_change=False)
    may = found.person == request.person.id or await _is_administrator(request, ports)
    open_count = await ports[Reminders].open_count(found.agent, found.person)
    around = await _listed(request, ports, mark) if may and action == CANCEL and mark else None
    picked = Picked(found, may, mark, open_count, zone=await _usual_zone(request, ports))
    return replace(picked, listed=around) if isinstance(around, Listed) else picked


async def _is_administrator(request: CommandRequest, ports: Ports) -> bool:
    """Whether who asks administers the group; in a private chat nobody does."""
    if request.chat.kind.is_of_one:
        return False
    # an administrator who stays anonymous writes in the group's own name (core.telegram.org/bots/api#message)
    if request.person.id == request.chat.key.chat_id:
        return True
    try:
        return await ports[Channel].is_administrator(request.chat.key.chat_id, request.person.id)
    except ChannelError as error:
        log(f"who may change reminders cannot be found out: {error}")
        return False


def respond(request: CommandRequest) -> CommandResponse:
    """A page of what is to come, with the number of each on a button."""
    found = request.result
    if isinstance(found, PastReadBudget):
        return past_budget(request)
    return _page(found if isinstance(found, Listed) else Listed(()), request)


def _page(found: Listed, request: CommandRequest, without: str = "") -> CommandResponse:
    """A page of the list; `without`: the id of the one that is over now."""
    words = request.words
    reminders = [one for one in _current(found.reminders, request) if one.id != without]
    if not reminders:
        return CommandResponse(text=words.say("reminders.none"))
    page = page_of(reminders, found.page)
    here = partial(button_data, "reminders", request.chat.conversation)
    buttons = [Button(str(number), here(f"{ONE}{one.id}{page.number}")) for number, one in page.numbered]
    earlier, later = words.say("reminders.earlier"), words.say("reminders.later")
    buttons += turning(page, earlier, later, lambda number: here(f"{PAGES}{number}"))
    lines = numbered((number, _line(one, request)) for number, one in page.numbered)
    return CommandResponse(
        text=joined(words.say("reminders.listed"), lines, count_told(page, words), by="\n\n"),
        buttons=tuple(buttons),
        holds_outside=any(one.saw_outside for one in page.shown),
    )


def _current(read: Sequence[Reminder], request: CommandRequest) -> Sequence[Reminder]:
    """The open reminders as they are after what commands before this one did to them, by when they come."""
    changed = {one.id: one for one in request.changed}
    added = [one for one in changed.values() if one.person == request.person.id]
    now = {one.id: changed.get(one.id, one) for one in (*read, *added)}
    return sorted((one for one in now.values() if one.next_at is not None), key=lambda one: one.next_at or request.now)


def press(request: CommandRequest) -> CommandResponse:
    """What a button does: another page, one reminder, its end, or its next time."""
    found, words, action = request.result, request.words, request.argument[:1]
    if isinstance(found, Listed | PastReadBudget):
        return respond(request)
    if not isinstance(found, Picked) or found.reminder is None:
        return CommandResponse(notice=words.say("reminders.gone"))
    if not found.may_change:
        return CommandResponse(notice=words.say("reminders.others"))
    if action in AGAIN:
        return _said_again(found, found.reminder, request)
    if found.reminder.next_at is None and not (action == CANCEL and _is_due(found.reminder)):
        return CommandResponse(notice=words.say("reminders.gone"))
    if action == CANCEL:
        return _end(found, found.reminder, request)
    if action in PUT_OFF:
        return _put_off(found, found.reminder, request)
    return _shown(found.reminder, request, found.mark if found.mark.isdecimal() else "")


def _end(found: Picked, reminder: Reminder, request: CommandRequest) -> CommandResponse:
    """That a reminder is cancelled, above the list in which it stood if it stood in one."""
    told = request.words.say("reminders.cancelled", text=verbatim(abridged(visible(reminder.words), LONGEST_LINE)))
    left = _page(found.listed, request, without=reminder.id) if found.listed is not None else CommandResponse()
    return replace(
        left,
        text=joined(told, left.text, by="\n\n"),
        reminders=(_cancelled(reminder, request),),
        holds_outside=left.holds_outside or reminder.saw_outside,
    )


def _is_due(reminder: Reminder) -> bool:
    return reminder.last is not None and reminder.last.state is OccurrenceState.DUE


def _cancelled(reminder: Reminder, request: CommandRequest) -> Reminder:
    last = reminder.last or Occurrence(due_at=reminder.next_at or request.now, at=request.now)
    over = evolve(last, state=OccurrenceState.CANCELLED, at=request.now)
    return evolve(reminder, next_at=None, last=over)


def _said_again(found: Picked, reminder: Reminder, request: CommandRequest) -> CommandResponse:
    """Below a reminder that came: it comes once more. Its words stay where they are."""
    from shared.scheduling.following import snoozed

    if reminder.last is not None and reminder.last.state is OccurrenceState.CANCELLED:
        return CommandResponse(notice=request.words.say("reminders.gone"))
    later = snoozed(reminder, request.now + AGAIN[request.argument[0]], found.mark)
    later = evolve(later, is_zone_guessed=False)  # a span is right in any zone
    is_more = later.id != reminder.id or reminder.next_at is None
    if is_more and found.open_count >= MOST_OPEN:
        return CommandResponse(notice=request.words.say("reminder.too_many", most=MOST_OPEN))
    return CommandResponse(
        notice=request.words.say("reminders.snoozed", when=_when(later, request)), reminders=(later,)
    )


def _put_off(found: Picked, reminder: Reminder, request: CommandRequest) -> CommandResponse:
    """In the list: the next occurrence comes later; those behind it stay.

    A button of an occurrence that came, or that was put off already, does nothing more.
    """
    from shared.scheduling.following import following, snoozed

    assert reminder.next_at is not None
    if found.mark != mark_of(reminder.next_at):
        # what happens once is the same one, whenever it comes; of what repeats the next one was not meant
        gone = CommandResponse(notice=request.words.say("reminders.gone"))
        return gone if reminder.rule else _shown(reminder, request)
    later = snoozed(reminder, max(request.now, reminder.next_at) + PUT_OFF[request.argument[0]], found.mark)
    if later.id != reminder.id and found.open_count >= MOST_OPEN:
        return CommandResponse(notice=request.words.say("reminder.too_many", most=MOST_OPEN))
    rest = evolve(reminder, next_at=following(reminder, reminder.next_at))
    kept = (later,) if later.id == reminder.id else (later, rest)
    return replace(_shown(later, request), reminders=kept)


def _shown(reminder: Reminder, request: CommandRequest, page: str = "0") -> CommandResponse:
    """One reminder, with what can be done about it. `page`: of the list in which it stands."""
    text, buttons = _line(reminder, request, LONGEST_TEXT), _actions(reminder, request, page or "0")
    return CommandResponse(text=text, buttons=buttons, holds_outside=reminder.saw_outside)


def _actions(reminder: Reminder, request: CommandRequest, page: str) -> tuple[Button, ...]:
    words, here = request.words, partial(button_data, "reminders", request.chat.conversation)
    next_one = for_button(reminder, reminder.next_at or request.now)
    return (
        Button(words.say("reminders.cancel"), here(f"{CANCEL}{reminder.id}{page}")),
        Button(words.say("reminders.snooze_short"), here(f"t{next_one}")),
        Button(words.say("reminders.snooze_long"), here(f"u{next_one}")),
        Button(words.say("reminders.snooze_day"), here(f"d{next_one}")),
        Button(words.say("reminders.list"), here(f"{PAGES}{page}")),
    )


def _when(reminder: Reminder, request: CommandRequest) -> Phrase:
    from shared.scheduling.telling import when_short  # only who asks pays for it

    usual = request.result.zone if isinstance(request.result, Listed | Picked) else ""
    names_zone = reminder.is_zone_guessed or reminder.zone != usual
    return when_short(request.words, reminder, request.now, names_zone=names_zone)


def _line(reminder: Reminder, request: CommandRequest, most: int = LONGEST_LINE) -> Phrase:
    """When and what, in so many characters; of others', whose it is."""
    text = verbatim(abridged(visible(reminder.words), most))
    if reminder.person != request.person.id:
        text = request.words.say("reminders.of", text=text, name=verbatim(reminder.name))
    return request.words.say("reminders.one", when=_when(reminder, request), text=text)


COMMAND = Command(
    name="reminders",
    order=80,
    respond=respond,
    press=press,
    is_for_any_conversation=True,
    effect=listed,
    press_effect=pressed,
    needs=(Reminders, Channel, People),
)
