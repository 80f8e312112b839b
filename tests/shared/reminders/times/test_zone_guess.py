"""The guessed zone of a person who named none."""

from datetime import UTC, datetime

import pytest

from shared.base.wording.words import languages
from shared.reminders.times.zone_guess import MOST_OFFERED, SPOKEN, guessed_zone, offered_zones, zone_choices, zone_mark

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("tags", "zone"),
    [
        (("uk",), "Europe/Kyiv"),
        (("UK",), "Europe/Kyiv"),
        (("uk", "en"), "Europe/Kyiv"),
        (("en", "uk"), "Europe/Kyiv"),
        (("", "de"), "Europe/Berlin"),
        (("de-AT",), "Europe/Vienna"),
        (("id",), "Asia/Jakarta"),
        (("en-GB",), "Europe/London"),
        (("pt-br",), "America/Sao_Paulo"),
        (("pt_PT",), "Europe/Lisbon"),
        (("zh-TW",), "Asia/Taipei"),
        # spoken in many zones, or in a country with many
        (("en",), ""),
        (("es",), ""),
        (("ru",), ""),
        (("ar",), ""),
        (("en-US",), ""),
        (("tlh",), ""),
        ((), ""),
    ],
)
def test_a_language_that_is_spoken_in_one_zone_tells_it(tags: tuple[str, ...], zone: str) -> None:
    assert guessed_zone(*tags) == zone


@pytest.mark.parametrize("language", languages())
def test_some_are_offered_and_the_guess_is_the_first(language: str) -> None:
    assert offered_zones("Asia/Tokyo", language)[0] == "Asia/Tokyo"
    assert 0 < len(offered_zones("UTC", language)) <= MOST_OFFERED
    assert "UTC" not in offered_zones("UTC", language)
    assert SPOKEN[language]


def test_a_button_shows_the_zone_and_its_clock() -> None:
    (button,) = zone_choices("zone", "conv-2026-11-23-0123456789", ("Europe/Kyiv",), NOW)
    assert button.text == "Europe/Kyiv · 14:00"
    assert button.data.endswith(zone_mark("Europe/Kyiv"))
