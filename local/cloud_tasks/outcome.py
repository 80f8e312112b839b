"""The result of one attempt at a task."""

from dataclasses import dataclass

from grpc import StatusCode

_CODES: dict[int, StatusCode] = {
    400: StatusCode.INVALID_ARGUMENT,
    401: StatusCode.UNAUTHENTICATED,
    403: StatusCode.PERMISSION_DENIED,
    404: StatusCode.NOT_FOUND,
    409: StatusCode.ALREADY_EXISTS,
    429: StatusCode.RESOURCE_EXHAUSTED,
    499: StatusCode.CANCELLED,
    501: StatusCode.UNIMPLEMENTED,
    503: StatusCode.UNAVAILABLE,
    504: StatusCode.DEADLINE_EXCEEDED,
}
"""The HTTP mappings that google.rpc.Code documents; 502, as seen in the service's logs, is INTERNAL like other 5xx."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptOutcome:
    """The result of one attempt.

    `http_status` is None if no response came. `code` is the number of a google.rpc.Code. `seen_as` is the status that
    the next attempt's header X-CloudTasks-TaskPreviousResponse gives. `retry_after` is in seconds.
    """

    code: int
    message: str
    seen_as: int
    http_status: int | None = None
    retry_after: float | None = None

    @property
    def is_success(self) -> bool:
        """Return whether the handler accepted the task: any 2xx."""
        return self.http_status is not None and 200 <= self.http_status <= 299


def response(status: int, retry_after: float | None = None) -> AttemptOutcome:
    """Return the result of an attempt that the handler answered."""
    code = _code(status)
    text = _in_words(code, f"HTTP status code {status}")
    return AttemptOutcome(code=_number(code), message=text, seen_as=status, http_status=status, retry_after=retry_after)


def no_response(code: StatusCode, why: str) -> AttemptOutcome:
    """Return the result of an attempt without a response.

    The next attempt reports the previous response as 504 if the deadline had passed, and as 503 otherwise. The 504 was
    recorded from the real service; the 503 is assumed by analogy.
    """
    seen_as = 504 if code is StatusCode.DEADLINE_EXCEEDED else 503
    return AttemptOutcome(code=_number(code), message=_in_words(code, why), seen_as=seen_as)


def _code(status: int) -> StatusCode:
    if 200 <= status <= 299:
        return StatusCode.OK
    return _CODES.get(status, StatusCode.INTERNAL if status >= 500 else StatusCode.UNKNOWN)


def _number(code: StatusCode) -> int:
    return int(code.value[0])


def _in_words(code: StatusCode, what: str) -> str:
    return f"{code.name}({_number(code)}): {what}"
