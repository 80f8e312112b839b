"""The command /reminders: lists the coming reminders of this chat, with buttons to cancel or postpone them.

People see their own reminders, and a group's administrators see all reminders of the group.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from shared.base.errors import ChannelError
from shared.base.logs import log
from shared.base.text import abridge
from shared.base.wording.words import Phrase, join_phrases
from shared.chat.store.people import FirestorePeople
from shared.commands.command import ButtonHandler, Command, CommandRequest, CommandResponse, verbatim, visible
from shared.commands.pager import (
    LONGEST_LINE,
    ONE,
    PAGES,
    Listing,
    ListRow,
    ListView,
    Pager,
    SelectedEntry,
    choice_in,
    page_number,
    page_of,
    selected_entry,
)
from shared.commands.read_budget import ReadBudget, ReadBudgetExceeded, budget_exceeded_response
from shared.llm.ports.world import MessagingChannel, PortRegistry
from shared.reminders.store import FirestoreReminders
from shared.values.channel import Button
from shared.values.evolve import evolve
from shared.values.reminder import (
    LONGEST_TEXT,
    MOST_OPEN,
    Occurrence,
    OccurrenceState,
    Reminder,
    button_reference,
    occurrence_mark,
    parse_button_reference,
)

#: the most reminders of a chat to read; a person has at most fifty
MOST_READ: Final = 500
#: the letters of the buttons' actions. A button below a list refers to the next occurrence of a reminder, and a button
#: below a sent reminder to the occurrence that was sent
CANCEL: Final = "c"
PUT_OFF: Final = {"t": timedelta(minutes=10), "u": timedelta(hours=1), "d": timedelta(days=1)}
#: the action that sends a reminder's next occurrence at once, which only the console offers
NOW: Final = "n"
AGAIN: Final = {"s": timedelta(minutes=10), "h": timedelta(hours=1)}


@dataclass(frozen=True)
class ReminderList:
    """The reminders that the person may change here.

    `zone` is the time zone that readers expect, so its name is not shown with times; "" if no zone is set.
    """

    reminders: Sequence[Reminder] = ()
    zone: str = ""


@dataclass(frozen=True)
class ReminderTarget:
    """The reminder that a button refers to."""

    reminder: Reminder
    #: the mark of the occurrence that the button refers to, or the number of the list's page with the button; "" for
    #: neither
    mark: str = ""
    #: how many open reminders its owner has
    open_count: int = 0
    #: the time zone that readers expect: times in it are shown without the zone's name
    zone: str = ""


async def read_page(request: CommandRequest, ports: PortRegistry) -> Listing[ReminderList] | ReadBudgetExceeded:
    """Return the page that a written command requests, or ReadBudgetExceeded if the sender has used up today's reads.

    Raises StoreUnavailable.
    """
    return await _read_list(request, ports, request.argument.removeprefix(PAGES))


async def _read_list(
    request: CommandRequest, ports: PortRegistry, page: str
) -> Listing[ReminderList] | ReadBudgetExceeded:
    budget = ReadBudget.of(request, ports[FirestorePeople])
    if not await budget.has_left():
        return ReadBudgetExceeded()
    read = await ports[FirestoreReminders].open_of_chat(request.chat.ids, MOST_READ)
    await budget.count(len(read))
    if any(one.person != request.person.id for one in read) and not await _is_administrator(request, ports):
        read = [one for one in read if one.person == request.person.id]
    return Listing(ReminderList(read, await _usual_zone(request, ports)), page_number(page))


async def _usual_zone(request: CommandRequest, ports: PortRegistry) -> str:
    """Return the zone that readers expect, in which times are shown without its name: the person's or the group's.
    Returns "" if none is set.
    """
    chat = request.chat
    return (
        (await ports[FirestorePeople].profile(request.person.id)).zone
        if chat.kind.is_of_one
        else chat.locale.group_zone
    )


async def read_target(request: CommandRequest, ports: PortRegistry) -> object:
    """Return the reminder or page that a button refers to; None if it is not of this chat. Raises StoreUnavailable."""
    action, (reminder_id, mark) = choice_in(request).action, parse_button_reference(choice_in(request).of)
    if action == PAGES:
        return await read_page(request, ports)
    found = await ports[FirestoreReminders].find(reminder_id)
    if found is None or found.chat not in request.chat.ids:
        return None
    may = found.person == request.person.id or request.is_order or await _is_administrator(request, ports)
    open_count = await ports[FirestoreReminders].open_count(found.agent, found.person)
    around = await _read_list(request, ports, mark) if may and action == CANCEL and mark else None
    target = ReminderTarget(found, mark, open_count, await _usual_zone(request, ports))
    return SelectedEntry(target, may, around if isinstance(around, Listing) else None)


async def _is_administrator(request: CommandRequest, ports: PortRegistry) -> bool:
    """Return whether the sender administers the group; False in a private chat."""
    if request.chat.kind.is_of_one:
        return False
    # an anonymous administrator writes in the group's name (core.telegram.org/bots/api#message)
    if request.person.id == request.chat.key.chat_id:
        return True
    try:
        return await ports[MessagingChannel].is_administrator(request.chat.key.chat_id, request.person.id)
    except ChannelError as error:
        log(f"cannot find out who may change reminders: {error}")
        return False


def respond(request: CommandRequest) -> CommandResponse:
    """Return a page of reminders with numbered buttons."""
    found = request.result
    if isinstance(found, ReadBudgetExceeded):
        return budget_exceeded_response(request)
    return _page(found if isinstance(found, Listing) else Listing(ReminderList()), request)


def _pager(request: CommandRequest) -> Pager:
    earlier, later = request.words.say("reminders.earlier"), request.words.say("reminders.later")
    return Pager(command="reminders", request=request, back=earlier, onward=later)


def _page(found: Listing[ReminderList], request: CommandRequest, without: str = "") -> CommandResponse:
    """Return a page of the list, without the reminder with the id `without`, which was cancelled just now."""
    reminders = [one for one in _current(found.of.reminders, request) if one.id != without]
    if not reminders:
        return CommandResponse(text=request.words.say("reminders.none"))
    pager, page = _pager(request), page_of(reminders, found.page)
    rows = [
        ListRow(line=_line(one, request), data=pager.data(f"{ONE}{one.id}{page.number}"), is_outside=one.saw_outside)
        for one in page.shown
    ]
    return pager.response(page, ListView(title=request.words.say("reminders.listed"), rows=rows))


def _current(read: Sequence[Reminder], request: CommandRequest) -> Sequence[Reminder]:
    """Return the open reminders, sorted by their next time. Changes by earlier commands of this batch are included."""
    changed = {one.id: one for one in request.changed}
    added = [one for one in changed.values() if one.person == request.person.id]
    now = {one.id: changed.get(one.id, one) for one in (*read, *added)}
    return sorted((one for one in now.values() if one.next_at is not None), key=lambda one: one.next_at or request.now)


def press(request: CommandRequest) -> CommandResponse:
    """Return the response to a button: it shows another page or one reminder, or cancels or postpones a reminder."""
    found, words, action = request.result, request.words, choice_in(request).action
    if isinstance(found, Listing | ReadBudgetExceeded):
        return respond(request)
    pick = selected_entry(found, words.say("reminders.gone"), words.say("reminders.others"))
    if isinstance(pick, CommandResponse):
        return pick
    target: ReminderTarget = pick.entry
    if action in AGAIN:
        return _say_again(target, request)
    if target.reminder.next_at is None and not (action == CANCEL and _is_due(target.reminder)):
        return CommandResponse(notice=words.say("reminders.gone"))
    if action == CANCEL:
        return _end(pick.listing, target.reminder, request)
    if action in PUT_OFF:
        return _put_off(target, request)
    if action == NOW and request.is_order:
        return _send_now(target, request)
    return _show(target.reminder, request, target.mark if target.mark.isdecimal() else "")


def _end(listing: Listing[ReminderList] | None, reminder: Reminder, request: CommandRequest) -> CommandResponse:
    """Return the confirmation of a cancellation, followed by the rest of the list if the button was below a list."""
    told = request.words.say("reminders.cancelled", text=verbatim(abridge(visible(reminder.words), LONGEST_LINE)))
    left = _page(listing, request, without=reminder.id) if listing is not None else CommandResponse()
    return replace(
        left,
        text=join_phrases(told, left.text, by="\n\n"),
        reminders=(_cancel(reminder, request),),
        holds_outside=left.holds_outside or reminder.saw_outside,
    )


def _is_due(reminder: Reminder) -> bool:
    return reminder.last is not None and reminder.last.state is OccurrenceState.DUE


def _cancel(reminder: Reminder, request: CommandRequest) -> Reminder:
    last = reminder.last or Occurrence(due_at=reminder.next_at or request.now, at=request.now)
    over = evolve(last, state=OccurrenceState.CANCELLED, at=request.now)
    return evolve(reminder, next_at=None, last=over)


def _say_again(target: ReminderTarget, request: CommandRequest) -> CommandResponse:
    """Schedule a sent reminder to be sent once more. The message with the sent reminder stays unchanged."""
    from shared.reminders.times.changes import snooze

    reminder = target.reminder
    if reminder.last is not None and reminder.last.state is OccurrenceState.CANCELLED:
        return CommandResponse(notice=request.words.say("reminders.gone"))
    later = snooze(reminder, request.now + AGAIN[choice_in(request).action], target.mark)
    later = evolve(later, is_zone_guessed=False)  # a span from now is the same in any zone
    is_more = later.id != reminder.id or reminder.next_at is None
    if is_more and target.open_count >= MOST_OPEN:
        return CommandResponse(notice=request.words.say("reminder.too_many", most=MOST_OPEN))
    return CommandResponse(
        notice=request.words.say("reminders.snoozed", when=_when(later, request)), reminders=(later,)
    )


def _put_off(target: ReminderTarget, request: CommandRequest) -> CommandResponse:
    """Postpone the next occurrence; later ones stay. A button that was made for an earlier time changes nothing."""
    from shared.reminders.times.changes import next_occurrence, snooze

    reminder = target.reminder
    assert reminder.next_at is not None
    if target.mark != occurrence_mark(reminder.next_at):
        # the button was made for an earlier time: a one-time reminder can only mean its new time, and is shown with
        # that; a repeating reminder had another occurrence then
        gone = CommandResponse(notice=request.words.say("reminders.gone"))
        return gone if reminder.rule else _show(reminder, request)
    later = snooze(reminder, max(request.now, reminder.next_at) + PUT_OFF[choice_in(request).action], target.mark)
    if later.id != reminder.id and target.open_count >= MOST_OPEN:
        return CommandResponse(notice=request.words.say("reminder.too_many", most=MOST_OPEN))
    rest = evolve(reminder, next_at=next_occurrence(reminder, reminder.next_at))
    kept = (later,) if later.id == reminder.id else (later, rest)
    return replace(_show(later, request), reminders=kept)


def _send_now(target: ReminderTarget, request: CommandRequest) -> CommandResponse:
    """Make the next occurrence due at once. A repeating reminder keeps its times, and is sent once more."""
    from shared.reminders.times.changes import snooze

    reminder = target.reminder
    if reminder.next_at is None or target.mark != occurrence_mark(reminder.next_at):
        return CommandResponse(notice=request.words.say("reminders.gone"))
    return CommandResponse(reminders=(snooze(reminder, request.now, f"now {request.now.isoformat()}"),))


def _show(reminder: Reminder, request: CommandRequest, page: str = "0") -> CommandResponse:
    """Return one reminder with its buttons. `page` is the number of the list's page with the reminder."""
    text, buttons = _line(reminder, request, LONGEST_TEXT), _actions(reminder, request, page or "0")
    return CommandResponse(text=text, buttons=buttons, holds_outside=reminder.saw_outside)


def _actions(reminder: Reminder, request: CommandRequest, page: str) -> tuple[Button, ...]:
    words, button = request.words, _pager(request).button
    next_one = button_reference(reminder, reminder.next_at or request.now)
    return (
        button(words.say("reminders.cancel"), f"{CANCEL}{reminder.id}{page}"),
        button(words.say("reminders.snooze_short"), f"t{next_one}"),
        button(words.say("reminders.snooze_long"), f"u{next_one}"),
        button(words.say("reminders.snooze_day"), f"d{next_one}"),
        button(words.say("reminders.list"), f"{PAGES}{page}"),
    )


def _when(reminder: Reminder, request: CommandRequest) -> Phrase:
    from shared.reminders.times.reminder_text import short_time_text  # loaded only when needed

    names_zone = reminder.is_zone_guessed or reminder.zone != _zone_in(request.result)
    return short_time_text(request.words, reminder, request.now, names_zone=names_zone)


def _zone_in(result: object) -> str:
    match result:
        case Listing(of=ReminderList(zone=zone)) | SelectedEntry(entry=ReminderTarget(zone=zone)):
            return zone
    return ""


def _line(reminder: Reminder, request: CommandRequest, most: int = LONGEST_LINE) -> Phrase:
    """Return a line with the time, at most `most` characters of the text, and the owner unless that is the reader."""
    text = verbatim(abridge(visible(reminder.words), most))
    if reminder.person != request.person.id:
        text = request.words.say("reminders.of", text=text, name=verbatim(reminder.name))
    return request.words.say("reminders.one", when=_when(reminder, request), text=text)


COMMAND = Command(
    name="reminders",
    order=80,
    respond=respond,
    effect=read_page,
    press=ButtonHandler(respond=press, effect=read_target, is_for_any_conversation=True),
    needs=(FirestoreReminders, MessagingChannel, FirestorePeople),
)
