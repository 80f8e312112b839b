"""`weather`: how it is at a place, and how it will be; by Open-Meteo, which asks for no key."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from shared.errors import ToolFailed
from shared.ports.lookups import Lookups
from shared.tools.tool import Tool, ToolContext

if TYPE_CHECKING:
    from shared.ports.lookups import LookedUp
    from shared.tools.meteo.places import Place

#: the service's models are run every hour or three, and the present is told for each quarter of an hour
_FRESH: Final = timedelta(minutes=15)
#: an older forecast is better than none, if its age is told
_USABLE: Final = timedelta(hours=6)
#: towns stay where they are
_PLACES_FRESH: Final = timedelta(days=7)
_PLACES_USABLE: Final = timedelta(days=90)

_LONGEST_NAME: Final = 100
_USUAL_DAYS: Final = 3
_MOST_DAYS: Final = 16
#: other places of the same name that are told
_OTHERS: Final = 4


async def _weather(arguments: Mapping[str, object], context: ToolContext) -> str:
    from shared.tools.meteo.forecast import forecast_in, forecast_url
    from shared.tools.meteo.telling import IMPERIAL, Units, told

    name, days = _name(arguments), _days(arguments)
    places = await _places(arguments, name, context)
    if not places:
        raise ToolFailed("The gazetteer knows no such place. Say so, or try another spelling or a town nearby.")
    place = places[0]
    answer = await context.ports[Lookups].get(forecast_url(place), _FRESH, _USABLE)
    units = arguments.get("units")
    is_imperial = units == "imperial" if units in {"metric", "imperial"} else place.country_code in IMPERIAL
    where = _where(name.partition(",")[0].strip(), place, places[1:])
    return f"{where}\n{told(forecast_in(answer.text), days, Units(is_imperial))}\n{_source(answer, context)}"


async def _places(arguments: Mapping[str, object], name: str, context: ToolContext) -> "Sequence[Place]":
    from shared.tools.meteo.places import places_in, search_url

    url = search_url(name, _text(arguments, "country"), _text(arguments, "language"))
    return places_in((await context.ports[Lookups].get(url, _PLACES_FRESH, _PLACES_USABLE)).text)


def _where(asked: str, place: "Place", others: "Sequence[Place]") -> str:
    """Which place it is, and which else it could be. Of names, only the one that was asked for is said."""
    if not place.is_called(asked):
        return f"The nearest match has another name or spelling: {place.described}. Say so if that may not be meant."
    same = [other.described for other in others if other.is_called(asked)][:_OTHERS]
    also = f"\nOthers of this name: {'; '.join(same)}. Ask which is meant if it may be one of these." if same else ""
    return f"{asked} ({place.described}){also}"


def _source(answer: "LookedUp", context: ToolContext) -> str:
    minutes = answer.age(context.now) // timedelta(minutes=1)
    old = timedelta(minutes=minutes) > _FRESH
    return f"Source: Open-Meteo{f', {minutes} minutes ago: it does not answer now; say so' if old else ''}."


def _name(arguments: Mapping[str, object]) -> str:
    name = _text(arguments, "place").strip()
    if not 1 < len(name) <= _LONGEST_NAME:
        raise ToolFailed('Give the place as a text: {"place": "Lviv"}.')
    return name


def _days(arguments: Mapping[str, object]) -> int:
    days = arguments.get("days", _USUAL_DAYS)
    if not isinstance(days, int | float) or not 1 <= days <= _MOST_DAYS:
        raise ToolFailed(f"`days` is a number from 1 to {_MOST_DAYS}: today and the days after it.")
    return int(days)


def _text(arguments: Mapping[str, object], name: str) -> str:
    text = arguments.get(name, "")
    return text.encode(errors="ignore").decode() if isinstance(text, str) else ""  # halves of pairs are in no address


TOOL: Final = Tool(
    name="weather",
    description="The weather at a place, now and on the next days, and sunrise and sunset; not that of the past.",
    parameters={
        "type": "object",
        "properties": {
            "place": {
                "type": "string",
                "description": "A town. A region may follow after a comma: Springfield, Illinois.",
            },
            "country": {"type": "string", "description": "The country's code of two letters, if it is known: US."},
            "language": {"type": "string", "description": "The code of the language that `place` is written in: uk."},
            "days": {"type": "integer", "description": f"How many days, today among them; 1 to {_MOST_DAYS}."},
            "units": {"type": "string", "enum": ["metric", "imperial"], "description": "Else the place's own."},
        },
        "required": ["place"],
        "additionalProperties": False,
    },
    run=_weather,
    needs=(Lookups,),
    stays_in_chat=True,
)
