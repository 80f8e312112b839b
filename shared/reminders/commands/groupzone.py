"""The command /groupzone: shows or sets the time zone for the times that people in a group name.

It does not apply to people who have set a zone of their own.
"""

from shared.commands.command import Audience, ButtonHandler, Command, CommandRequest, CommandResponse, Scope
from shared.reminders.commands.zone import NONE, unclear_zone, zone_with_mark, zones_meant
from shared.reminders.times.zone_guess import clock_in


def respond(request: CommandRequest) -> CommandResponse:
    """Return a response that shows or sets the group's zone, or asks which of several zones is meant."""
    words, found = request.words, zones_meant(request)
    if request.argument == NONE:
        return CommandResponse(text=words.say("groupzone.forgotten"), changes={"group_zone": ""})
    if len(found) == 1:
        told = words.say("groupzone.kept", zone=found[0], time=clock_in(found[0], request.now))
        return CommandResponse(text=told, changes={"group_zone": found[0]})
    if request.argument:
        return unclear_zone(request, "groupzone")
    zone = str(request.zone)  # the group's zone, or the agent's if the group has none
    if request.chat.locale.group_zone:
        return CommandResponse(text=words.say("groupzone.own", zone=zone, time=clock_in(zone, request.now)))
    return CommandResponse(text=words.say("groupzone.unknown", zone=zone, time=clock_in(zone, request.now)))


def press(request: CommandRequest) -> CommandResponse:
    """Set the zone that the pressed button names."""
    chosen = zone_with_mark(request.argument)
    if not chosen:
        return CommandResponse(notice=request.words.say("button.gone"))
    told = request.words.say("groupzone.kept", zone=chosen, time=clock_in(chosen, request.now))
    return CommandResponse(notice=told, text=told, changes={"group_zone": chosen})


COMMAND = Command(
    name="groupzone",
    order=87,
    takes_argument=True,
    scope=Scope.GROUP,
    audience=Audience.ADMINISTRATORS,
    respond=respond,
    press=ButtonHandler(respond=press),
)
