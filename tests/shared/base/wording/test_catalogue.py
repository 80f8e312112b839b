"""Every catalogue has the messages of the English one, with the same placeholders, and the plural forms of its own
language.
"""

import json
import re
from collections.abc import Iterator
from datetime import date
from string import Formatter

import pytest
from babel import Locale
from babel.dates import format_date, format_skeleton, get_day_names

from infra.bundle import ROOT
from shared.base.wording.words import FALLBACK, Catalogue, Message, catalogue, known_language, languages
from shared.telegram.markdown.render import render

#: numbers that occur in sentences; some languages have a form for whole millions, which no sentence needs
COUNTS = range(1001)
EVERY = pytest.mark.parametrize("language", languages())


def texts_of(message: Message) -> Iterator[str]:
    yield from [message] if isinstance(message, str) else message.values()


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@EVERY
def test_it_has_every_message_and_no_other(language: str) -> None:
    assert catalogue(language).messages.keys() == catalogue(FALLBACK).messages.keys()


@EVERY
def test_every_text_has_the_placeholders_that_english_has(language: str) -> None:
    for message_id, english in catalogue(FALLBACK).messages.items():
        wanted = set.union(*map(placeholders, texts_of(english)))
        assert all(re.fullmatch("[a-z_]+", name) for name in wanted), message_id
        for text in texts_of(catalogue(language).messages[message_id]):
            # a form for exactly one, such as "one message", needs no number
            assert placeholders(text) in (wanted, wanted - {"count"}), (message_id, text)


@EVERY
def test_plural_messages_have_the_forms_of_their_language(language: str) -> None:
    found = catalogue(language)
    for message_id, english in catalogue(FALLBACK).messages.items():
        message = found.messages[message_id]
        assert isinstance(message, str) == isinstance(english, str), message_id
        if not isinstance(message, str):
            assert tuple(message) == found.categories, message_id
            # a form that serves several numbers must contain the number
            assert all("count" in placeholders(message[c]) for c in _of_many_numbers(found)), message_id


def _of_many_numbers(found: Catalogue) -> set[str]:
    by_category = [found.categories[found.plural(n)] for n in COUNTS]
    return {category for category in found.categories if by_category.count(category) > 2}


@EVERY
def test_its_plural_rule_is_that_of_the_cldr(language: str) -> None:
    found, cldr = catalogue(language), Locale.parse(language).plural_form
    assert [found.categories[found.plural(n)] for n in COUNTS] == [cldr(n) for n in COUNTS]
    assert set(found.categories) == {cldr(n) for n in COUNTS}


@EVERY
def test_its_dates_are_those_of_the_cldr(language: str) -> None:
    # American English (`en`) puts the month first; `en_001` is the English of the rest of the world
    found, locale = catalogue(language).calendar, "en_001" if language == "en" else language
    for month in range(1, 13):
        day = date(2026, month, 10 + month)
        parts = {"day": day.day, "month": found.months[month - 1], "year": day.year}
        named = found.date.format(weekday=found.weekdays[day.weekday()], **parts)
        assert named == format_date(day, "full", locale)
        # a Persian month has the mark of the genitive only if a year follows
        assert found.day.format(**parts).removesuffix("ٔ") == format_skeleton("MMMMd", day, locale=locale)
    assert set(found.weekdays) == set(get_day_names("wide", locale=locale).values())


@EVERY
def test_its_direction_is_that_of_its_script(language: str) -> None:
    direction = "right-to-left" if catalogue(language).is_right_to_left else "left-to-right"
    assert Locale.parse(language).character_order == direction


@EVERY
def test_its_file_is_in_order(language: str) -> None:
    text = (ROOT / "shared" / "base" / "wording" / f"{language}.json").read_text()
    messages = json.loads(text)["messages"]
    assert list(messages) == sorted(messages)
    assert not re.search("[\u200e\u200f\u202a-\u202e\u2066-\u2069]", text), "isolates are added when it is read"


@EVERY
def test_every_text_is_markdown_that_reads_as_it_is_written(language: str) -> None:
    for message_id, message in catalogue(language).messages.items():
        for text in texts_of(message):
            assert text == text.strip() != "", message_id
            plain = text.replace("`", "")
            assert "".join(part.text for part in render(text)) == plain, message_id


@pytest.mark.parametrize(
    ("tag", "language"), [("en", "en"), ("EN_us", "en"), ("tlh", "en"), ("", "en"), ("../en", "en")]
)
def test_a_tag_has_a_catalogue(tag: str, language: str) -> None:
    assert known_language(tag) == language
