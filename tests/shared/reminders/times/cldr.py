"""The names of cities and countries that the CLDR has for time zones, as `places.json` keeps them."""

from importlib.resources import files

from babel import Locale

LANGUAGES = [
    "ar",
    "de",
    "en",
    "es",
    "fa",
    "fr",
    "hi",
    "id",
    "it",
    "ja",
    "ko",
    "nl",
    "pl",
    "pt",
    "ru",
    "tr",
    "uk",
    "uz",
    "zh",
]
#: zones that the CLDR has by an old name
RENAMED = {
    "Africa/Asmera": "Africa/Asmara",
    "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
    "America/Catamarca": "America/Argentina/Catamarca",
    "America/Coral_Harbour": "America/Atikokan",
    "America/Cordoba": "America/Argentina/Cordoba",
    "America/Godthab": "America/Nuuk",
    "America/Indianapolis": "America/Indiana/Indianapolis",
    "America/Jujuy": "America/Argentina/Jujuy",
    "America/Louisville": "America/Kentucky/Louisville",
    "America/Mendoza": "America/Argentina/Mendoza",
    "Asia/Calcutta": "Asia/Kolkata",
    "Asia/Katmandu": "Asia/Kathmandu",
    "Asia/Rangoon": "Asia/Yangon",
    "Asia/Saigon": "Asia/Ho_Chi_Minh",
    "Atlantic/Faeroe": "Atlantic/Faroe",
    "Europe/Kiev": "Europe/Kyiv",
    "Pacific/Enderbury": "Pacific/Kanton",
    "Pacific/Ponape": "Pacific/Pohnpei",
    "Pacific/Truk": "Pacific/Chuuk",
}


def cldr_names() -> dict[str, dict[str, list[str]]]:
    """Read the names of each zone's city, and of each country with zones, in each language."""
    table = files("tzdata").joinpath("zoneinfo/zone.tab").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in table.splitlines() if line and not line.startswith("#")]
    zones, codes = {row[2] for row in rows}, {row[0] for row in rows}
    cities: dict[str, set[str]] = {}
    countries: dict[str, set[str]] = {}
    for language in LANGUAGES:
        locale = Locale.parse(language)
        for name, told in locale.time_zones.items():
            zone = RENAMED.get(name, name)
            if zone in zones and "city" in told:
                cities.setdefault(zone, set()).add(told["city"])
        for code, name in locale.territories.items():
            if code in codes:
                countries.setdefault(code, set()).add(name)
    named = {"cities": cities, "countries": countries}
    return {kind: {key: sorted(names) for key, names in sorted(found.items())} for kind, found in named.items()}
