"""What a call of the model took."""

from shared.models.usage import ModelCall


def test_a_call_comes_back_from_its_document() -> None:
    call = ModelCall(
        model="gemini", prompt_tokens=10, cached_tokens=4, thought_tokens=1, output_tokens=3, ms=70, problem="p"
    )
    assert ModelCall.model_validate(call.model_dump()) == call
