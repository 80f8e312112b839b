"""Places by their everyday names."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from shared.reminders.times import zones
from shared.reminders.times.zones import key_of, zones_like, zones_near
from shared.values.agent import parse_zone
from tests.shared.reminders.times.cldr import cldr_names

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
KEPT = json.loads(Path(zones.__file__).with_name("places.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("zone", "names"),
    [
        (
            "Europe/Berlin",
            "Munich,München,Muenchen,Мюнхен,Monaco di Baviera,Bavaria,Bayern,Köln,Cologne,Frankfurt am Main",
        ),
        ("Asia/Kolkata", "Mumbai,Bombay,मुंबई,Bengaluru,Bangalore,New Delhi,Chennai,Calcutta"),
        ("America/Los_Angeles", "San Francisco,SF,LA,L.A.,Seattle,Silicon Valley,San Diego,California,PST"),
        ("America/New_York", "New York,NYC,Нью-Йорк,Boston,Washington DC,Miami,Nueva York,Eastern Time"),
        ("America/Chicago", "Chicago,Houston,Texas,Dallas"),
        ("Europe/Kyiv", "Kyiv,Kiev,Київ,Киев,Kijów,Lviv,Львів,Lemberg,Odesa,Харків,Івано-Франківськ,Україна"),
        ("Europe/London", "UK,U.K.,England,Great Britain,Scotland,Manchester,Англія,London,Londres"),
        ("Asia/Shanghai", "Peking,Beijing,北京,Пекін,中国,Shenzhen,上海"),
        ("Asia/Tokyo", "Tokio,東京,Osaka,Японія,Kyoto"),
        ("America/Sao_Paulo", "Sao Paulo,São Paulo,Rio de Janeiro,Brasília"),
        ("Europe/Istanbul", "Istanbul,İstanbul,Стамбул,Ankara,Türkiye"),
        ("Asia/Tehran", "تهران,Tehran,Iran,ایران"),
        ("Africa/Cairo", "القاهرة,Cairo,Egypt,مصر"),
        ("Europe/Zurich", "Zürich,Zuerich,Geneva,Genève,Switzerland,Schweiz"),
        ("Asia/Tashkent", "Toshkent,Ташкент,Oʻzbekiston,Samarqand"),
        ("Asia/Makassar", "Bali,Denpasar"),
        ("Asia/Bangkok", "กรุงเทพ,Phuket"),
        ("Asia/Tbilisi", "თბილისი,Тбилиси"),
        ("Europe/Athens", "Θεσσαλονίκη,Αθήνα"),
        ("Asia/Jerusalem", "ירושלים,תל אביב"),
        ("Asia/Taipei", "臺北,台北"),
        ("Asia/Ho_Chi_Minh", "Hanoi,Saigon,Vietnam"),
        ("Asia/Dubai", "UAE,Dubai,Abu Dhabi"),
        ("Europe/Moscow", "Moscow,Москва,St. Petersburg,Санкт-Петербург"),
        ("Europe/Warsaw", "Kraków,Krakow,Wrocław,Warszawa,Polska"),
    ],
)
def test_a_place_has_its_zone_in_its_own_spellings(zone: str, names: str) -> None:
    assert {name: zones_like(name, NOW) for name in names.split(",")} == dict.fromkeys(names.split(","), (zone,))


@pytest.mark.parametrize(
    ("name", "zone"),
    [
        ("Danmark", "Europe/Copenhagen"), ("Eesti", "Europe/Tallinn"), ("Česko", "Europe/Prague"),
        ("საქართველო", "Asia/Tbilisi"), ("ישראל", "Asia/Jerusalem"), ("Việt Nam", "Asia/Ho_Chi_Minh"),
        ("Lietuva", "Europe/Vilnius"), ("Κύπρος", "Asia/Nicosia"), ("Кыргызстан", "Asia/Bishkek"),
    ],
)  # fmt: skip
def test_a_country_is_found_in_its_own_language(name: str, zone: str) -> None:
    assert zone in zones_like(name, NOW)


@pytest.mark.parametrize(
    ("name", "zone"),
    [("Lodz", "Europe/Warsaw"), ("Kobenhavn", "Europe/Copenhagen"), ("Da Nang", "Asia/Ho_Chi_Minh"),
     ("القاهره", "Africa/Cairo"), ("الأردن", "Asia/Amman"), ("الاردن", "Asia/Amman"), ("تهران", "Asia/Tehran")],
)  # fmt: skip
def test_a_place_is_found_without_the_marks_of_its_letters(name: str, zone: str) -> None:
    assert zones_like(name, NOW) == (zone,)


def test_the_names_of_cities_and_countries_are_those_of_the_cldr() -> None:
    assert {kind: KEPT[kind] for kind in ("cities", "countries")} == cldr_names()


def test_each_usual_name_is_of_a_zone_that_there_is() -> None:
    assert all(parse_zone(zone) for zone in KEPT["usual"])
    assert all(names == sorted(set(names)) for names in KEPT["usual"].values())
    assert len({name for names in KEPT["usual"].values() for name in names}) > 800


def test_accents_signs_and_spaces_make_no_difference() -> None:
    assert key_of("  SÃO  Paulo ") == key_of("sao-paulo") == "sao paulo"
    assert key_of("Київ") != key_of("Киев")


def test_what_is_nearly_a_name_is_near() -> None:
    assert zones_near("Barselona") == ("Europe/Madrid",)
    assert zones_near("xyzzy") == ()
