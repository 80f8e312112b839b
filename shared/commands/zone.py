"""/zone: the time zone in which somebody says times, wherever an agent of this deployment answers them."""

import hashlib
from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Final

from shared.commands.command import Command, CommandRequest, CommandResponse, verbatim
from shared.models.agent import zone_named
from shared.models.button_data import button_data
from shared.models.channel import Button
from shared.ports.people import People
from shared.ports.world import Ports
from shared.scheduling.zones import first_zone, known_zones, zones_like, zones_near
from shared.wording.words import SILENCE

#: behind the command: forget it
NONE: Final = "-"
#: of what was written behind the command, as much as is said again
LONGEST_SAID: Final = 40
#: where most of those live who have their app in a language
SPOKEN: Final = {
    "ar": ("Africa/Cairo", "Asia/Riyadh", "Asia/Baghdad", "Africa/Casablanca", "Africa/Algiers", "Asia/Dubai"),
    "de": ("Europe/Berlin", "Europe/Vienna", "Europe/Zurich"),
    "en": (
        "Europe/London", "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles",
        "Asia/Kolkata", "Africa/Lagos", "Australia/Sydney",
    ),
    "es": (
        "Europe/Madrid", "America/Mexico_City", "America/Bogota", "America/Argentina/Buenos_Aires",
        "America/Santiago", "America/Lima", "America/Caracas",
    ),
    "fa": ("Asia/Tehran", "Asia/Kabul", "Asia/Dushanbe"),
    "fr": ("Europe/Paris", "Europe/Brussels", "America/Montreal", "Africa/Kinshasa", "Africa/Abidjan"),
    "hi": ("Asia/Kolkata",),
    "id": ("Asia/Jakarta", "Asia/Makassar", "Asia/Jayapura"),
    "it": ("Europe/Rome", "Europe/Zurich"),
    "ja": ("Asia/Tokyo",),
    "ko": ("Asia/Seoul",),
    "nl": ("Europe/Amsterdam", "Europe/Brussels", "America/Paramaribo"),
    "pl": ("Europe/Warsaw",),
    "pt": ("America/Sao_Paulo", "America/Manaus", "Europe/Lisbon", "Africa/Luanda"),
    "ru": ("Europe/Moscow", "Europe/Samara", "Asia/Yekaterinburg", "Asia/Novosibirsk", "Asia/Almaty", "Europe/Kyiv"),
    "tr": ("Europe/Istanbul",),
    "uk": ("Europe/Kyiv", "Europe/Warsaw", "Europe/Berlin"),
    "uz": ("Asia/Tashkent",),
    "zh": ("Asia/Shanghai", "Asia/Taipei", "Asia/Hong_Kong", "Asia/Singapore"),
}  # fmt: skip


async def known(request: CommandRequest, ports: Ports) -> str:
    """The zone that is known of the person from now on. Raises StoreUnavailable or StoreRefused."""
    people, found = ports[People], meant(request)
    if len(found) != 1 and request.argument != NONE:
        told = (await people.told(request.person.id)).zone
        return told if first_zone(told) == told else ""
    kept = found[0] if found else ""
    await people.keep_zone(request.person.id, kept, request.now)
    return kept


async def pressed(request: CommandRequest, ports: Ports) -> str:
    """The zone of the button, which is the person's from now on. Raises StoreUnavailable or StoreRefused."""
    chosen = zone_marked(request.argument)
    if chosen:
        await ports[People].keep_zone(request.person.id, chosen, request.now)
    return chosen


def respond(request: CommandRequest) -> CommandResponse:
    """The zone that is known now; or which of several is meant, with a button for each."""
    words, zone, found = request.words, str(request.result or ""), meant(request)
    if request.argument == NONE:
        return CommandResponse(text=words.say("zone.forgotten"))
    if len(found) == 1:
        return CommandResponse(text=words.say("zone.kept", zone=found[0], time=clock_in(found[0], request.now)))
    if request.argument:
        return unclear(request, "zone")
    if zone:
        return CommandResponse(text=words.say("zone.own", zone=zone, time=clock_in(zone, request.now)))
    told = words.say("zone.unknown", zone=str(request.zone), time=clock_in(str(request.zone), request.now))
    return CommandResponse(text=told, buttons=zone_buttons(request, "zone", SPOKEN.get(words.language, ())))


def press(request: CommandRequest) -> CommandResponse:
    """The choice of a zone by its button. In a group others read along: there only who pressed it is told."""
    zone = str(request.result or "")
    if not zone:
        return CommandResponse(notice=request.words.say("button.gone"))
    told = request.words.say("zone.kept", zone=zone, time=clock_in(zone, request.now))
    return CommandResponse(notice=told, text=told if request.chat.kind.is_of_one else SILENCE)


async def zone_of(request: CommandRequest, ports: Ports) -> str:
    """The zone in which times are told to whoever asks: their own, else the chat's. A read. Raises StoreUnavailable."""
    return first_zone((await ports[People].told(request.person.id)).zone, str(request.zone))


def unclear(request: CommandRequest, command: str) -> CommandResponse:
    """What is said if behind a command there is not one zone: which are meant, or that there is none."""
    words, found, said = request.words, meant(request), verbatim(request.argument[:LONGEST_SAID])
    if not found and (near := zones_near(request.argument)):
        return CommandResponse(text=words.say("zone.near", text=said), buttons=zone_buttons(request, command, near))
    if not found:
        return CommandResponse(text=words.say("zone.none", text=said, command=f"/{command}"))
    return CommandResponse(text=words.say("zone.several", text=said), buttons=zone_buttons(request, command, found))


def meant(request: CommandRequest) -> tuple[str, ...]:
    """The zones that what stands behind the command may mean."""
    return zones_like(request.argument, request.now) if request.argument not in {"", NONE} else ()


def clock_in(zone: str, now: datetime) -> str:
    """What the clocks of a zone show now."""
    return f"{now.astimezone(zone_named(zone)):%H:%M}"


def zone_buttons(request: CommandRequest, command: str, zones: Iterable[str]) -> tuple[Button, ...]:
    """A button for each zone, with its time: by that people know theirs."""
    data = partial(button_data, command, request.chat.conversation)
    return tuple(Button(f"{zone} · {clock_in(zone, request.now)}", data(_mark(zone))) for zone in zones)


def zone_marked(mark: str) -> str:
    """The zone that a button stands for; empty: none of today's."""
    return next((zone for zone in known_zones() if _mark(zone) == mark), "")


def _mark(zone: str) -> str:
    """What stands for a zone's name in a button, which has room for 64 bytes in all."""
    return hashlib.sha256(zone.encode()).hexdigest()[:10]


COMMAND = Command(
    name="zone",
    order=86,
    takes_argument=True,
    respond=respond,
    press=press,
    effect=known,
    press_effect=pressed,
    needs=(People,),
)
