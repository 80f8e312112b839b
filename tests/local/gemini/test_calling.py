from typing import Any

import pytest

from local.gemini.calling import CallsWritten, tools_of
from local.gemini.chat import whole_chat_of
from local.gemini.request import GenerateRequest

SUM = {"name": "calculate", "description": "Works out a sum.", "parametersJsonSchema": {"type": "object"}}


def request(**fields: Any) -> GenerateRequest:
    return GenerateRequest.model_validate({"contents": [{"role": "user", "parts": [{"text": "2 + 2?"}]}], **fields})


@pytest.mark.parametrize(
    ("declared", "schema"),
    [
        (SUM, {"type": "object"}),
        (
            {"name": "calculate", "parameters": {"type": "OBJECT", "properties": {"sum": {"type": "STRING"}}}},
            {"type": "object", "properties": {"sum": {"type": "string"}}, "additionalProperties": False},
        ),
    ],
)
def test_a_declaration_becomes_a_tool(declared: dict[str, Any], schema: dict[str, Any]) -> None:
    [tool] = tools_of(request(tools=[{"functionDeclarations": [declared]}]))
    assert (tool["type"], tool["function"]["name"]) == ("function", "calculate")
    assert tool["function"]["parameters"] == schema


def test_where_calls_are_forbidden_there_are_no_tools() -> None:
    forbidden = {"functionCallingConfig": {"mode": "NONE"}}
    assert tools_of(request(tools=[{"functionDeclarations": [SUM]}], toolConfig=forbidden)) == []


def test_calls_and_their_answers_are_turns_of_their_own() -> None:
    contents = [
        {"role": "user", "parts": [{"text": "2 + 2, and 3 + 3?"}]},
        {
            "role": "model",
            "parts": [
                {"functionCall": {"name": "calculate", "args": {"sum": "2 + 2"}}, "thoughtSignature": "c2ln"},
                {"functionCall": {"name": "calculate", "args": {"sum": "3 + 3"}}},
            ],
        },
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"name": "calculate", "response": {"result": "4"}}},
                {"functionResponse": {"name": "calculate", "response": {"result": "6"}}},
            ],
        },
    ]
    asked, called, first, second = whole_chat_of(request(contents=contents))["messages"]
    assert asked == {"role": "user", "content": "2 + 2, and 3 + 3?"}
    ids = [call["id"] for call in called["tool_calls"]]
    assert [call["function"]["arguments"] for call in called["tool_calls"]] == ['{"sum": "2 + 2"}', '{"sum": "3 + 3"}']
    assert [first["tool_call_id"], second["tool_call_id"]] == ids
    assert [first["content"], second["content"]] == ['{"result": "4"}', '{"result": "6"}']


def test_a_call_that_is_written_in_pieces_is_put_together() -> None:
    calls = CallsWritten()
    for piece in (
        {"index": 0, "function": {"name": "calculate", "arguments": ""}},
        {"index": 0, "function": {"arguments": '{"sum": '}},
        {"index": 0, "function": {"arguments": '"2 + 2"}'}},
        {"index": 1, "function": {"name": "weather", "arguments": "nonsense"}},
    ):
        calls.take({"tool_calls": [piece]})
    assert calls.parts() == [
        {"functionCall": {"name": "calculate", "args": {"sum": "2 + 2"}}},
        {"functionCall": {"name": "weather", "args": {}}},
    ]
