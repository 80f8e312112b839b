import grpc
import pytest

from local.cloud_tasks.outcome import no_response, response


@pytest.mark.parametrize("status", [200, 201, 204, 299])
def test_any_2xx_is_success(status: int) -> None:
    assert response(status).is_success


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (302, "UNKNOWN(2): HTTP status code 302"),
        (404, "NOT_FOUND(5): HTTP status code 404"),
        (429, "RESOURCE_EXHAUSTED(8): HTTP status code 429"),
        (500, "INTERNAL(13): HTTP status code 500"),
        (502, "INTERNAL(13): HTTP status code 502"),
        (503, "UNAVAILABLE(14): HTTP status code 503"),
    ],
)
def test_anything_else_is_failure(status: int, message: str) -> None:
    outcome = response(status)
    assert (outcome.is_success, outcome.message, outcome.seen_as) == (False, message, status)


def test_silence_is_seen_as_504_and_a_refused_connection_as_503() -> None:
    silence = no_response(grpc.StatusCode.DEADLINE_EXCEEDED, "no response within 15 s")
    refused = no_response(grpc.StatusCode.UNAVAILABLE, "no response: ConnectError")
    assert (silence.seen_as, silence.http_status, silence.code) == (504, None, 4)
    assert (refused.seen_as, refused.is_success) == (503, False)
