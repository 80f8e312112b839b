"""Rich messages as text: lists, ticks and tables, with mentions, commands and links."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.text import EntityType
from shared.planning.prompt.escaping import to_markdown
from shared.telegram.inbound.content import media_of
from shared.telegram.inbound.media import files_of, media_refs_of
from shared.telegram.inbound.text import MOST_FILES, PARTS, entities_of, files_in, rich_text, text_of
from shared.values.media import MediaKind
from tests.shared.examples import JSON_VALUES, PROPERTY

BOLD = {"type": "bold", "text": ["wor", {"type": "italic", "text": "ld"}]}
MESSAGE = {
    "blocks": [
        {"type": "heading", "text": "Plan", "size": 1},
        {"type": "paragraph", "text": ["Hello ", BOLD, "!"]},
        {"type": "divider"},
        {
            "type": "list",
            "items": [
                {"label": "1.", "blocks": [{"type": "paragraph", "text": "milk"}]},
                {"label": "2.", "blocks": []},
            ],
        },
        {"type": "table", "cells": [[{"text": "a"}, {"text": "b"}], [{"text": "c"}]], "caption": "sums"},
        {"type": "photo", "photo": [], "caption": {"text": "a cat", "credit": "Ann"}},
        {"type": "details", "summary": "more", "blocks": [{"type": "math", "expression": "x^2"}]},
        {"type": "map", "location": {"latitude": 50.45, "longitude": 30.52}, "zoom": 3},
    ],
}


def of(*blocks: object) -> dict[str, Any]:
    return {"rich_message": {"blocks": list(blocks)}}


def paragraph(*text: object) -> dict[str, Any]:
    return {"type": "paragraph", "text": list(text)}


def read(message: dict[str, Any]) -> str:
    """Return the text of a message for a model."""
    return to_markdown(text_of(message), entities_of(message))


def test_each_block_is_told_on_lines_of_its_own() -> None:
    assert rich_text(MESSAGE).split("\n") == [
        "Plan", "Hello world!", "1. milk", "2.", "a | b", "c", "sums", "a cat", "Ann", "more", "x^2",
        "(a map: 50.45, 30.52)",
    ]  # fmt: skip


def item(*blocks: object, label: str = "•", **fields: object) -> dict[str, Any]:
    return {"label": label, "blocks": list(blocks), **fields}


TICKED: dict[str, Any] = {"has_checkbox": True, "is_checked": True}


@pytest.mark.parametrize(
    ("items", "text"),
    [
        ([item(paragraph("milk")), item(paragraph("eggs"))], "• milk\n• eggs"),
        ([item(paragraph("milk"), **TICKED), item(paragraph("eggs"), has_checkbox=True)], "• [x] milk\n• [ ] eggs"),
        ([item(paragraph("a"), paragraph("b"), label="2.")], "2. a\n  b"),
        ([item(paragraph("a"), {"type": "list", "items": [item(paragraph("b"), **TICKED)]})], "• a\n  • [x] b"),
        ([item(paragraph("a"), label="")], "- a"),
        ([item(paragraph("a", {"type": "bold", "text": "b"}), paragraph({"type": "bold", "text": "c"}))],
         "• a**b**\n  **c**"),
        ([item({"type": "pre", "text": "x = 1\ny = 2", "language": "python"})],
         "• \n```python\nx = 1\n  y = 2\n```"),
        ([None, 3, "milk"], "milk"),
    ],
)  # fmt: skip
def test_lists_and_ticks_read_as_text(items: list[object], text: str) -> None:
    assert read(of({"type": "list", "items": items})) == text


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ({"type": "url", "text": "this page", "url": "https://a.example/b"}, "[this page](https://a.example/b)"),
        ({"type": "url", "text": "https://a.example/b", "url": "https://a.example/b"}, "https://a.example/b"),
        ({"type": "url", "text": ["this ", BOLD], "url": "https://a.example"}, "[this **world**](https://a.example)"),
        ({"type": "email_address", "text": "write", "email_address": "a@b.example"}, "[write](mailto:a@b.example)"),
        ({"type": "email_address", "text": "a@b.example", "email_address": "a@b.example"}, "a@b.example"),
        ({"type": "phone_number", "text": "call", "phone_number": "+380441234567"}, "[call](tel:+380441234567)"),
        ({"type": "code", "text": "x = 1"}, "`x = 1`"),
        ({"type": "mathematical_expression", "expression": "x^2"}, "x^2"),
        (["10", {"type": "superscript", "text": "6"}], "10^6"),
        (["H", {"type": "subscript", "text": "2"}, "O"], "H_2O"),
        (["x", {"type": "superscript", "text": ["n", {"type": "bold", "text": "+1"}]}], "x^(n**+1**)"),
        (["x", {"type": "superscript", "text": ""}], "x"),
        ({"type": "mention", "text": "Moss", "username": "moss_bot"}, "Moss @moss_bot"),
        ({"type": "of a kind to come", "text": "words"}, "words"),
        ({"type": ["odd"], "text": "words"}, "words"),
    ],
)
def test_where_links_lead_is_told_beside_their_words(part: object, text: str) -> None:
    assert read(of(paragraph("😀 see ", part, "."))) == f"😀 see {text}."


@pytest.mark.parametrize(
    ("part", "kind", "covered", "user"),
    [
        ({"type": "mention", "text": "@lull_bot", "username": "lull_bot"}, EntityType.MENTION, "@lull_bot", 0),
        ({"type": "mention", "text": "Lull", "username": "@lull_bot"}, EntityType.MENTION, "@lull_bot", 0),
        ({"type": "text_mention", "text": "Lull", "user": {"id": 7}}, EntityType.TEXT_MENTION, "Lull", 7),
        ({"type": "url", "text": "Lull", "url": "tg://user?id=7"}, EntityType.TEXT_MENTION, "Lull", 7),
        ({"type": "bot_command", "text": "/help", "bot_command": "/help"}, EntityType.BOT_COMMAND, "/help", 0),
        ({"type": "bold", "text": {"type": "mention", "text": "@lull_bot", "username": "lull_bot"}},
         EntityType.MENTION, "@lull_bot", 0),
    ],
)  # fmt: skip
@pytest.mark.parametrize("before", ["", "😀 "])
def test_who_is_named_and_what_is_commanded_is_known(
    part: object, kind: EntityType, covered: str, user: int, before: str
) -> None:
    message = of({"type": "heading", "text": "Tea"}, paragraph(before, part))
    (found,) = (one for one in entities_of(message) if one.type is kind)
    assert (found.text_in(text_of(message)), found.user_id) == (covered, user)


MENTION = {"type": "mention", "text": "@lull_bot", "username": "lull_bot"}


@pytest.mark.parametrize(
    "block",
    [
        paragraph({"type": "code", "text": ["hey ", MENTION]}),
        paragraph({"type": "bold", "text": {"type": "code", "text": MENTION}}),
        {"type": "pre", "text": ["hey ", MENTION, {"type": "bot_command", "text": "/help"}]},
        {"type": "pre", "text": {"type": "url", "text": "x", "url": "tg://user?id=7"}},
    ],
)
def test_inside_code_nobody_is_named(block: object) -> None:
    assert {one.type for one in entities_of(of(block))} <= {EntityType.CODE, EntityType.PRE, EntityType.BOLD}


@pytest.mark.parametrize("kind", ["code", "pre"])
@pytest.mark.parametrize("name", ["mention", "text_mention", "bot_command", "text_link"])
def test_nor_is_anybody_in_code_of_a_usual_message(kind: str, name: str) -> None:
    named = {"type": name, "offset": 4, "length": 9, "user": {"id": 7}, "url": "tg://user?id=7"}
    code = {"type": kind, "offset": 0, "length": 13}
    assert [one.type for one in entities_of({"text": "hey @lull_bot", "entities": [named, code]})] == [kind]
    beside = {**code, "length": 3}
    assert len(entities_of({"text": "hey @lull_bot", "entities": [named, beside]})) == 2


@pytest.mark.parametrize(
    ("url", "user"),
    [
        ("tg://user?id=7", 7), ("TG://user?id=7", 7), ("tg://user/?id=7", 7), ("tg://openmessage?user_id=7", 7),
        ("tg://user?id=", 0), ("tg://user?id=7x", 0), ("https://a.example?id=7", 0), ("tg://resolve?domain=a", 0),
    ],
)  # fmt: skip
@pytest.mark.parametrize("field", ["entities", "caption_entities"])
def test_a_link_to_an_account_mentions_whose_it_is(url: str, user: int, field: str) -> None:
    link = {"type": "text_link", "offset": 0, "length": 4, "url": url}
    (found,) = entities_of({"text": "Moss", field: [link]})
    kind = EntityType.TEXT_MENTION if user else EntityType.TEXT_LINK
    assert (found.type, found.user_id, found.url) == (kind, user, "" if user else url)


def sized(name: str) -> list[dict[str, str]]:
    return [{"file_id": f"small {name}", "file_unique_id": "s"}, {"file_id": name, "file_unique_id": name}]


def photo(name: str, **fields: object) -> dict[str, Any]:
    return {"type": "photo", "photo": sized(name), **fields}


@pytest.mark.parametrize(
    ("blocks", "files", "words"),
    [
        ([photo("a")], [(MediaKind.PHOTO, "a")], "a photo"),
        ([photo("a", has_spoiler=True)], [(MediaKind.PHOTO, "a")], "a photo, covered as a spoiler"),
        ([{"type": "collage", "blocks": [photo("a"), photo("b")]}],
         [(MediaKind.PHOTO, "a"), (MediaKind.PHOTO, "b")], "2 files within the text"),
        ([{"type": "list", "items": [item(photo("a"))]}], [(MediaKind.PHOTO, "a")], "a photo"),
        ([{"type": "voice_note", "voice_note": {"file_id": "v"}}], [(MediaKind.VOICE, "v")], "a voice message"),
        ([{"type": "video", "video": {"file_id": "v"}}], [(MediaKind.VIDEO, "v")], "a video"),
        ([{"type": "animation", "animation": {"file_id": "g"}}], [(MediaKind.ANIMATION, "g")], "a GIF"),
        ([{"type": "audio", "audio": {"file_id": "m", "title": "Rain"}}], [(MediaKind.AUDIO, "m")],
         "an audio file: Rain"),
        ([paragraph("no file")], [], ""),
        ([], [], "a formatted message without words"),
    ],
)  # fmt: skip
def test_the_files_in_it_are_its_files(blocks: list[object], files: list[tuple[MediaKind, str]], words: str) -> None:
    assert [(ref.kind, ref.file_id) for ref in files_of(of(*blocks))] == files
    assert media_of(of(*blocks)) == words


def test_of_very_many_files_the_first_ones_are_known() -> None:
    message = of(*[photo(f"p{n}") for n in range(40)])
    assert [ref.file_id for ref in files_of(message)] == [f"p{n}" for n in range(MOST_FILES)]


def test_its_custom_emoji_are_files_as_in_a_usual_message() -> None:
    emoji = {"type": "custom_emoji", "custom_emoji_id": "55", "alternative_text": "🐈"}
    (ref,) = media_refs_of(of(paragraph("my ", emoji)))
    assert (ref.kind, ref.file_id, ref.emoji) == (MediaKind.CUSTOM_EMOJI, "55", "🐈")


def test_where_there_are_no_words_there_is_nothing() -> None:
    assert rich_text({"blocks": [{"type": "photo", "photo": []}]}) == rich_text(None) == ""


def test_however_deep_it_is_nested_it_ends() -> None:
    deep: object = "words"
    for _ in range(5_000):
        deep = {"text": deep}
    assert rich_text(deep) == ""
    for _ in range(5_000):
        deep = {"blocks": [deep]}
    assert rich_text(deep) == ""
    assert list(files_in(deep)) == []


@PROPERTY
@given(st.dictionaries(st.sampled_from((*PARTS, "type", "url", "user", "photo", "username")), JSON_VALUES))
def test_whatever_comes_becomes_text(found: object) -> None:
    message = {"rich_message": found}
    text = text_of(message)
    assert all(one.text_in(text) for one in entities_of(message))
    assert isinstance(media_of(message), str)
    assert len(files_of(message)) <= MOST_FILES
