"""What is the matter when Gemini refuses, from answers as it gives them."""

from typing import Any

import pytest

from shared.adapters.gemini.model import GeminiModel
from shared.adapters.gemini.trouble import blocked_by
from shared.errors import ModelError, ModelRefused, ModelTrouble, ModelUnavailable
from shared.models.prompt import Prompt, PromptTurn, Role
from tests.stories.play import Model

PROMPT = Prompt(system="s", turns=(PromptTurn(role=Role.USER, parts=("hi",)),))
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
    assert blocked_by("PUP_LIMITED_DISABLED") is ModelTrouble.MISCONFIGURED
    assert blocked_by("A_WORD_OF_NEXT_YEAR") is ModelTrouble.UNKNOWN
