import httpx
import pytest

from local.model.model_list import is_refused, models_in, wants_key


def answer(body: object, status: int = 200) -> httpx.Response:
    return httpx.Response(status, json=body)


def test_models_are_read_and_ollama_without_any_says_null() -> None:
    assert models_in(answer({"object": "list", "data": [{"id": "qwen3:8b"}, {"id": "x"}]})) == ["qwen3:8b", "x"]
    assert models_in(answer({"object": "list", "data": None})) == []


@pytest.mark.parametrize("body", [[], {}, {"data": [1]}, {"data": [{}]}, {"data": 3}])
def test_what_is_no_list_is_said(body: object) -> None:
    with pytest.raises(ValueError, match="the response is not a list of models"):
        models_in(answer(body))


def test_a_refusal_is_known_by_its_form() -> None:
    assert is_refused(answer({"error": {"code": 401, "message": "Invalid API Key"}}, 401))
    assert not is_refused(answer({"error": {"code": 500}}, 500))
    assert not is_refused(answer({"error": "Forbidden"}, 403))
    assert not is_refused(answer([], 403))
    assert not is_refused(httpx.Response(401, text="<h1>Log in</h1>"))
    assert "set LULL_LOCAL_MODEL_KEY" in wants_key("")
    assert "does not accept the key" in wants_key("x")
