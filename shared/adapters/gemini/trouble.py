"""What Gemini's refusals mean: whether to ask again, and what is the matter.

After ai.google.dev/gemini-api/docs/troubleshooting. Gemini's own texts may quote the prompt: they are looked into here
and repeated nowhere.
"""

import json
import re
from typing import Final

from google.genai import errors, types

from shared.errors import ModelRefused, ModelTrouble, ModelUnavailable

#: over quota and failing servers; the client waits between tries, doubling, with jitter
RETRIED: Final = [408, 429, 500, 502, 503, 504]

#: an answer that ends for one of these was refused for safety; others (a recitation, a language) are no refusal of that
_SAFETY: Final = frozenset(
    {
        types.FinishReason.SAFETY,
        types.FinishReason.BLOCKLIST,
        types.FinishReason.PROHIBITED_CONTENT,
        types.FinishReason.SPII,
        types.FinishReason.IMAGE_SAFETY,
        types.FinishReason.IMAGE_PROHIBITED_CONTENT,
        types.FinishReason.ESCALATION,
        types.FinishReason.MODEL_ARMOR,
    }
)
#: a text that speaks of money; the usual one of a used-up quota says "check your plan and billing details" as well
_MONEY: Final = re.compile(
    r"credits?\b|prepa(?:y|id)|spend(?:ing)? (?:cap|limit)|enable billing|billing[_ ](?:account|disabled|is|to be)",
    re.IGNORECASE,
)
_QUOTA: Final = re.compile(r"quota|rate.?limit", re.IGNORECASE)
_KEY: Final = re.compile(r"API.?key", re.IGNORECASE)


def translated(error: errors.APIError) -> ModelUnavailable | ModelRefused:
    """The error in lull's words."""
    what, trouble = f"Gemini answered {error.code} {error.status or ''}".rstrip(), trouble_of(error)
    if error.code in RETRIED and trouble is not ModelTrouble.MONEY:  # which no waiting brings
        return ModelUnavailable(what, trouble)
    if trouble is ModelTrouble.MISCONFIGURED:
        what = f"{what}: check GEMINI_API_KEY, or with Vertex AI that the account is an aiplatform.user, and the model"
    return ModelRefused(what, trouble=trouble)


def trouble_of(error: errors.APIError) -> ModelTrouble:
    """What is the matter, told by the status and, where one status has several causes, by the text."""
    text = f"{error.message or ''} {json.dumps(error.details, default=str)}"
    is_unmet = error.code == 400 and error.status == "FAILED_PRECONDITION"
    if error.code == 402 or ((error.code in {403, 429} or is_unmet) and _MONEY.search(text)):
        return ModelTrouble.MONEY
    if error.code == 429:
        # without a word of a quota it is Vertex AI, which shares what it has among all who ask
        return ModelTrouble.QUOTA if _QUOTA.search(text) else ModelTrouble.CAPACITY
    if error.code == 503:
        return ModelTrouble.CAPACITY
    is_setup = error.code in {401, 403, 404} or is_unmet
    return ModelTrouble.MISCONFIGURED if is_setup or _KEY.search(error.message or "") else ModelTrouble.UNKNOWN


def blocked_by(reason: types.BlockedReason | types.FinishReason | None) -> ModelTrouble:
    """Why a prompt was blocked, or an answer ended before it was whole."""
    if isinstance(reason, types.BlockedReason) or reason in _SAFETY:
        return ModelTrouble.BLOCKED
    if reason is types.FinishReason.PUP_LIMITED_DISABLED:  # the account is limited for what it was used for
        return ModelTrouble.MISCONFIGURED
    return ModelTrouble.UNKNOWN
