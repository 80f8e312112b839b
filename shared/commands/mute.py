"""/mute: silences the agent, for some time or until /unmute."""

import re
from datetime import timedelta

from shared.base.wording.dates import short_date_in
from shared.base.wording.words import join_phrases
from shared.commands.command import Audience, Command, CommandRequest, CommandResponse, PlanCancellation, verbatim
from shared.values.access_action import FOREVER

LONGEST = timedelta(days=366)

#: the minutes of each unit, by the unit's first letter
UNITS = {"m": 1, "h": 60, "d": 24 * 60, "w": 7 * 24 * 60}
_UNIT = r"m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:(?:ee)?ks?)?"
#: a unit is a whole word in any script, but a number may follow it directly: 1h30m
_LENGTH = re.compile(rf"([0-9]{{1,6}})\s*({_UNIT})(?![^\W\d])", re.IGNORECASE)


def respond(request: CommandRequest) -> CommandResponse:
    """Return the response that mutes the chat for the given time. If the time cannot be read, nothing changes."""
    words = request.words
    if not request.argument:
        return CommandResponse(text=words.say("mute.for_good"), changes={"muted_until": FOREVER})
    length = length_of(request.argument)
    if length is None:
        unclear = words.say("mute.unclear", text=verbatim(request.argument[:40]))
        return CommandResponse(text=join_phrases(unclear, words.say("mute.usage")))
    until = request.now + length
    here, there = (moment.astimezone(request.zone) for moment in (request.now, until))
    day = short_date_in(words, there.date(), here.date())
    told = words.say("when.once", date=day, time=f"{there:%H:%M}", zone=str(request.zone))
    return CommandResponse(text=words.say("mute.until", time=told), changes={"muted_until": until})


def silences(argument: str) -> bool:
    """Return whether the argument mutes the chat: it is empty, or a duration that can be read."""
    return not argument or length_of(argument) is not None


def length_of(written: str) -> timedelta | None:
    """Return the length of a duration such as `30m`, `2 hours` or `1d 12h`; None if it is 0, over a year or unclear."""
    found = _LENGTH.findall(written)
    if not found or _LENGTH.sub("", written).strip(" ,"):
        return None
    minutes = sum(int(count) * UNITS[unit[0].lower()] for count, unit in found)  # may be more than a timedelta can hold
    return timedelta(minutes=minutes) if 0 < minutes <= LONGEST // timedelta(minutes=1) else None


COMMAND = Command(
    name="mute",
    order=60,
    takes_argument=True,
    audience=Audience.ADMINISTRATORS,
    plan_cancellation=PlanCancellation(ends=silences),
    respond=respond,
)
