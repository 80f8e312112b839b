"""Function calls of the scripted model, through the official client; it refuses the same calls as Gemini."""

from typing import Any

import pytest
from google.genai import Client, errors, types

from local.gemini.functions import call_parts, check_functions
from local.model.calls import ApiError
from tests.local.gemini.conftest import ConnectTo, Served

MODEL = "gemini-3.8-flash"
ADD = {"name": "add", "args": {"a": 1, "b": [2.5, {"c": "é"}]}, "id": "1"}
CONFIG = types.GenerateContentConfig(
    tools=[types.Tool(function_declarations=[types.FunctionDeclaration(name="add", parameters_json_schema={})])],
    automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
)


def ask(client: Client, *contents: types.Content, model: str = MODEL, **more: Any) -> types.GenerateContentResponse:
    config = CONFIG.model_copy(update=more)
    first = types.Content(role="user", parts=[types.Part(text="hi")])
    return client.models.generate_content(model=model, contents=[first, *contents], config=config)


def answers(*parts: tuple[str, str | None]) -> types.Content:
    made = [types.FunctionResponse(name=name, id=call_id, response={"output": 3}) for name, call_id in parts]
    return types.Content(role="user", parts=[types.Part(function_response=one) for one in made])


def test_a_reply_that_comes_back_as_it_was_is_taken(scripted: Served, connect: ConnectTo) -> None:
    client = connect(scripted)
    scripted.script({"function_calls": [ADD, {"name": "add", "args": {}}]}, {"text": "3"})
    (candidate,) = ask(client).candidates or []
    called = candidate.content
    assert called
    assert [bool(part.thought_signature) for part in called.parts or []] == [True, False]
    assert ask(client, called, answers(("add", "1"), ("add", None))).text == "3"


@pytest.mark.parametrize(
    ("change", "answered", "why"),
    [
        ({"thought_signature": None}, [("add", "1")], "missing a thought_signature"),
        ({"thought_signature": b"forged"}, [("add", "1")], "not valid"),
        ({"function_call": types.FunctionCall(name="add", args={})}, [("add", None)], "not valid"),
        ({}, [], "is equal to the number of function call parts"),
        ({}, [("add", "1"), ("add", "2")], "is equal to the number of function call parts"),
        ({}, [("subtract", "1")], "the name and the id"),
        ({}, [("add", "2")], "the name and the id"),
    ],
)
def test_one_that_was_changed_is_refused(
    scripted: Served, connect: ConnectTo, change: dict[str, Any], answered: list[tuple[str, str]], why: str
) -> None:
    client = connect(scripted)
    scripted.script({"function_calls": [ADD]}, {"text": "never"})
    (candidate,) = ask(client).candidates or []
    assert candidate.content
    (part,) = candidate.content.parts or []
    called = types.Content(role="model", parts=[part.model_copy(update=change)])
    with pytest.raises(errors.ClientError, match=why):
        ask(client, called, *([answers(*answered)] if answered else []))


def test_an_answer_to_no_call_is_refused(scripted: Served, connect: ConnectTo) -> None:
    scripted.script({"text": "never"})
    with pytest.raises(errors.ClientError, match="immediately after a function call turn"):
        ask(connect(scripted), answers(("add", "1")))


@pytest.mark.parametrize(("model", "is_taken"), [(MODEL, True), ("gemini-2.5-flash", False)])
def test_only_newer_models_take_a_schema_beside_functions(
    scripted: Served, connect: ConnectTo, model: str, is_taken: bool
) -> None:
    client = connect(scripted)
    scripted.script({"text": "{}", "times": 2})
    schema = {"response_mime_type": "application/json", "response_json_schema": {"type": "object"}}
    assert ask(client, model=model).text == "{}"
    if is_taken:
        assert ask(client, model=model, **schema).text == "{}"
        return
    with pytest.raises(errors.ClientError, match="'application/json' is unsupported"):
        ask(client, model=model, **schema)


@pytest.mark.parametrize(
    "body", [{}, {"contents": None}, {"contents": ["hi"]}, {"contents": [{"role": "user"}]}, {"generationConfig": None}]
)
def test_what_speaks_of_no_functions_is_not_looked_at(body: dict[str, Any]) -> None:
    check_functions(body, MODEL)


def test_either_alphabet_of_base64_is_known() -> None:
    (part,) = call_parts([ADD])
    plain = part["thoughtSignature"].replace("-", "+").replace("_", "/")
    response = {"functionResponse": {"name": "add", "id": "1"}}
    check_functions({"contents": [{"parts": [{**part, "thoughtSignature": plain}]}, {"parts": [response]}]}, MODEL)
    with pytest.raises(ApiError, match="not valid"):
        check_functions({"contents": [{"parts": [{**part, "thoughtSignature": "é"}]}, {"parts": [response]}]}, MODEL)
