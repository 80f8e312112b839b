import json

import pytest

from local.gemini.calls import ApiError, Call, Json
from local.gemini.request import count_request, generate_request


def call(body: Json) -> Call:
    raw = json.dumps(body).encode()
    return Call(http_method="POST", path="/", query="", headers={}, body=raw, model="m", method="generateContent")


@pytest.mark.parametrize(
    "body",
    [
        {
            "systemInstruction": {"parts": [{"text": "s"}]},
            "generationConfig": {"maxOutputTokens": 3},
        },
        {"system_instruction": {"parts": [{"text": "s"}]}, "generation_config": {"max_output_tokens": 3}},
    ],
)
def test_both_spellings_are_read(body: Json) -> None:
    request = generate_request(call(body))
    assert request.system_instruction
    assert request.system_instruction.parts[0].text == "s"
    assert request.generation_config.max_output_tokens == 3


def test_what_is_unknown_is_passed_over_but_kept_in_parts() -> None:
    request = generate_request(call({"safetySettings": [], "contents": [{"parts": [{"newThing": 1}]}]}))
    assert request.contents[0].parts[0].model_extra == {"newThing": 1}


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"contents": "hi"}, "contents"),
        ({"contents": [{"parts": [{"text": 5}]}]}, "contents.0.parts.0.text"),
        ({"generationConfig": {"maxOutputTokens": 0}}, "generationConfig.maxOutputTokens"),
    ],
)
def test_a_wrong_field_is_named(body: Json, where: str) -> None:
    with pytest.raises(ApiError, match=f"Invalid value at '{where}'"):
        generate_request(call(body))


@pytest.mark.parametrize("name", ["google_search", "googleSearch"])
def test_nothing_on_this_machine_searches_the_web(name: str) -> None:
    with pytest.raises(ApiError, match="Search as tool is not enabled"):
        generate_request(call({"tools": [{name: {}}]}))


def test_tokens_are_counted_of_contents_or_of_a_whole_request() -> None:
    contents = {"contents": [{"parts": [{"text": "hi"}]}]}
    assert count_request(call(contents)).contents == count_request(call({"generateContentRequest": contents})).contents
