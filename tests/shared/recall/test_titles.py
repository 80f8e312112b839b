"""Tests of when titles are due, and of reading them in a reply."""

import pytest

from shared.recall.titles import are_topics_due, is_title_due, title_in, topics_in
from shared.values.notes import Notes


@pytest.mark.parametrize(
    ("notes", "is_due"),
    [
        (Notes(turns=4), False),
        (Notes(turns=5), True),
        (Notes(turns=14, title="A b", titled_turn=5), False),
        (Notes(turns=15, title="A b", titled_turn=5), True),
        (Notes(turns=50, title="Mine", manually_named=True), False),
        (Notes(turns=50, manually_named=True), False),
    ],
)
def test_when_a_title_is_due(notes: Notes, is_due: bool) -> None:
    assert is_title_due(notes) is is_due


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ('"A trip to Lviv."', "A trip to Lviv"),
        ("**Moving\nhouse**", "Moving house"),
        ("one two three four five six seven", "one two three four five six"),
        ("Budget", ""),
        ("旅行の計画", "旅行の計画"),
        ("แผนการเดินทาง", "แผนการเดินทาง"),
        ("[meta] a title", "(meta] a title"),
        ("Learning C#", "Learning C#"),
        (".NET Migration Plan", ".NET Migration Plan"),
        ("“Dune” and “Alien” Compared", "“Dune” and “Alien” Compared"),
        ('"Dune" vs "Alien"', '"Dune" vs "Alien"'),
        ("„Dark“ schauen", "„Dark“ schauen"),
        ("__init__.py Explained", "__init__.py Explained"),
        ("Title: Weekend Trip", "Weekend Trip"),
        ("**Title:** Weekend Trip", "Weekend Trip"),
        ("# Weekend Trip", "Weekend Trip"),
        ("- Weekend Trip", "Weekend Trip"),
        ("Titel: „Urlaub planen“", "Urlaub planen"),
        ("标题：周末旅行计划。", "周末旅行计划"),
        ("«Война и мир»", "Война и мир"),
        ("Was It Worth It?", "Was It Worth It?"),
        ("Planning a Surprise Party for the Neighbours", "Planning a Surprise Party"),
        ("Lviv Trip: trains, hotels and food for two", "Lviv Trip"),
        ("Umzug nach Berlin, Möbel und der neue Job", "Umzug nach Berlin, Möbel"),
        ("Поездка во Львов и выбор гостиницы на выходные", "Поездка во Львов и выбор гостиницы"),
        # a number that many things share tells nothing about the topic
        ("Plan B: What we do if it rains on Saturday", "Plan B: What we do"),
        ("Part 2: The long way home from the north", "Part 2: The long way home"),
        ("Kapitel IV: Wie das Dorf gerettet wurde am Ende", "Kapitel IV: Wie das Dorf gerettet"),
        ("Week 1 - Getting started with the piano", "Week 1 - Getting started"),
        ("Windows 11: Printer is not found any more", "Windows 11: Printer is not found"),
        ("План Б: что делать, если в субботу дождь", "План Б: что делать"),
        ("Plan B: rain on Saturday", "Plan B: rain on Saturday"),
        ("Plan B", "Plan B"),
        # words that belong to a noun are not left without the noun
        ("Was machen wir mit der alten Wohnung?", "Was machen wir"),
        ("Reise nach Wien mit den kleinen Kindern", "Reise nach Wien"),
        ("Planning a trip to the old town of Lviv", "Planning a trip"),
        ("What do we do with the old flat?", "What do we do"),
        ("Viaje a Roma con mis viejos amigos del colegio", "Viaje a Roma"),
        ("Reis naar Parijs met mijn kleine zusje", "Reis naar Parijs"),
        # but a complete phrase stays
        ("Qué hacer con la casa de la abuela?", "Qué hacer con la casa"),
        ("Buying a car for a family of five", "Buying a car for a family"),
        ("Things to do in Lviv with small children", "Things to do in Lviv"),
        ("How do I do this in Python please", "How do I do this"),
        ("What should I do with the rest of it", "What should I do"),
        ("Umzug mit dem neuen Hund nach München", "Umzug mit dem neuen Hund"),
        ("Title", ""),
        ("...", ""),
        ('""', ""),
        ("", ""),
        (7, ""),
        (None, ""),
    ],
)
def test_a_title_is_two_to_six_words(given: object, title: str) -> None:
    assert title_in(given) == title


def test_a_title_is_no_longer_than_eighty_characters() -> None:
    assert len(title_in(" ".join(["x" * 30] * 6))) <= 80


def test_topics_are_in_kebab_case() -> None:
    assert topics_in(["Weekend trip", "weekend-trip", "Київ & Lviv!", "", 7, "旅行", "#tag_name"]) == (
        "weekend-trip", "київ-lviv", "旅行", "tag-name",
    )  # fmt: skip
    assert topics_in({"a": 1}) == topics_in(None) == ()
    assert len(topics_in([f"t{n}" for n in range(9)])) == 5
    assert all(len(topic) <= 40 for topic in topics_in(["word " * 40, "x" * 99]))


@pytest.mark.parametrize(
    ("given", "topics"),
    [
        (["🏖️ trip", "☕️ coffee", "1️⃣ first", "👨‍👩‍👧 family"], ("trip", "coffee", "1-first", "family")),
        (["C++", "C#", "node.js", "COVID-19", "covid 19"], ("c++", "c#", "node-js", "covid-19")),
        (["Mother’s Day", "п’ятниця", "l'anniversaire"], ("mother's-day", "п'ятниця", "l'anniversaire")),
        (["Δρόμος", "Straße", "हिन्दी भाषा", "کتاب\u200cها"], ("δρόμος", "straße", "हिन्दी-भाषा", "کتاب\u200cها")),
        ("trip, food; hotel、旅行", ("trip", "food", "hotel", "旅行")),
        (["---", "++", "''", "\ufe0f"], ()),
    ],
)
def test_topics_are_words_as_their_languages_write_them(given: object, topics: tuple[str, ...]) -> None:
    assert topics_in(given) == topics


@pytest.mark.parametrize(
    ("notes", "are_due"),
    [
        (Notes(turns=4), False),
        (Notes(turns=5), True),
        (Notes(turns=5, title="Mine", manually_named=True), True),
        (Notes(turns=14, title="Mine", manually_named=True, topics=("a",), titled_turn=5), False),
        (Notes(turns=15, title="Mine", manually_named=True, topics=("a",), titled_turn=5), True),
    ],
)
def test_topics_are_due_whoever_gave_the_title(notes: Notes, are_due: bool) -> None:
    assert are_topics_due(notes) is are_due
