"""Time zones by their everyday names."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings, strategies

from shared.reminders.times.zones import COMMON, MOST, first_zone, known_zones, zones_like, zones_near
from shared.values.agent import parse_zone

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Europe/Berlin", ("Europe/Berlin",)),
        ("europe/berlin", ("Europe/Berlin",)),
        ("America/New York", ("America/New_York",)),
        ("Berlin", ("Europe/Berlin",)),
        ("  new york ", ("America/New_York",)),
        ("Kyiv", ("Europe/Kyiv",)),
        ("Kiev", ("Europe/Kyiv",)),
        ("Calcutta", ("Asia/Kolkata",)),
        ("Buenos Aires", ("America/Argentina/Buenos_Aires",)),
        ("UTC", ("UTC",)),
        ("GMT+0", ("UTC",)),
        ("UTC+5:30", ("Asia/Kolkata",)),
        ("GMT-10", ("Pacific/Honolulu",)),
        ("+0545", ("Asia/Kathmandu",)),
        ("JST", ("Asia/Tokyo",)),
        ("Ukraine", ("Europe/Kyiv",)),
        ("Germany", ("Europe/Berlin",)),
        ("Paris, France", ("Europe/Paris",)),
        ("Paris, Texas", ("America/Chicago", "Europe/Paris")),
        ("London, Ontario", ("America/Toronto", "Europe/London")),
        ("Moscow, Idaho", ("America/Boise", "America/Los_Angeles", "Europe/Moscow")),
        ("Cambridge, MA", ("America/New_York",)),
        ("Perth, WA", ("Australia/Perth",)),
        ("Berlin, DE", ("Europe/Berlin",)),
        ("Toronto, CA", ("America/Toronto",)),
        ("San José, CA", ("America/Los_Angeles",)),
        ("Mumbai, IN", ("Asia/Kolkata",)),
        ("Somewhere, DE", ("America/New_York", "Europe/Berlin")),
        ("Somewhere, NH", ("America/New_York",)),
        ("Buxtehude, Deutschland", ("Europe/Berlin",)),
        ("Detroit, USA", ("America/Detroit",)),
        ("new york!", ("America/New_York",)),
        ('"Berlin"', ("Europe/Berlin",)),
        ("«Київ»", ("Europe/Kyiv",)),
        ("Portland, USA", ("America/Los_Angeles",)),
        ("in Lviv", ("Europe/Kyiv",)),
        ("Kyiv time", ("Europe/Kyiv",)),
        ("Kyiv (UTC+2)", ("Europe/Kyiv",)),
        ("(UTC+01:00) Berlin", ("Europe/Berlin",)),
        ("(UTC)", ()),
        ("Washington, D.C.", ("America/New_York",)),
        ("Albany, N.Y.", ("America/New_York",)),
        ("Detroit, U.S.A.", ("America/Detroit",)),
        ("hora de Bogotá", ("America/Bogota",)),
        ("heure de Paris", ("Europe/Paris",)),
        ("horário de Lisboa", ("Europe/Lisbon",)),
        ("Berlin Zeit", ("Europe/Berlin",)),
        ("waktu Jakarta", ("Asia/Jakarta",)),
        ("İstanbul saati", ("Europe/Istanbul",)),
        ("به وقت تهران", ("Asia/Tehran",)),
        ("بتوقيت الرياض", ("Asia/Riyadh",)),
        ("भारत समय", ("Asia/Kolkata",)),
        ("北京时间", ("Asia/Shanghai",)),
        ("日本時間", ("Asia/Tokyo",)),
        ("한국 시간", ("Asia/Seoul",)),
        ("上海市", ("Asia/Shanghai",)),
        ("東京都", ("Asia/Tokyo",)),
        ("京都", ("Asia/Tokyo",)),
        ("м. Київ", ("Europe/Kyiv",)),
        ("г. Москва", ("Europe/Moscow",)),
        ("EST", ("America/New_York",)),
        ("Singapore", ("Asia/Singapore",)),
        ("japan", ("Asia/Tokyo",)),
        ("Kentucky", ("America/Kentucky/Louisville", "America/Kentucky/Monticello")),
    ],
)
def test_a_zone_is_found(text: str, names: tuple[str, ...]) -> None:
    assert zones_like(text, NOW) == names


@pytest.mark.parametrize("text", ["+2", "UTC−5", "CST", "IST", "America", "USA", "Georgia", "Cambridge", "Brazil"])
def test_what_may_be_several_is_not_decided(text: str) -> None:
    found = zones_like(text, NOW)
    assert 1 < len(found) <= MOST


def test_an_offset_is_one_in_force() -> None:
    assert "Europe/Berlin" in zones_like("+1", NOW)
    assert "Europe/Berlin" not in zones_like("+1", datetime(2026, 7, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    "text",
    ["", "x", "Atlantis", "+25", "../../etc/passwd", "posixrules", "zone.tab", "+2 or +3", "Berln", "soon"],
)
def test_what_is_none_is_none(text: str) -> None:
    assert zones_like(text, NOW) == ()


@given(strategies.text(max_size=20) | strategies.sampled_from(["+13", "-3:30", "bst", "north", "/", "."]))
@settings(max_examples=100)
def test_each_that_is_found_is_a_zone(text: str) -> None:
    assert all(parse_zone(name) for name in zones_like(text, NOW))


def test_there_is_a_common_zone_of_each_offset_that_people_live_by() -> None:
    offsets = {NOW.astimezone(parse_zone(name)).utcoffset() for name in COMMON}
    assert len(offsets) > 30
    assert len(set(COMMON)) == len(COMMON)


def test_the_first_zone_that_is_one_is_taken() -> None:
    assert first_zone("", "Europe/Atlantis", "Europe/Kyiv", "Asia/Tokyo") == "Europe/Kyiv"
    assert first_zone("", "../x", "europe/") == first_zone() == "UTC"
    assert set(COMMON) < set(known_zones())


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("Berln", "Europe/Berlin"),
        ("Munhcen", "Europe/Berlin"),
        ("Londn", "Europe/London"),
        ("Кийв", "Europe/Kyiv"),
        ("по Москве", "Europe/Moscow"),
        ("у Львові", "Europe/Kyiv"),
    ],
)
def test_a_misspelt_place_is_near_the_right_one(text: str, near: str) -> None:
    assert zones_like(text, NOW) == ()
    assert near in zones_near(text)
    assert len(zones_near(text)) <= MOST


def test_nothing_is_near_what_is_no_place() -> None:
    assert zones_near("what is it to you") == ()
