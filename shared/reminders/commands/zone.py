"""The command /zone: shows or sets the time zone in which every agent of this deployment reads a person's times."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from shared.base.wording.words import SILENCE, join_phrases
from shared.chat.store.people import FirestorePeople
from shared.commands.command import ButtonHandler, Command, CommandRequest, CommandResponse, verbatim
from shared.llm.ports.world import PortRegistry
from shared.reminders.store import FirestoreReminders
from shared.reminders.times.changes import is_by_clock, move_to_zone
from shared.reminders.times.zone_guess import MOVE, SPOKEN, clock_in, zone_choices, zone_mark, zone_move
from shared.reminders.times.zones import first_zone, known_zones, zones_like, zones_near
from shared.values.channel import Button
from shared.values.chat_key import ChatKind
from shared.values.reminder import Reminder

#: argument of the command to delete the zone
NONE: Final = "-"
#: the most characters of the argument to repeat in the answer
LONGEST_SAID: Final = 40
#: the most reminders of a chat to read
MOST_READ: Final = 500


@dataclass(frozen=True)
class PersonZone:
    """The person's zone from now on, and their reminders in this chat that have another zone."""

    zone: str = ""
    reminders: Sequence[Reminder] = ()
    #: whether the zone changed and the person may have reminders in other chats, which stay unchanged
    leaves_others: bool = False


async def load_zone(request: CommandRequest, ports: PortRegistry) -> PersonZone:
    """Carry out the command, and return the person's zone after it. Raises StoreUnavailable or StoreRefused."""
    found = zones_meant(request)
    if len(found) != 1 and request.argument != NONE:
        told = (await ports[FirestorePeople].profile(request.person.id)).zone
        return PersonZone(told if first_zone(told) == told else "")
    return await _keep(request, ports, found[0] if found else "")


async def keep_pressed_zone(request: CommandRequest, ports: PortRegistry) -> PersonZone:
    """Store the zone that a button names, and return it. Raises StoreUnavailable or StoreRefused."""
    chosen = zone_with_mark(request.argument.removeprefix(MOVE))
    return await _keep(request, ports, chosen) if chosen else PersonZone()


async def _keep(request: CommandRequest, ports: PortRegistry, zone: str) -> PersonZone:
    """Store the person's zone; "" deletes it. Return the zone and the person's reminders here that have another one."""
    people, person, chat = ports[FirestorePeople], request.person.id, request.chat
    before = (await people.profile(person)).zone
    await people.keep_zone(person, zone, request.now)
    if not zone:
        return PersonZone()
    found = await ports[FirestoreReminders].open_of_chat(chat.ids, MOST_READ)
    own = [one for one in found if one.person == person]
    # other people in the chat must not learn whether the person has reminders elsewhere
    leaves = zone != before and (
        chat.kind is not ChatKind.PRIVATE
        or await ports[FirestoreReminders].open_count(chat.key.agent, person) > len(own)
    )
    return PersonZone(zone, tuple(one for one in own if one.zone != zone and is_by_clock(one)), leaves)


def respond(request: CommandRequest) -> CommandResponse:
    """Return a response that shows the person's zone, or asks which of several zones is meant."""
    words, zone, found = request.words, _zone_in_result(request).zone, zones_meant(request)
    if request.argument == NONE:
        return CommandResponse(text=words.say("zone.forgotten"))
    if len(found) == 1:
        return _zone_response(request, replace(_zone_in_result(request), zone=found[0]))
    if request.argument:
        return unclear_zone(request, "zone")
    if zone:
        return CommandResponse(text=words.say("zone.own", zone=zone, time=clock_in(zone, request.now)))
    told = words.say("zone.unknown", zone=str(request.zone), time=clock_in(str(request.zone), request.now))
    return CommandResponse(text=told, buttons=zone_buttons(request, "zone", SPOKEN.get(words.language, ())))


def press(request: CommandRequest) -> CommandResponse:
    """Return the response to a zone's button: in a group only a notice, unless more reminders are or may be moved."""
    after = _zone_in_result(request)
    if not after.zone:
        return CommandResponse(notice=request.words.say("button.gone"))
    if request.argument.startswith(MOVE):
        moved = tuple(move_to_zone(one, after.zone, request.now) for one in after.reminders)
        told = request.words.say("zone.all_moved", zone=after.zone)
        return CommandResponse(notice=told, text=told, reminders=moved)
    response = _zone_response(request, after)
    told = request.words.say("zone.kept", zone=after.zone, time=clock_in(after.zone, request.now))
    is_heard = request.chat.kind.is_of_one or response.buttons
    return replace(response, notice=told, text=response.text if is_heard else SILENCE)


def _zone_response(request: CommandRequest, after: PersonZone) -> CommandResponse:
    """Return the response to a new zone. Reminders whose zone was guessed move to the new zone. A button offers to move
    the person's remaining reminders in this chat.
    """
    words, zone = request.words, after.zone
    guessed = tuple(move_to_zone(one, zone, request.now) for one in after.reminders if one.is_zone_guessed)
    others = [one for one in after.reminders if not one.is_zone_guessed]
    told = [words.say("zone.kept", zone=zone, time=clock_in(zone, request.now))]
    if guessed:
        told.append(words.say("zone.guessed_moved"))
    if others:
        told.append(words.say("zone.others_stay", zone=others[0].zone))
    if after.leaves_others:
        told.append(words.say("zone.elsewhere_stay", zone=zone))
    data = zone_move(request.chat.conversation, zone)
    buttons = (Button(words.say("zone.move"), data),) if others else ()
    return CommandResponse(text=join_phrases(*told, by="\n"), buttons=buttons, reminders=guessed)


def _zone_in_result(request: CommandRequest) -> PersonZone:
    return request.result if isinstance(request.result, PersonZone) else PersonZone()


async def zone_of(request: CommandRequest, ports: PortRegistry) -> str:
    """Return the sender's zone or, if none is set, the chat's. Costs one read. Raises StoreUnavailable."""
    return first_zone((await ports[FirestorePeople].profile(request.person.id)).zone, str(request.zone))


def unclear_zone(request: CommandRequest, command: str) -> CommandResponse:
    """Return the response to an argument that names no zone, or that may mean several."""
    words, found, said = request.words, zones_meant(request), verbatim(request.argument[:LONGEST_SAID])
    if not found and (near := zones_near(request.argument)):
        return CommandResponse(text=words.say("zone.near", text=said), buttons=zone_buttons(request, command, near))
    if not found:
        return CommandResponse(text=words.say("zone.none", text=said, command=f"/{command}"))
    return CommandResponse(text=words.say("zone.several", text=said), buttons=zone_buttons(request, command, found))


def zones_meant(request: CommandRequest) -> tuple[str, ...]:
    """Return the zones that the argument may mean."""
    return zones_like(request.argument, request.now) if request.argument not in {"", NONE} else ()


def zone_buttons(request: CommandRequest, command: str, zones: Iterable[str]) -> tuple[Button, ...]:
    return zone_choices(command, request.chat.conversation, zones, request.now)


def zone_with_mark(mark: str) -> str:
    """Return the zone that the mark in a button's data stands for (see `zone_mark`); "" if the current time zone
    database has no such zone.
    """
    return next((zone for zone in known_zones() if zone_mark(zone) == mark), "")


COMMAND = Command(
    name="zone",
    order=86,
    takes_argument=True,
    respond=respond,
    effect=load_zone,
    press=ButtonHandler(respond=press, effect=keep_pressed_zone),
    needs=(FirestorePeople, FirestoreReminders),
)
