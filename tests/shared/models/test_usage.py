"""What a call of the model took."""

from datetime import UTC, datetime

from shared.models.usage import ModelCall, cost_of


def test_a_call_comes_back_from_its_document() -> None:
    call = ModelCall(
        model="gemini", prompt_tokens=10, cached_tokens=4, thought_tokens=1, output_tokens=3, ms=70, problem="p"
    )
    assert ModelCall.model_validate(call.model_dump()) == call


def test_a_search_costs_besides_its_tokens() -> None:
    call = ModelCall(model="gemini-3.8-flash", searches=2)
    assert cost_of([call], datetime(2026, 11, 23, tzinfo=UTC)) == 0.028
