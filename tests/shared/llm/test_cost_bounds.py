"""A bound is never below the real cost, and 0 for a free model."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest

from shared.base.model_call import ModelCall
from shared.llm.cost_bounds import cost_at_most, cost_of_texts, tokens_at_most
from shared.media import description_prompt as describing
from shared.planning.prompt import compression
from shared.planning.prompt.estimate import tokens_in
from shared.recall.jobs import summarize
from shared.values.capabilities import OutputKind
from shared.values.money import usd_to_nanos
from shared.values.prompt import Attachment, Prompt, PromptTurn, TurnRole
from shared.values.usage import SEARCH_PRICE, cost_of
from tests.shared.examples import NOW

MODEL = "gemini-3.8-flash"


def prompt(text: str = "hi", **more: Any) -> Prompt:
    turn = PromptTurn(role=TurnRole.USER, parts=(text,), attached=more.pop("attached", ()))
    return Prompt.model_validate({"system": "", "turns": (turn,), "reply_tokens": 100, **more})


def at_most(asked: Prompt, model: str, at: datetime) -> int:
    found = cost_at_most(asked, model, at)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "text",
    [
        "Hello, how are you today?",
        "1234567890 0987",
        "{[(,.;:)]}",
        "Привіт, як справи?",
        "你好,世界",
        "😀😀 ✨",
        "สวัสดี",
    ],
)
def test_a_text_is_never_more_tokens_than_its_bound(text: str) -> None:
    assert tokens_at_most(text) >= tokens_in(text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("CqCqBzXjWvBzCq", 1.0),
        ("qxzjxqzjjqxz", 0.55),
        ("ꀀꁐꂱꃭꄚ", 3.0),
        ("\ue000\ue123", 3.0),
        ("뷁쮋꾩", 3.0),
        ("㐀㐁㐂", 3.0),
        ("𒀀𒁐", 4.0),
        ("𠀀𠀁", 4.0),
        ("\U000e0041\U000e0042", 4.0),
        ("ᠠᠡᡀ", 3.0),
    ],
)
def test_what_is_written_to_cost_much_is_bounded_too(text: str, tokens: float) -> None:
    """The worst cases for Gemma's vocabulary: letters that form no words, and unknown characters."""
    assert tokens_at_most(text) >= tokens * len(text) * 0.95


@pytest.mark.parametrize(
    "text", ["wie schön dass du da bist", "сьогодні гарна погода", "今天天气怎么样", "公園を散歩したい"]
)
def test_what_people_write_every_day_is_not_bounded_as_what_nobody_writes(text: str) -> None:
    assert tokens_at_most(text) <= 1.5 * len(text)


def test_what_a_vector_or_a_reply_needs_besides_texts_is_bounded() -> None:
    nothing = cost_of_texts([""], "gemini-embedding-2", NOW)
    assert nothing is not None
    assert nothing > 0, "the API takes no empty text: something is sent for it"
    plain, held = (cost_at_most(prompt(), MODEL, NOW, schema) for schema in (None, {"type": "object", "a": "b" * 900}))
    assert plain is not None
    assert held is not None
    assert held - plain >= usd_to_nanos(450 * 0.75 / 1e6)


@pytest.mark.parametrize(
    ("kind", "tokens"), [("video/mp4", 60 * 290), ("audio/ogg", 600 * 32), ("application/pdf", 20 * 560)]
)
def test_a_file_of_before_whose_length_nobody_stored_is_bounded_by_the_longest(kind: str, tokens: int) -> None:
    """Parts stored by an earlier version have no length: minutes of a static film take few bytes."""
    took = ModelCall(model=MODEL, prompt_tokens=tokens)
    unknown = Attachment(mime_type=kind, content=b"x" * 3_000)
    assert at_most(prompt(attached=(unknown,)), MODEL, NOW) >= usd_to_nanos(cost_of([took], NOW) or 0.0)


def test_a_call_costs_no_more_than_its_bound() -> None:
    text = "What do you think of the weather in Lisbon in May? " * 200
    took = ModelCall(model=MODEL, prompt_tokens=int(tokens_in(text)), output_tokens=60, thought_tokens=40)
    assert at_most(prompt(text), MODEL, NOW) >= usd_to_nanos(cost_of([took], NOW) or 0.0) > 0


def test_nobody_knows_the_cost_of_a_model_without_a_price() -> None:
    assert cost_at_most(prompt(), "scripted", NOW) is None
    assert cost_of_texts(["hi"], "hashed", NOW) is None
    assert cost_of_texts(["hi"], "gemini-embedding-2", NOW)


def test_files_searches_and_what_is_made_cost_more() -> None:
    plain = at_most(prompt(), MODEL, NOW)
    assert at_most(prompt(searches=True), MODEL, NOW) >= plain + usd_to_nanos(SEARCH_PRICE)
    for kind in ("image/png", "audio/ogg", "video/mp4", "application/pdf", "text/plain"):
        shown = prompt(attached=(Attachment(mime_type=kind, content=b"x" * 4_000),))
        assert at_most(shown, MODEL, NOW) > plain
    draws = prompt(makes=OutputKind.PICTURES, reply_tokens=None)
    assert at_most(draws, "gemini-3.1-flash-image", NOW) > usd_to_nanos(1_120 * 60 / 1e6)
    assert at_most(prompt(reply_tokens=None), MODEL, NOW) > plain


@pytest.mark.parametrize(
    ("quiet", "tokens"),
    [
        (Attachment(mime_type="video/mp4", content=b"x" * 3_000, duration_s=60), 60 * 290),
        (Attachment(mime_type="audio/ogg", content=b"x" * 3_000, duration_s=600), 600 * 32),
        (Attachment(mime_type="application/pdf", content=b"x" * 3_000, pages=20), 20 * 560),
    ],
)
def test_a_file_of_few_bytes_is_bounded_by_its_length(quiet: Attachment, tokens: int) -> None:
    took = ModelCall(model=MODEL, prompt_tokens=tokens)
    assert at_most(prompt(attached=(quiet,)), MODEL, NOW) >= usd_to_nanos(cost_of([took], NOW) or 0.0)


@pytest.mark.parametrize(
    ("dense", "tokens"),
    [
        (Attachment(mime_type="text/plain", content=b"1" * 90_000), 90_000),
        (Attachment(mime_type="audio/ogg", content=b"x" * 900_000), 900_000 * 8 // 16_000 * 32),
        (Attachment(mime_type="video/mp4", content=b"x" * 900_000), 900_000 * 8 // 500_000 * 300),
    ],
)
def test_a_file_whose_length_nobody_knows_is_bounded_by_its_bytes(dense: Attachment, tokens: int) -> None:
    took = ModelCall(model=MODEL, prompt_tokens=tokens)
    assert at_most(prompt(attached=(dense,)), MODEL, NOW) >= usd_to_nanos(cost_of([took], NOW) or 0.0)


@pytest.mark.parametrize("schema", [compression.SCHEMA, summarize.SCHEMA, describing.SCHEMA])
def test_what_each_reply_is_held_to_is_counted(schema: Mapping[str, object]) -> None:
    plain, held = (cost_at_most(prompt(), MODEL, NOW, one) for one in (None, schema))
    assert plain is not None
    assert held is not None
    assert held > plain
