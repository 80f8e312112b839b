from collections.abc import Callable

import pytest

from local.gemini.calls import ApiError, Fault, Json
from local.gemini.chat import ANSWER_TOKENS, chat_of, messages_of, whole_chat_of
from local.gemini.request import GenerateRequest

HI: Json = {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}


def request(**fields: object) -> GenerateRequest:
    return GenerateRequest.model_validate({**HI, **fields})


def test_turns_keep_their_order_and_neighbours_become_one() -> None:
    turns = [
        {"role": "user", "parts": [{"text": "a"}, {"text": "b"}]},
        {"parts": [{"text": "c"}]},
        {"role": "model", "parts": [{"text": "thinking", "thought": True}, {"functionCall": {"name": "f"}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"r": 1}}}]},
    ]
    assert messages_of(request(contents=turns, systemInstruction={"parts": [{"text": "s"}]})) == [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "a\nb\nc"},
        {"role": "assistant", "content": '{"functionCall": {"name": "f"}}'},
        {"role": "user", "content": '{"functionResponse": {"name": "f", "response": {"r": 1}}}'},
    ]


def test_settings_are_handed_on_and_missing_ones_chosen() -> None:
    chat = chat_of(request())
    assert (chat["temperature"], chat["top_p"], chat["max_tokens"]) == (0.0, 0.9, ANSWER_TOKENS)
    assert whole_chat_of(request())["temperature"] == 0.2
    assert chat_of(request(generationConfig={"maxOutputTokens": 2_048}))["max_tokens"] == ANSWER_TOKENS
    config = {"temperature": 0, "topK": 4, "seed": 1, "stopSequences": ["."], "maxOutputTokens": 9}
    chat = chat_of(request(generationConfig=config))
    assert (chat["temperature"], chat["top_k"], chat["seed"], chat["stop"], chat["max_tokens"]) == (0, 4, 1, ["."], 9)


def test_a_schema_of_either_kind_holds_the_answer() -> None:
    own = {"type": "OBJECT", "properties": {"a": {"type": "INTEGER"}}, "required": ["a"]}
    number = {"a": {"type": "integer"}}
    plain = {"type": "object", "properties": number, "required": ["a"], "additionalProperties": False}
    for name, schema in (("responseSchema", own), ("responseJsonSchema", plain)):
        chat = chat_of(request(generationConfig={name: schema}))
        assert chat["response_format"]["json_schema"]["schema"] == plain
    chat = chat_of(request(generationConfig={"responseMimeType": "application/json"}))
    assert chat["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert "response_format" not in chat_of(request())


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"contents": []}, "no turn of a user"),
        ({"contents": [{"parts": [{"inlineData": {"mimeType": "image/png", "data": ""}}]}]}, "reads text only"),
        ({"contents": [{"parts": [{"fileData": {"fileUri": "gs://x"}}]}]}, "reads text only"),
        ({"contents": [{"parts": [{"newThing": 1}]}]}, "does not know a part with newThing"),
        ({"cachedContent": "cachedContents/1"}, "no cached contents"),
        ({"generationConfig": {"candidateCount": 2}}, "one candidate"),
        ({"generationConfig": {"responseModalities": ["TEXT", "IMAGE"]}}, "writes text only"),
        ({"generationConfig": {"responseSchema": {"properties": ["a"]}}}, "not a schema"),
        ({"generationConfig": {"responseJsonSchema": {"type": "array", "maxItems": "many"}}}, "not a schema"),
        ({"toolConfig": {"functionCallingConfig": {"mode": "ANY"}}}, "calls no functions"),
    ],
)
def test_what_is_not_done_is_said(fields: Json, why: str) -> None:
    with pytest.raises(ApiError, match=why):
        chat_of(request(**fields))


@pytest.mark.parametrize("read_as", [chat_of, whole_chat_of])
@pytest.mark.parametrize("name", ["inlineData", "inline_data"])
def test_no_local_model_pretends_to_see(read_as: Callable[[GenerateRequest], Json], name: str) -> None:
    parts = [{"text": "what is it?"}, {name: {"mimeType": "image/jpeg", "data": "AAAA"}}]
    with pytest.raises(ApiError, match="cannot see images, sound or files") as refusal:
        read_as(request(contents=[{"role": "user", "parts": parts}]))
    assert refusal.value.fault is Fault.INVALID_ARGUMENT
