"""Answers of any shape: missing parts and parts of the wrong type are read as empty."""

import json
from typing import Any

import pytest

from shared.base.errors import ModelUnavailable
from shared.llm.gemini.answers import GeminiAnswer, join_events, parse_answer
from shared.values.prompt import Attachment, Prompt, PromptTurn, ToolCall, TurnRole


def saying(*parts: Any, **more: Any) -> GeminiAnswer:
    """Make an answer of these parts."""
    return parse_answer({"candidates": [{"content": {"parts": list(parts)}, **more}]})


@pytest.mark.parametrize(
    "body",
    [
        None,
        [1],
        "x",
        {},
        {"candidates": "x"},
        {"candidates": [7]},
        {"candidates": [{"content": [], "finishReason": 3}]},
        {"candidates": [{"content": {"parts": {"text": "x"}}}], "usageMetadata": 1, "promptFeedback": "no"},
        {"candidates": [{"content": {"parts": ["x", None, {"text": 1}, {"text": "t", "thought": True}]}}]},
    ],
)
def test_what_is_of_another_shape_says_nothing(body: object) -> None:
    answer = parse_answer(body)
    assert (answer.text, answer.calls, answer.finish, answer.blocked, answer.model) == ("", (), "", "", "")
    assert answer.call("asked", 5).model_dump(exclude_defaults=True) == {
        "model": "asked",
        "ms": 5,
        "is_uncounted": True,
    }


def test_counts_that_are_none_count_as_nothing() -> None:
    usage = {
        "promptTokenCount": "9",
        "candidatesTokenCount": -2,
        "thoughtsTokenCount": None,
        "cachedContentTokenCount": 4,
    }
    call = parse_answer({"usageMetadata": usage, "modelVersion": "gemini-x"}).call("asked", 1)
    assert (call.model, call.prompt_tokens, call.output_tokens, call.thought_tokens) == ("asked", 0, 0, 0)
    assert call.is_uncounted
    assert call.cached_tokens == 0, "of no prompt nothing was cached"


@pytest.mark.parametrize(
    ("details", "media"),
    [
        ([{"modality": "TEXT", "tokenCount": 9}], 0),
        ([{"modality": "TEXT", "tokenCount": 9}, {"modality": "IMAGE", "tokenCount": 258}], 258),
        ([{"modality": "AUDIO", "tokenCount": 30}, {"modality": "DOCUMENT", "tokenCount": 8}], 38),
        ([{"modality": "IMAGE", "tokenCount": -1}, {"modality": "IMAGE"}, {"tokenCount": 4}, 7, None], 0),
        ("IMAGE", 0),
    ],
)
def test_tokens_of_files_are_told_from_those_of_words(details: object, media: int) -> None:
    usage = {"promptTokenCount": 300, "promptTokensDetails": details}
    call = parse_answer({"usageMetadata": usage}).call("asked", 1)
    assert (call.prompt_tokens, call.media_tokens) == (300, media)


def test_calls_are_read_whatever_they_lack() -> None:
    answer = saying({"functionCall": {"name": "f", "args": None}}, {"functionCall": 1}, {"functionCall": {"id": "2"}})
    assert answer.calls == (
        ToolCall(name="f", arguments={}),
        ToolCall(name="", arguments={}),
        ToolCall(id="2", name="", arguments={}),
    )


def test_every_part_goes_back_as_it_came() -> None:
    parts = [{"text": "é", "thoughtSignature": "/+8="}, {"functionCall": {"name": "f"}}, {"ofNextYear": [1]}]
    assert json.loads(saying(*parts).verbatim) == {"role": "model", "parts": parts}


def test_a_stream_that_ends_without_saying_why_broke_off() -> None:
    with pytest.raises(ModelUnavailable, match="broke off"):
        join_events([saying({"text": "half"})])
    assert join_events([saying({"text": "wh"}), saying({"text": "ole"}, finishReason="STOP")]).text == "whole"
    assert join_events([]) == GeminiAnswer(parts=[])


def test_files_are_read_in_their_order_and_what_is_none_is_left_out() -> None:
    answer = saying(
        {"text": "Here."},
        {"inlineData": {"mimeType": "image/png", "data": "aGk="}},
        {"inlineData": {"mimeType": "image/png", "data": "aGk="}, "thought": True},
        {"inlineData": {"mimeType": "image/png", "data": "no base64!"}},
        {"inlineData": {"data": ""}},
        {"inlineData": 7},
        {"inlineData": {"data": "eW8="}},
    )
    assert answer.files == (
        Attachment(mime_type="image/png", content=b"hi"),
        Attachment(mime_type="", content=b"yo"),
    )
    assert answer.text == "Here."


def test_sound_and_pictures_are_counted_for_themselves() -> None:
    usage = {
        "promptTokensDetails": [{"modality": "AUDIO", "tokenCount": 30}, {"modality": "TEXT", "tokenCount": 9}],
        "candidatesTokensDetails": [{"modality": "IMAGE", "tokenCount": 1120}, {"modality": "IMAGE"}, "x", None],
    }
    call = parse_answer({"usageMetadata": usage}).call("asked", 1)
    assert (call.sound_tokens, call.picture_tokens) == (30, 1120)
    odd = parse_answer({"usageMetadata": {"promptTokensDetails": {"modality": "AUDIO"}}}).call("asked", 1)
    assert (odd.sound_tokens, odd.picture_tokens) == (0, 0)


def asking(*types: str, searches: bool = False) -> Prompt:
    """Make a prompt with files of these types."""
    files = tuple(Attachment(mime_type=one, content=b"x") for one in types)
    return Prompt(system="", turns=(PromptTurn(role=TurnRole.USER, attached=files),), searches=searches)


@pytest.mark.parametrize(
    ("sent", "details", "heard"),
    [
        (("audio/ogg",), None, 100),
        (("audio/ogg",), [{"modality": "AUDIO", "tokenCount": 60}, {"modality": "TEXT", "tokenCount": 40}], 60),
        (("audio/ogg",), [{"modality": "TEXT", "tokenCount": 40}], 60),
        (("audio/ogg",), [{"modality": "AUDIO", "tokenCount": "60"}], 100),
        (("audio/ogg", "image/png"), [{"modality": "IMAGE", "tokenCount": 1_000}], 0),
        (("video/mp4",), {"modality": "AUDIO"}, 100),
        (("image/png",), None, 0),
        ((), None, 0),
    ],
)
def test_where_sound_was_sent_what_is_not_told_to_be_anything_else_is_sound(
    sent: tuple[str, ...], details: object, heard: int
) -> None:
    usage = {"promptTokenCount": 100, "promptTokensDetails": details}
    assert parse_answer({"usageMetadata": usage}).call("asked", 1, asking(*sent)).sound_tokens == heard


@pytest.mark.parametrize(
    ("grounding", "tools", "is_counted"),
    [
        (None, 0, True),
        (None, 50, False),
        ({"webSearchQueries": ["tea"]}, 50, True),
        ({"webSearchQueries": ["tea"], "groundingChunks": [{}]}, 0, True),
        ({"webSearchQueries": [], "groundingChunks": [{}]}, 0, False),
        ({"webSearchQueries": "tea"}, 0, False),
        ({"webSearchQueries": {"0": "tea"}}, 0, False),
        ({"webSearchQueries": None, "groundingChunks": [{}]}, 0, False),
        ({"webSearchQueries": []}, 0, True),
    ],
)
def test_a_search_that_is_not_told_counts_as_all_that_was_reserved(
    grounding: object, tools: int, is_counted: bool
) -> None:
    usage = {"promptTokenCount": 100, "candidatesTokenCount": 5, "toolUsePromptTokenCount": tools}
    body = {"candidates": [{"groundingMetadata": grounding}], "usageMetadata": usage}
    assert parse_answer(body).call("asked", 1, asking(searches=True)).is_uncounted is not is_counted


@pytest.mark.parametrize(
    ("later", "is_counted"),
    [
        ([], True),
        ([{}], True),
        ([{"usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 90}}], True),
        ([{"candidates": [{"content": {"parts": [{"text": " more"}]}}]}], False),
        ([{"candidates": [{"finishReason": "STOP"}]}], False),
        ([{"candidates": [{"finishReason": "STOP"}], "usageMetadata": "none"}], False),
    ],
)
def test_counts_of_a_stream_are_those_of_its_end(later: list[object], is_counted: bool) -> None:
    first = {
        "candidates": [{"content": {"parts": [{"text": "some"}]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 1},
    }
    assert join_events([parse_answer(one) for one in (first, *later)]).call("asked", 1).is_uncounted is not is_counted


@pytest.mark.parametrize(("output", "is_counted"), [(3, False), (399, False), (2_300, True)])
def test_counts_without_the_pictures_that_it_drew_are_none(output: int, is_counted: bool) -> None:
    drawn = {"inlineData": {"mimeType": "image/png", "data": "aGk="}}
    usage = {"promptTokenCount": 9, "candidatesTokenCount": output}
    body = {"candidates": [{"content": {"parts": [{"text": "Here"}, drawn, drawn]}}], "usageMetadata": usage}
    assert parse_answer(body).call("asked", 1).is_uncounted is not is_counted


COUNTED = {"promptTokenCount": 100, "candidatesTokenCount": 5, "thoughtsTokenCount": 2}


@pytest.mark.parametrize(
    ("parts", "usage", "is_counted"),
    [
        ([{"text": "hi"}], COUNTED, True),
        ([{"text": "hi"}], {**COUNTED, "totalTokenCount": 107}, True),
        ([{"text": "hi"}], {**COUNTED, "totalTokenCount": 7}, True),
        ([{"text": ""}], {"promptTokenCount": 100}, True),
        ([], {"promptTokenCount": 100, "totalTokenCount": 100}, True),
        ([{"text": "hi"}], {"promptTokenCount": 100}, False),
        ([{"text": "hi"}], {"promptTokenCount": 100, "candidatesTokenCount": 0}, False),
        ([{"text": "hi"}], {"promptTokenCount": 100, "responseTokenCount": 5}, False),
        ([{"text": "hm", "thought": True}], {"promptTokenCount": 100}, False),
        ([{"functionCall": {"name": "f"}}], {"promptTokenCount": 100}, False),
        ([{"inlineData": {"data": "aGk="}}], {"promptTokenCount": 100}, False),
        ([{"text": "hi"}], {**COUNTED, "totalTokenCount": 9_000}, False),
        ([], {"promptTokenCount": 100, "totalTokenCount": 9_000}, False),
        ([{"text": "hi"}], {**COUNTED, "totalTokenCount": "107"}, False),
        ([{"text": "hi"}], {**COUNTED, "totalTokenCount": -1}, False),
    ],
)
def test_counts_that_leave_something_out_are_none(
    parts: list[object], usage: dict[str, object], is_counted: bool
) -> None:
    answer = parse_answer({"candidates": [{"content": {"parts": parts}}], "usageMetadata": usage})
    assert answer.call("asked", 1).is_uncounted is not is_counted


@pytest.mark.parametrize(
    "details", [None, [], "IMAGE", [{"modality": "IMAGE", "tokenCount": "1120"}], [{"tokenCount": 9}]]
)
def test_where_it_is_not_told_what_pictures_took_all_of_it_is_pictures(details: object) -> None:
    drawn = {"inlineData": {"mimeType": "image/png", "data": "aGk="}}
    usage = {"promptTokenCount": 9, "candidatesTokenCount": 1_125, "candidatesTokensDetails": details}
    body = {"candidates": [{"content": {"parts": [drawn]}}], "usageMetadata": usage}
    assert parse_answer(body).call("asked", 1).picture_tokens == 1_125
