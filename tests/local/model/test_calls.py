import json

import pytest

from local.model.calls import ApiError, Call, Fault, error_answer, event, json_answer, named_in

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
VERTEX = "/v1beta1/projects/p/locations/global/publishers/google/models"


def call(
    body: bytes = b"{}", headers: dict[str, str] | None = None, path: str = "/v1/models/m:generateContent"
) -> Call:
    return Call(
        http_method="POST",
        path=path,
        query="",
        headers=headers or {},
        body=body,
        model="m",
        method="generateContent",
    )


@pytest.mark.parametrize(
    ("http_method", "path", "names"),
    [
        ("POST", "/v1/models/gemini-3.8-flash:generateContent", ("gemini-3.8-flash", "generateContent")),
        ("POST", "/v1beta/models/m:streamGenerateContent", ("m", "streamGenerateContent")),
        ("GET", "/v1alpha/models/m", ("m", "get")),
        ("GET", "/v1beta2/models", ("", "list")),
        ("POST", "/v1/models/m", ("m", "")),
        ("GET", "/v1/models/m:generateContent", ("", "")),
        ("POST", f"{VERTEX}/m:streamGenerateContent", ("m", "streamGenerateContent")),
        ("POST", f"{VERTEX}/m", ("", "")),
        ("POST", "/v1/files", ("", "")),
        ("GET", "/", ("", "")),
    ],
)
def test_a_path_names_a_model_and_a_method(http_method: str, path: str, names: tuple[str, str]) -> None:
    assert named_in(http_method, path) == names


@pytest.mark.parametrize(
    ("header", "trace"), [(f"00-{TRACE}-00f067aa0ba902b7-01", TRACE), (f"00-{TRACE}", ""), ("nonsense", "")]
)
def test_the_trace_is_that_of_the_traceparent(header: str, trace: str) -> None:
    assert call(headers={"traceparent": header}).trace == trace
    assert call().trace == ""


def test_the_limit_is_what_the_client_says() -> None:
    assert call(headers={"x-server-timeout": "30"}).limit_s == 30.0
    assert call(headers={"x-server-timeout": "soon"}).limit_s is None
    assert call().limit_s is None


def test_vertex_ai_wants_a_token_and_no_key() -> None:
    path = f"{VERTEX}/m:generateContent"
    assert call(path=path).lacks_token
    assert call(path=path, headers={"x-goog-api-key": "k", "authorization": "Bearer "}).lacks_token
    assert not call(path=path, headers={"authorization": "Bearer token"}).lacks_token
    assert not call().lacks_token


@pytest.mark.parametrize("body", [b"{", b"[]", b'"x"', b"\xff"])
def test_a_body_that_is_no_object_is_an_invalid_argument(body: bytes) -> None:
    with pytest.raises(ApiError) as raised:
        call(body).json()
    assert raised.value.fault is Fault.INVALID_ARGUMENT
    assert call(b"").json() == {}


def test_answers_are_json_as_it_is_read() -> None:
    assert json.loads(json_answer({"a": "ї"}).body) == {"a": "ї"}
    wrong = error_answer(ApiError(Fault.UNAVAILABLE, "Later."))
    assert wrong.status == 503
    assert json.loads(wrong.body) == {"error": {"code": 503, "message": "Later.", "status": "UNAVAILABLE"}}
    assert event({"a": 1}) == b'data: {"a": 1}\r\n\r\n'
