"""The names of cities and countries that the CLDR has for time zones, as `places.json` keeps them."""

from importlib.resources import files

from babel import Locale, UnknownLocaleError
from babel.languages import get_official_languages

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
    """Read the names of each zone's city, and of each country with zones, in each language and in the country's own."""
    table = files("tzdata").joinpath("zoneinfo/zone.tab").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in table.splitlines() if line and not line.startswith("#")]
    code_of = {row[2]: row[0] for row in rows}
    cities: dict[str, set[str]] = {}
    countries: dict[str, set[str]] = {}
    own = {code: get_official_languages(code, de_facto=True) for code in code_of.values()}
    for language in sorted({*LANGUAGES, *(one for spoken in own.values() for one in spoken)}):
        try:
            locale = Locale.parse(language)
        except UnknownLocaleError:
            continue
        spoken_in = own if language in LANGUAGES else [code for code in own if language in own[code]]
        for name, told in locale.time_zones.items():
            zone = RENAMED.get(name, name)
            if code_of.get(zone) in spoken_in and "city" in told:
                cities.setdefault(zone, set()).add(told["city"])
        for code, name in locale.territories.items():
            if code in spoken_in:
                countries.setdefault(code, set()).add(name)
    named = {"cities": cities, "countries": countries}
    return {kind: {key: sorted(names) for key, names in sorted(found.items())} for kind, found in named.items()}
