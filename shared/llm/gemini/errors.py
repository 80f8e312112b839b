"""Errors of Gemini's API: their cause, and whether to try again.

The causes follow ai.google.dev/gemini-api/docs/troubleshooting. Gemini's own texts may quote the prompt. They are
examined here and never repeated.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from types import MappingProxyType
from typing import Any, Final

import httpx
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError

from shared.base.errors import ModelRefused, ModelTrouble, ModelUnavailable

#: the status codes to retry: exceeded quotas and failing servers
RETRIED: Final = [408, 429, 500, 502, 503, 504]

#: the reasons why answers are refused for safety; other reasons (a recitation, a language) have to do with the wording
_SAFETY: Final = frozenset(
    {
        "SAFETY",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT",
        "ESCALATION",
        "MODEL_ARMOR",
    }
)
#: the reason of an answer that ended because the account is restricted for misuse
_LIMITED: Final = "PUP_LIMITED_DISABLED"
#: texts about money; that of an exceeded quota also says "check your plan and billing details", and must not match
_MONEY: Final = re.compile(
    r"credits?\b|prepa(?:y|id)|spend(?:ing)? (?:cap|limit)|enable billing|billing[_ ](?:account|disabled|is|to be)",
    re.IGNORECASE,
)
_QUOTA: Final = re.compile(r"quota|rate.?limit", re.IGNORECASE)
_KEY: Final = re.compile(r"API.?key", re.IGNORECASE)
#: a function call was passed back without its signature: most models refuse the request, some end the answer with this
#: reason
_UNSIGNED: Final = re.compile(r"thought.?signature", re.IGNORECASE)
UNSIGNED: Final = "MISSING_THOUGHT_SIGNATURE"

#: the longest wait that is returned
LONGEST_WAIT: Final = timedelta(days=1)
_A_DAYS: Final = re.compile(r"per_?day", re.IGNORECASE)
_RETRY_IN: Final = re.compile(
    r"(?:retry|try again) (?:in|after) ((?:\d{1,9}(?:\.\d+)? ?(?:ms|h|m|s)[a-z]* ?)+)", re.IGNORECASE
)
_SPAN: Final = re.compile(r"(\d{1,9}(?:\.\d{1,9})?) ?(ms|h|m|s)")
_UNITS: Final = MappingProxyType({"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0})


class GeminiApiError(Exception):
    """An error response of the API."""

    def __init__(self, code: int, body: Any, retry_after: str = "") -> None:
        """`body` is the answer's JSON, of any shape; in a stream it may be a list with one element. `retry_after` is
        the header of that name.
        """
        super().__init__(code)  # the text may quote the prompt, so it is not in the exception's message
        said = body[0] if isinstance(body, list) and body else body
        error = said.get("error") if isinstance(said, dict) else None
        error = error if isinstance(error, dict) else {}
        self.code, self.body = code, body
        self.status, self.message = str(error.get("status") or ""), str(error.get("message") or "")
        self.wait = _wait_in(error, self.message, retry_after)


def _wait_in(error: dict[str, Any], message: str, retry_after: str) -> timedelta | None:
    """Return the wait that an error asks for: by its details, its header, or its text; None if it asks for none.

    For a daily quota, the wait is LONGEST_WAIT: Google asks for only some seconds even then, though such a quota is
    reset much later.
    """
    details = error.get("details")
    found = [one for one in details if isinstance(one, dict)] if isinstance(details, list) else []
    if _A_DAYS.search(json.dumps(found)):
        return LONGEST_WAIT
    told = (one.get("retryDelay") for one in found if str(one.get("@type")).endswith("google.rpc.RetryInfo"))
    in_text = _RETRY_IN.search(message)
    waits = (*map(_seconds_in, told), _seconds_after(retry_after), _seconds_in(in_text[1]) if in_text else None)
    seconds = next((one for one in waits if one is not None), None)
    return None if seconds is None else timedelta(seconds=min(seconds, LONGEST_WAIT.total_seconds()))


def _seconds_in(span: object) -> float | None:
    """Return the seconds of a duration: a text such as 0.5s or 1h2m3.4s, or an object with `seconds` and `nanos`."""
    if isinstance(span, dict):
        return _number(span.get("seconds")) + _number(span.get("nanos")) / 1e9
    parts = _SPAN.findall(span) if isinstance(span, str) else []
    return sum(float(number) * _UNITS[unit] for number, unit in parts) if parts else None


def _seconds_after(head: str) -> float | None:
    """Return the seconds of a `Retry-After` header, which is a number or a date (RFC 9110)."""
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]+)?", head.strip()):
        return float(head)
    try:
        until = parsedate_to_datetime(head)
    except ValueError:
        return None
    return max(0.0, (until.astimezone(UTC) - datetime.now(UTC)).total_seconds())


def _number(value: object) -> float:
    try:
        return max(0.0, float(str(value)))
    except ValueError:
        return 0.0


def translate_error(error: GeminiApiError) -> ModelUnavailable | ModelRefused:
    """Return lull's error for an error of the API. Google charges nothing for error responses."""
    what, trouble = f"Gemini answered {error.code} {error.status}".rstrip(), classify_error(error)
    if error.code in RETRIED and trouble is not ModelTrouble.MONEY:  # waiting does not help if money is missing
        unavailable = ModelUnavailable(what, trouble)
        unavailable.wait = error.wait
        return unavailable
    if trouble is ModelTrouble.MISCONFIGURED:
        what = f"{what}: check GEMINI_API_KEY, or with Vertex AI that the account is an aiplatform.user, and the model"
    refused = ModelRefused(what, trouble=trouble)
    refused.ended_by = UNSIGNED if error.code == 400 and _UNSIGNED.search(error.message) else ""
    return refused


def classify_error(error: GeminiApiError) -> ModelTrouble:
    """Return the cause of an error, by its status and, where a status has several causes, by the text."""
    text = json.dumps(error.body)
    is_unmet = error.code == 400 and error.status == "FAILED_PRECONDITION"
    if error.code == 402 or ((error.code in {403, 429} or is_unmet) and _MONEY.search(text)):
        return ModelTrouble.MONEY
    if error.code == 429:
        # without mention of a quota it is Vertex AI, which shares its capacity among all callers
        return ModelTrouble.QUOTA if _QUOTA.search(text) else ModelTrouble.CAPACITY
    if error.code == 503:
        return ModelTrouble.CAPACITY
    is_setup = error.code in {401, 403, 404} or is_unmet
    return ModelTrouble.MISCONFIGURED if is_setup or _KEY.search(error.message) else ModelTrouble.UNKNOWN


def block_reason(finish: str) -> ModelTrouble:
    """Return the cause of an answer's early end. `finish` is the API's `finishReason`."""
    if finish == _LIMITED:
        return ModelTrouble.MISCONFIGURED
    return ModelTrouble.BLOCKED if finish in _SAFETY else ModelTrouble.UNKNOWN


def maybe_paid_error(why: str) -> ModelUnavailable:
    """Return the error for a call whose outcome is unknown and which may have to be paid for."""
    error = ModelUnavailable(why)
    error.may_be_paid = True
    return error


@contextmanager
def translate_errors() -> Iterator[None]:
    """Turn GeminiApi's errors into ModelUnavailable or ModelRefused, without texts of Gemini that may quote prompts."""
    try:
        yield
    except GeminiApiError as cause:
        raise translate_error(cause) from None
    except DefaultCredentialsError:
        raise ModelRefused(
            "no Google Cloud credentials for Vertex AI; run `gcloud auth application-default login`",
            trouble=ModelTrouble.MISCONFIGURED,
        ) from None
    except (
        httpx.ConnectError,
        httpx.ConnectTimeout,
        httpx.PoolTimeout,
        GoogleAuthError,
    ) as cause:  # the model was not called
        raise ModelUnavailable(f"Gemini did not answer ({type(cause).__name__})") from None
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as cause:
        raise maybe_paid_error(f"Gemini did not answer ({type(cause).__name__})") from None
    except (ValueError, RecursionError) as cause:  # the answer is not JSON
        raise maybe_paid_error(f"Gemini's answer cannot be read ({type(cause).__name__})") from None
