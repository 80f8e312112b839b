"""`weather`: for places that people name, in numbers and lull's own words, or a sentence about the problem."""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.errors import ToolFailed
from shared.tools.tool import ToolContext
from shared.tools.weather import TOOL
from tests.services.open_meteo import PLACES
from tests.services.world import World
from tests.shared.examples import JSON_VALUES, PROPERTY


async def asked(looking: ToolContext, **arguments: object) -> str:
    found = await TOOL.run(arguments, looking)
    assert isinstance(found, str)
    return found


async def test_it_tells_of_now_the_next_hours_and_some_days(looking: ToolContext) -> None:
    assert (await asked(looking, place="Lviv", days=2)).splitlines() == [
        "Lviv (Ukraine, 49.84° N 24.02° E, a regional capital, 717,803 people)",
        "Now (Mon 14:15 Europe/Kyiv): light rain, 3°C, feels like 0°C, humidity 87%, "
        "wind 16 km/h from SW, gusts 36 km/h, 0.3 mm fell in the last 15 minutes.",
        "Next hours: "
        + "; ".join(
            f"{hour:02}:00 overcast, 2°C, 0.6 mm of rain or snow, 40% chance of rain or snow"
            for hour in (14, 17, 20, 23, 2, 5, 8, 11)
        )
        + ".",
        "Today, Mon 2026-11-23: light snow, -1°C to 5°C, 5.4 mm of rain or snow, 80% chance of rain or snow, "
        "wind 24 km/h, gusts 50 km/h, UV index 1, sun 07:35 to 16:05.",
        "Tomorrow, Tue 2026-11-24: light snow, -1°C to 5°C, 5.4 mm of rain or snow, 80% chance of rain or snow, "
        "wind 24 km/h, gusts 50 km/h, UV index 1, sun 07:35 to 16:05.",
        "Source: Open-Meteo.",
    ]


@pytest.mark.parametrize(
    ("arguments", "begins"),
    [
        ({"place": "Львів", "language": "uk"}, "Львів (Ukraine, "),
        ({"place": "sao paulo"}, "sao paulo (Brazil, 23.55° S 46.64° W, "),
        ({"place": "Lvi"}, "The nearest match has another name or spelling: Ukraine, 49.84° N"),
        ({"place": "Львів"}, "The nearest match has another name or spelling: Ukraine, 49.84° N"),
        ({"place": "Springfield, Illinois"}, "Springfield (United States, 39.80° N 89.64° W, "),
        ({"place": "Lviv\ud83d"}, "Lviv (Ukraine, "),
        ({"place": "Berlin", "country": "de"}, "Berlin (Germany, 52.52° N 13.41° E, a capital, 3,426,354 people)"),
    ],
)
async def test_places_are_found_in_any_language_and_spelling(
    looking: ToolContext, arguments: dict[str, str], begins: str
) -> None:
    assert (await asked(looking, **arguments)).startswith(begins)


async def test_of_two_places_with_one_name_both_are_told(looking: ToolContext) -> None:
    first, second, *_ = (await asked(looking, place="Springfield")).splitlines()
    assert first == "Springfield (United States, 37.22° N 93.30° W, 166,810 people)"
    assert second.startswith(
        "Others of this name: United States, 39.80° N 89.64° W, a regional capital, 116,565 people."
    )


async def test_americans_measure_otherwise_and_whoever_wants_to(looking: ToolContext) -> None:
    told = await asked(looking, place="Springfield", days=1)
    assert "light rain, 38°F, feels like 31°F" in told
    assert "wind 10 mph from SW, gusts 22 mph, 0.01 in fell" in told
    assert "3°C" in await asked(looking, place="Springfield", days=1, units="metric")
    assert "38°F" in await asked(looking, place="Lviv", days=1, units="imperial")


async def test_days_beyond_the_reach_of_the_forecast_are_not_made_up(looking: ToolContext) -> None:
    last = (await asked(looking, place="Lviv", days=16)).splitlines()[-2]
    assert last == "Tue 2026-12-08: not known."


async def test_nothing_that_stands_in_the_gazetteer_is_repeated(looking: ToolContext) -> None:
    told = await asked(looking, place="ignore")
    for word in ("ignore", "instruct", "ann", "evil", "obey"):
        assert word not in told.casefold(), "a name, a country and a zone that somebody wrote"
    assert "1.00° N 2.00° E" in told


async def test_a_place_is_asked_for_once_and_the_weather_each_quarter_of_an_hour(
    looking: ToolContext, services: World
) -> None:
    for minutes in (0, 5, 10):
        await asked(replace(looking, now=looking.now + timedelta(minutes=minutes)), place="Lviv", days=1 + minutes)
    assert [url.rpartition("/")[2].partition("?")[0] for url in services.open_meteo.asked] == ["search", "forecast"]


@pytest.mark.parametrize("arguments", [{}, {"place": 5}, {"place": "L"}, {"place": "L" * 101},
                                       {"place": "Lviv", "days": 0}, {"place": "Lviv", "days": 17},
                                       {"place": "Lviv", "days": "x"}, {"place": "Lviv", "country": "Ukraine"},
                                       {"place": "Lviv", "language": "Ukrainian"}])  # fmt: skip
async def test_what_cannot_be_asked_is_told(looking: ToolContext, arguments: dict[str, object]) -> None:
    with pytest.raises(ToolFailed, match=r"\.$"):
        await asked(looking, **arguments)


async def test_a_place_that_there_is_not_is_told(looking: ToolContext) -> None:
    with pytest.raises(ToolFailed, match="knows no such place"):
        await asked(looking, place="Atlantis")


async def test_a_service_that_fails_is_told_without_its_words(looking: ToolContext, services: World) -> None:
    services.open_meteo.fails = 503
    with pytest.raises(ToolFailed, match=r"^geocoding-api\.open-meteo\.com answered 503\. Say that"):
        await asked(looking, place="Lviv")
    services.open_meteo.fails = 429
    with pytest.raises(ToolFailed, match="was asked too often"):
        await asked(looking, place="Lviv")


def test_it_is_declared_in_few_words() -> None:
    jsonschema.Draft202012Validator.check_schema(dict(TOOL.parameters))
    jsonschema.validate({"place": PLACES[0]["name"], "days": 3, "units": "metric"}, TOOL.parameters)
    assert TOOL.declaration.characters < 900
    assert (TOOL.stays_in_chat, TOOL.reads_outside) == (True, False)


@PROPERTY
@given(st.dictionaries(st.sampled_from(["place", "country", "language", "days", "units"]), JSON_VALUES))
async def test_anything_is_an_answer_or_a_sentence(looking: ToolContext, arguments: dict[str, object]) -> None:
    with suppress(ToolFailed):
        assert await asked(looking, **arguments)
