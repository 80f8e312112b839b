"""Errors of servers that speak OpenAI's protocol: their cause, and whether to try again.

Servers' own texts may quote the prompt. They are examined here and never repeated.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import httpx2
import openai

from shared.base.errors import ModelRefused, ModelTrouble, ModelUnavailable
from shared.llm.openai.features import Feature, feature_refusal
from shared.llm.openai.json_values import as_object, as_text
from shared.llm.openai.waits import requested_wait

#: statuses below 500 after which the same request may work later, and the status above after which it never will
_TEMPORARY: Final = frozenset({408, 409, 425, 429, 498, 499})
_NOT_IMPLEMENTED: Final = 501
#: statuses of a gateway that gave up waiting for the model, while the model may have gone on
_OUTCOME_UNKNOWN: Final = frozenset({408, 499, 504, 522, 524})
_OVERLOADED: Final = frozenset({498, 503, 529})
_WRONG_SETUP: Final = frozenset({401, 403, 404, 405})
#: texts about money, of statuses that have other causes too
_MONEY: Final = re.compile(
    r"insufficient[_ ](?:quota|balance|credits?|funds)|billing_(?:not_active|hard_limit)|credit balance"
    r"|more credits|out of credits|spend(?:ing)?[_ ]limit|payment required|arrears",
    re.IGNORECASE,
)
_MAY_BE_MONEY: Final = frozenset({400, 403, 429})
_SAFETY: Final = re.compile(
    r"content[_ ]?(?:filter|policy)|content management policy|moderation|safety system|flagged|data_?inspection"
    r"|responsible ?ai",
    re.IGNORECASE,
)
_CAPACITY: Final = re.compile(r"capacity|overload", re.IGNORECASE)
_RATE: Final = re.compile(r"rate.?limit|quota|too many requests", re.IGNORECASE)
_SETUP: Final = re.compile(
    r"api.?key|model_not_found|invalid_model|model.{0,100}(?:not found|does not exist|no access)", re.IGNORECASE
)
#: replies that the model wrote badly, which Groq answers with an error
_BAD_CALL: Final = re.compile(r"tool_use_failed", re.IGNORECASE)
_BAD_JSON: Final = re.compile(r"json_validate_failed", re.IGNORECASE)
#: the most characters of an error that are examined
_EXAMINED: Final = 20_000


class BadReplyReported(ModelRefused):
    """The error if the server refused the model's own output: an invalid tool call (`is_call`), or a reply that is not
    the requested JSON.
    """

    def __init__(self, why: str, *, is_call: bool) -> None:
        super().__init__(why)
        self.is_call = is_call


@dataclass(frozen=True)
class ServerError:
    """An error response: status, body as text (cut if it is long), and headers with lower-case names."""

    status: int
    text: str
    headers: Mapping[str, str]


def parse_error(status: int, body: object, headers: Mapping[str, str]) -> ServerError:
    """Parse an error response, or an error in the middle of a stream. `body` may be any JSON value.

    If the response has a status of success, but contains an error, the status inside the error counts.
    """
    said = as_object(body[0] if isinstance(body, list) and body else body)
    error = as_object(said.get("error")) or said
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False, default=str)
    text = text[:_EXAMINED]
    own = as_object(as_object(error.get("metadata")).get("headers"))
    sent = {name.lower(): as_text(value) for name, value in (*own.items(), *headers.items())}
    if status < 300:
        status = _own_status(error) or _status_of_text(text)
    return ServerError(status, text, sent)


def _own_status(error: Mapping[str, object]) -> int:
    """Return the status inside an error; 0 if there is none."""
    codes = (error.get(name) for name in ("code", "status_code", "status"))
    return next((int(str(code)) for code in codes if re.fullmatch(r"[45]\d\d", str(code), re.ASCII)), 0)


def _status_of_text(text: str) -> int:
    if _RATE.search(text):
        return 429
    return 503 if _CAPACITY.search(text) else 500


def classify_error(error: ServerError) -> ModelTrouble:
    """Return the cause of an error, by its status and, where a status has several causes, by the text."""
    if error.status == 402 or (error.status in _MAY_BE_MONEY and _MONEY.search(error.text)):
        return ModelTrouble.MONEY
    if error.status == 429:
        return ModelTrouble.CAPACITY if _CAPACITY.search(error.text) else ModelTrouble.QUOTA
    if error.status in _OVERLOADED:
        return ModelTrouble.CAPACITY
    if error.status >= 500 and error.status != _NOT_IMPLEMENTED:
        return ModelTrouble.UNKNOWN
    if error.status != 401 and _SAFETY.search(error.text):
        return ModelTrouble.BLOCKED
    is_setup = error.status in _WRONG_SETUP or 300 <= error.status < 400
    return ModelTrouble.MISCONFIGURED if is_setup or _SETUP.search(error.text) else ModelTrouble.UNKNOWN


def translate_error(
    provider: str, error: ServerError, used: frozenset[Feature] = frozenset()
) -> ModelUnavailable | ModelRefused:
    """Return lull's error for an error response. `used` are the features of the request that can be left out."""
    what, trouble = f"{provider} answered {error.status}", classify_error(error)
    if _BAD_CALL.search(error.text) or _BAD_JSON.search(error.text):
        return BadReplyReported(f"{what}: the model's reply was unusable", is_call=bool(_BAD_CALL.search(error.text)))
    refusal = feature_refusal(what, error.status, error.text, used)
    if trouble is not ModelTrouble.MONEY and refusal is not None:
        return refusal
    may_pass = error.status in _TEMPORARY or (error.status >= 500 and error.status != _NOT_IMPLEMENTED)
    if may_pass and trouble is not ModelTrouble.MONEY:
        unavailable = ModelUnavailable(what, trouble)
        unavailable.wait = requested_wait(error.headers, error.text, datetime.now(UTC))
        unavailable.may_be_paid = error.status in _OUTCOME_UNKNOWN
        return unavailable
    if trouble is ModelTrouble.MISCONFIGURED:
        what = f"{what}: check its address in LULL_PROVIDERS, its key in LULL_PROVIDER_KEYS, and the model's name"
    return ModelRefused(what, trouble=trouble)


def maybe_paid_error(why: str, trouble: ModelTrouble = ModelTrouble.UNKNOWN) -> ModelUnavailable:
    """Return the error for a call whose outcome is unknown and which may have to be paid for."""
    error = ModelUnavailable(why, trouble)
    error.may_be_paid = True
    return error


@contextmanager
def translate_errors(provider: str, used: frozenset[Feature] = frozenset()) -> Iterator[None]:
    """Turn errors of the official client, and errors in reading its answers, into ModelUnavailable or ModelRefused."""
    try:
        yield
    except openai.APIStatusError as cause:
        headers = {name.lower(): value for name, value in cause.response.headers.items()}
        body = _body_of(cause.response.content)
        raise translate_error(provider, parse_error(cause.status_code, body, headers), used) from None
    except openai.APIConnectionError as cause:
        below = cause.__cause__ or cause
        error = ModelUnavailable(f"{provider} did not answer ({type(below).__name__})")
        # without a connection no request was sent
        is_unasked = isinstance(below, (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout))
        error.may_be_paid = not is_unasked
        raise error from None
    except openai.APIError as cause:  # in the middle of a stream
        raise translate_error(provider, parse_error(200, cause.body, {})) from None
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as cause:
        raise maybe_paid_error(f"{provider} did not answer ({type(cause).__name__})") from None
    except (ValueError, RecursionError) as cause:  # the answer is not JSON
        raise maybe_paid_error(f"{provider}'s answer cannot be read ({type(cause).__name__})") from None


def _body_of(content: bytes) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return content[:_EXAMINED].decode("utf-8", "replace")
