"""The causes of Gemini's errors, from real answers."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import httpx
import pytest
from google.auth.exceptions import DefaultCredentialsError, RefreshError

from shared.base.errors import ModelError, ModelRefused, ModelTrouble, ModelUnavailable
from shared.llm.gemini.errors import LONGEST_WAIT, GeminiApiError, block_reason, translate_errors
from shared.llm.gemini.model import GeminiModel
from shared.values.prompt import Prompt, PromptTurn, TurnRole
from tests.stories.play import Model

PROMPT = Prompt(system="s", turns=(PromptTurn(role=TurnRole.USER, parts=("hi",)),))
QUOTA = "You exceeded your current quota, please check your plan and billing details."
DETAILS = [
    {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}],
    }
]
BILLING = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "BILLING_DISABLED"}]
KEY = "API key not valid. Please pass a valid API key."
COUNTRY = "Gemini API free tier is not available in your country. Please enable billing on your project."


@pytest.mark.parametrize(
    ("answer", "kind", "trouble"),
    [
        ({"status": 429, "error": QUOTA, "error_details": DETAILS}, ModelUnavailable, ModelTrouble.QUOTA),
        ({"status": 429, "error": "Resource has been exhausted (e.g. check quota)."}, ModelUnavailable, "quota"),
        ({"status": 429, "error": "Resource exhausted. Please try again later."}, ModelUnavailable, "capacity"),
        ({"status": 429, "error": "Your prepayment credits are depleted."}, ModelRefused, ModelTrouble.MONEY),
        ({"status": 403, "error": "Denied.", "error_details": BILLING}, ModelRefused, ModelTrouble.MONEY),
        ({"status": 400, "error": COUNTRY, "error_status": "FAILED_PRECONDITION"}, ModelRefused, ModelTrouble.MONEY),
        ({"status": 503, "error": "The model is overloaded."}, ModelUnavailable, ModelTrouble.CAPACITY),
        ({"status": 500, "error": "An internal error."}, ModelUnavailable, ModelTrouble.UNKNOWN),
        ({"status": 400, "error": KEY}, ModelRefused, ModelTrouble.MISCONFIGURED),
        ({"status": 401, "error": "Who asks?"}, ModelRefused, ModelTrouble.MISCONFIGURED),
        ({"status": 403, "error": "Denied."}, ModelRefused, ModelTrouble.MISCONFIGURED),
        ({"status": 404, "error": "models/x is not found"}, ModelRefused, ModelTrouble.MISCONFIGURED),
        ({"status": 400, "error": "Ann wrote of credits."}, ModelRefused, ModelTrouble.UNKNOWN),
        ({"text": "x", "finish_reason": "SAFETY"}, ModelRefused, ModelTrouble.BLOCKED),
        ({"candidates": [{"finishReason": "PROHIBITED_CONTENT"}]}, ModelRefused, ModelTrouble.BLOCKED),
        ({"text": "x", "finish_reason": "RECITATION"}, ModelRefused, ModelTrouble.UNKNOWN),
        ({"body": '{"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}'}, ModelRefused, ModelTrouble.BLOCKED),
        ({"body": '{"promptFeedback": {"blockReason": "JAILBREAK"}}'}, ModelRefused, ModelTrouble.BLOCKED),
    ],
)
async def test_each_refusal_tells_what_is_the_matter(
    gemini: GeminiModel, script: Model, answer: dict[str, Any], kind: type[ModelError], trouble: ModelTrouble
) -> None:
    await script.will({**answer, "times": 2})
    with pytest.raises(kind) as caught:
        await gemini.generate(PROMPT, None)
    assert caught.value.trouble == trouble
    assert str(answer.get("error", "Ann")) not in str(caught.value)


def test_an_account_that_is_limited_is_no_safety_matter_of_the_answer() -> None:
    assert block_reason("PUP_LIMITED_DISABLED") is ModelTrouble.MISCONFIGURED
    assert block_reason("A_WORD_OF_NEXT_YEAR") is ModelTrouble.UNKNOWN


def retry_info(delay: object) -> list[dict[str, object]]:
    return [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}]


@pytest.mark.parametrize(
    ("details", "message", "head", "seconds"),
    [
        (retry_info("52s"), QUOTA, "", 52),
        (retry_info("0.5s"), QUOTA, "", 0.5),
        (retry_info("3.000000001s"), QUOTA, "9", 3.000000001),
        (retry_info("90.25s"), "", "", 90.25),
        (retry_info({"seconds": 7, "nanos": 500_000_000}), "", "", 7.5),
        (retry_info({"seconds": "7"}), "", "", 7),
        ([], f"{QUOTA}\nPlease retry in 52.1s.", "", 52.1),
        ([], "Please retry in 1h2m3s.", "", 3723),
        ([], "Please retry in 450.5ms.", "", 0.4505),
        ([], "Please retry after 30 seconds", "", 30),
        ([], "Try again in 2 minutes.", "", 120),
        ([], QUOTA, "17", 17),
        ([], QUOTA, " 17.5 ", 17.5),
        (retry_info("soon"), QUOTA, "17", 17),
        (retry_info(None), f"{QUOTA} Please retry in 4s.", "", 4),
        (retry_info("999999999s"), "", "", LONGEST_WAIT.total_seconds()),
        ([*DETAILS, *retry_info("34s")], QUOTA, "", LONGEST_WAIT.total_seconds()),
        ([{"violations": [{"quotaId": "PerMinutePerProject"}]}, *retry_info("34s")], QUOTA, "", 34),
    ],
)
def test_how_long_it_asks_to_be_left_alone(
    details: list[dict[str, object]], message: str, head: str, seconds: float
) -> None:
    refusal = GeminiApiError(429, {"error": {"message": message, "details": details}}, head)
    assert refusal.wait is not None
    assert abs(refusal.wait - timedelta(seconds=seconds)) < timedelta(milliseconds=1)


@pytest.mark.parametrize("body", [None, [], {}, {"error": 5}, {"error": {"details": "x", "message": QUOTA}}])
def test_where_nothing_is_said_of_a_wait_there_is_none(body: object) -> None:
    assert GeminiApiError(429, body, "soon").wait is None


def test_a_head_may_give_a_date() -> None:
    told = GeminiApiError(503, {}, format_datetime(datetime.now(UTC) + timedelta(minutes=5), usegmt=True)).wait
    assert told is not None
    assert timedelta(minutes=4) < told <= timedelta(minutes=5)
    assert GeminiApiError(503, {}, "Fri, 01 Jan 2021 00:00:00 GMT").wait == timedelta()


SAID = {"error": {"message": "a secret of Ann's"}}


@pytest.mark.parametrize(
    "cause",
    [
        httpx.ReadTimeout("a secret"),
        httpx.InvalidURL("a secret"),
        TimeoutError("a secret"),
        RefreshError("a secret"),  # type: ignore[no-untyped-call]
        ValueError("a secret"),
        RecursionError("a secret"),
        GeminiApiError(503, SAID),
    ],
)
def test_what_may_pass_is_unavailable(cause: Exception) -> None:
    with pytest.raises(ModelUnavailable) as raised, translate_errors():
        raise cause
    assert "secret" not in str(raised.value)
    assert raised.value.__suppress_context__


def test_what_stays_is_refused() -> None:
    with pytest.raises(ModelRefused) as raised, translate_errors():
        raise DefaultCredentialsError("a secret")  # type: ignore[no-untyped-call]
    assert raised.value.trouble is ModelTrouble.MISCONFIGURED
    with pytest.raises(ModelRefused) as raised, translate_errors():
        raise GeminiApiError(400, SAID)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("cause", "may_be_paid"),
    [
        (httpx.ReadTimeout("late"), True),
        (ValueError("no JSON"), True),
        (httpx.ConnectError("nobody"), False),
        (GeminiApiError(500, SAID), False),
        (GeminiApiError(503, SAID), False),
    ],
)
def test_only_where_nobody_knows_what_came_of_it_may_it_have_to_be_paid(cause: Exception, may_be_paid: bool) -> None:
    with pytest.raises(ModelUnavailable) as raised, translate_errors():
        raise cause
    assert raised.value.may_be_paid is may_be_paid
