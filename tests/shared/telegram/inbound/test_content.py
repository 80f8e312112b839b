"""A message's media in words, and its files."""

from typing import Any

import pytest

from local.telegram.spec import bot_api
from shared.telegram.inbound.content import CONTENT, ContentKind, is_said, media_of
from shared.telegram.inbound.service import NOTES
from tests.shared.expected import EXPECTED
from tests.shared.updates import RAW


@pytest.mark.parametrize("name", [name for name, expected in EXPECTED.items() if expected.entry == "message"])
def test_media_has_words(name: str) -> None:
    message = RAW[name].get("message") or RAW[name]["channel_post"]
    assert media_of(message) == EXPECTED[name].words


@pytest.mark.parametrize("found", [{}, [], "x", 7, True], ids=repr)
def test_media_without_its_fields_has_words_all_the_same(found: object) -> None:
    assert [kind.field for kind in CONTENT if kind.words and not media_of({kind.field: found})] == []


def test_a_sticker_has_the_name_of_its_emoji_and_a_cover_is_told_of() -> None:
    assert media_of({"sticker": {"emoji": "😂"}}) == "a sticker: 😂 face with tears of joy"
    assert media_of({"sticker": {"emoji": "\ud83d"}}) == "a sticker: \ufffd replacement character"
    assert media_of({"sticker": {"emoji": 7}}) == "a sticker"
    assert media_of({"photo": [], "has_media_spoiler": True}) == "a photo, covered as a spoiler"


@pytest.mark.parametrize(
    ("emoji", "name"),
    [
        ("\N{HEAVY BLACK HEART}\ufe0f", "heavy black heart"),
        ("\U0001f1e9\U0001f1ea", "flag DE"),
        ("\U0001f1fa\U0001f1e6", "flag UA"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", "flag GB-SCT"),
        ("\N{WAVING BLACK FLAG}\u200d\N{SKULL AND CROSSBONES}\ufe0f", "waving black flag, skull and crossbones"),
        ("\N{THUMBS UP SIGN}\U0001f3fd", "thumbs up sign, medium skin tone"),
        ("\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}", "man, woman, girl"),
        ("1\ufe0f\u20e3", "digit one, keycap"),
    ],
)
def test_all_that_an_emoji_consists_of_is_named(emoji: str, name: str) -> None:
    assert media_of({"sticker": {"emoji": emoji}}) == f"a sticker: {emoji} {name}"


def test_long_and_broken_names_are_cut_and_cleaned() -> None:
    assert media_of({"document": {"file_name": "x" * 500}}) == f"a file: {'x' * 80}"
    assert media_of({"dice": {"emoji": "🎲", "value": "\ud83d"}}) == "a throw of 🎲: ?"


SPOT = {"latitude": 50.4501, "longitude": 30.5234}


@pytest.mark.parametrize(
    ("kind", "found", "words"),
    [
        ("location", SPOT, "a location: 50.45010, 30.52340"),
        ("location", SPOT | {"live_period": 60}, "a live location: 50.45010, 30.52340"),
        ("location", {"latitude": "50", "longitude": 2**70}, "a location"),
        ("location", {"latitude": float("nan"), "longitude": 1}, "a location"),
        ("venue", {"location": SPOT, "title": "Café"}, "a place: Café, 50.45010, 30.52340"),
        ("contact", {"first_name": "Zoë", "last_name": "B.", "phone_number": "+1"}, "a contact: Zoë B., +1"),
        ("audio", {"file_name": "song.mp3"}, "an audio file: song.mp3"),
        ("poll", {"question": "Lunch?", "options": [{"text": "Pizza"}, 7, {"text": 5}]}, "a poll: Lunch? (Pizza)"),
        (
            "poll",
            {
                "question": "?",
                "options": [
                    {"text": "A", "voter_count": 2},
                    {"text": "B", "voter_count": 1},
                    {"text": "C", "voter_count": 0},
                ],
                "is_closed": True,
            },
            "a poll, closed: ? (A (2 votes); B (1 vote); C)",
        ),
        (
            "poll",
            {"question": "?", "options": [], "description": "See a.example"},
            "a poll: ?; description: See a.example",
        ),
        ("poll", {"type": "quiz", "question": "?", "explanation": "soup"}, "a quiz: ?; explanation: soup"),
        ("giveaway", {"winner_count": 3, "prize_description": "A bike"}, "a giveaway: 3 winners, A bike"),
        ("giveaway", {"winner_count": 1}, "a giveaway: 1 winner"),
        ("giveaway", {"winner_count": "many"}, "a giveaway"),
        (
            "giveaway_winners",
            {"winners": [{"first_name": "Ann"}, 7], "prize_description": "A bike"},
            "the winners of a giveaway: Ann; A bike",
        ),
        ("giveaway_winners", {"winners": None}, "the winners of a giveaway"),
        ("invoice", {"title": "Tea", "description": "Green"}, "an invoice: Tea, Green"),
        ("checklist", {"tasks": [{"text": "milk"}]}, "a checklist (milk)"),
        ("story", {"chat": {"id": 5, "first_name": "Ann", "type": "private"}}, "a story: Ann"),
        ("game", {"title": "Chess"}, "a game: Chess"),
        ("rich_message", {"blocks": [{"type": "photo"}]}, "a formatted message without words"),
        ("rich_message", {"blocks": [{"text": "hi"}]}, ""),
    ],
)
def test_what_somebody_sent_is_told_with_what_is_in_it(kind: str, found: dict[str, Any], words: str) -> None:
    assert media_of({kind: found}) == words


def test_each_kind_is_a_field_of_telegrams_message_and_stands_in_one_row() -> None:
    fields = [kind.field for kind in CONTENT]
    assert set(fields) <= {field.name for field in bot_api().types["Message"]}
    assert len(set(fields)) == len(fields)


@pytest.mark.parametrize("kind", CONTENT, ids=lambda kind: kind.field)
def test_what_is_said_is_told_apart_from_what_happened(kind: ContentKind) -> None:
    assert is_said({"message_id": 1, kind.field: {}}) is (kind.field not in NOTES)


def test_a_long_list_is_cut() -> None:
    poll = {"question": "?", "options": [{"text": "x" * 100}] * 12}
    assert media_of({"poll": poll}).count("x") == 1_200
    assert len(media_of({"checklist": {"title": "?", "tasks": [{"text": "x" * 100}] * 100}})) < 3_700
