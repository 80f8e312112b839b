"""What Gemini's refusals mean: whether to ask again, and what is the matter.

After ai.google.dev/gemini-api/docs/troubleshooting. Gemini's own texts may quote the prompt: they are looked into here
and repeated nowhere.
"""

import json
import re
from typing import Any, Final

from shared.errors import ModelRefused, ModelTrouble, ModelUnavailable

#: over quota and failing servers; the client waits between tries, doubling, with jitter
RETRIED: Final = [408, 429, 500, 502, 503, 504]

#: an answer that ends for one of these was refused for safety; others (a recitation, a language) are no refusal of that
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
#: an answer that ended because the account is limited for what it was used for
_LIMITED: Final = "PUP_LIMITED_DISABLED"
#: a text that speaks of money; the usual one of a used-up quota says "check your plan and billing details" as well
_MONEY: Final = re.compile(
    r"credits?\b|prepa(?:y|id)|spend(?:ing)? (?:cap|limit)|enable billing|billing[_ ](?:account|disabled|is|to be)",
    re.IGNORECASE,
)
_QUOTA: Final = re.compile(r"quota|rate.?limit", re.IGNORECASE)
_KEY: Final = re.compile(r"API.?key", re.IGNORECASE)


class Refusal(Exception):
    """An answer of the API's with an error, as it came."""

    def __init__(self, code: int, body: Any) -> None:
        """`body` is its JSON, of any shape; a stream's errors may come as a list of one."""
        super().__init__(code)  # its text may quote the prompt, so it is no part of what may be printed
        said = body[0] if isinstance(body, list) and body else body
        error = said.get("error") if isinstance(said, dict) else None
        error = error if isinstance(error, dict) else {}
        self.code, self.body = code, body
        self.status, self.message = str(error.get("status") or ""), str(error.get("message") or "")


def translated(error: Refusal) -> ModelUnavailable | ModelRefused:
    """The error in lull's words. Google asks nothing for what it answers with an error."""
    what, trouble = f"Gemini answered {error.code} {error.status}".rstrip(), trouble_of(error)
    if error.code in RETRIED and trouble is not ModelTrouble.MONEY:  # which no waiting brings
        return ModelUnavailable(what, trouble)
    if trouble is ModelTrouble.MISCONFIGURED:
        what = f"{what}: check GEMINI_API_KEY, or with Vertex AI that the account is an aiplatform.user, and the model"
    return ModelRefused(what, trouble=trouble)


def trouble_of(error: Refusal) -> ModelTrouble:
    """What is the matter, told by the status and, where one status has several causes, by the text."""
    text = json.dumps(error.body)
    is_unmet = error.code == 400 and error.status == "FAILED_PRECONDITION"
    if error.code == 402 or ((error.code in {403, 429} or is_unmet) and _MONEY.search(text)):
        return ModelTrouble.MONEY
    if error.code == 429:
        # without a word of a quota it is Vertex AI, which shares what it has among all who ask
        return ModelTrouble.QUOTA if _QUOTA.search(text) else ModelTrouble.CAPACITY
    if error.code == 503:
        return ModelTrouble.CAPACITY
    is_setup = error.code in {401, 403, 404} or is_unmet
    return ModelTrouble.MISCONFIGURED if is_setup or _KEY.search(error.message) else ModelTrouble.UNKNOWN


def blocked_by(finish: str) -> ModelTrouble:
    """Why an answer ended before it was whole."""
    if finish == _LIMITED:
        return ModelTrouble.MISCONFIGURED
    return ModelTrouble.BLOCKED if finish in _SAFETY else ModelTrouble.UNKNOWN
