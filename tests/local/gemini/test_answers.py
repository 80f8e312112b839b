from google.genai import types

from local.gemini.answers import candidate, generation, model_entry, text_part, texts_in, usage_of


def test_a_generation_is_one_that_the_official_client_knows() -> None:
    parts = [text_part("a"), text_part("b", is_thought=True)]
    body = generation([candidate(parts, "STOP")], "m", "1", usage_of(3, 4, 2))
    read = types.GenerateContentResponse.model_validate(body)
    assert (read.text, read.model_version, read.response_id) == ("a", "m", "1")
    assert read.usage_metadata
    assert read.usage_metadata.total_token_count == 7
    assert read.usage_metadata.cached_content_token_count == 2


def test_an_answer_can_be_empty() -> None:
    assert candidate([]) == {"content": {"role": "model"}, "index": 0}
    assert generation([], "m", "1") == {"modelVersion": "m", "responseId": "1"}


def test_a_model_is_described() -> None:
    entry = model_entry("m", "M", 10, 5)
    assert (entry["name"], entry["displayName"]) == ("models/m", "M")
    assert (entry["inputTokenLimit"], entry["outputTokenLimit"]) == (10, 5)


def test_texts_are_found_in_their_order() -> None:
    body = {"systemInstruction": {"parts": [{"text": "a"}]}, "contents": [{"parts": [{"text": "b"}, {"n": 1}]}]}
    assert texts_in(body) == ["a", "b"]
