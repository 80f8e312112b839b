"""Function calls as in Gemini 3: each has a signature, which must be intact in later requests, or these are refused.

The checks and their messages are those of the API (ai.google.dev/gemini-api/docs/thought-signatures and
/function-calling).
"""

import hashlib
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from itertools import pairwise
from typing import Any

from local.model.calls import ApiError, Fault, Json

#: these models accept a schema or functions, not both
_BEFORE_3 = re.compile(r"gemini-[12][.-].*")

_UNSIGNED = "Function call is missing a thought_signature in functionCall parts. This is required for tools to work."
_FORGED = "Thought signature is not valid."
_UNASKED = "Please ensure that function response turn comes immediately after a function call turn."
_UNEVEN = (
    "Please ensure that the number of function response parts is equal to the number of function call parts of the "
    "function call turn."
)
_OTHER = "Please ensure that each function response has the name and the id of its function call."
_SCHEMA = "Function calling with a response mime type: 'application/json' is unsupported"


def call_parts(functions: list[Json]) -> list[Json]:
    """Return the parts of a reply that calls functions. Of parallel calls only the first is signed, as in Gemini."""
    parts: list[Json] = [{"functionCall": function} for function in functions]
    return [
        {**part, "thoughtSignature": _signature(part["functionCall"])} if not n else part
        for n, part in enumerate(parts)
    ]


def check_functions(body: Json, model: str) -> None:
    """Raise ApiError if Gemini would refuse the function calls in this conversation."""
    config = body.get("generationConfig") or {}
    if _BEFORE_3.fullmatch(model) and body.get("tools") and config.get("responseMimeType") == "application/json":
        raise _refused(_SCHEMA)
    contents = body.get("contents")
    turns = (
        [turn.get("parts") or [] for turn in contents if isinstance(turn, dict)] if isinstance(contents, list) else []
    )
    for before, after in pairwise([[], *turns, []]):
        _check_answers(_found(before, "functionCall"), _found(after, "functionResponse"))
        _check_signature(after)


def _check_answers(calls: list[Json], answers: list[Json]) -> None:
    if len(calls) != len(answers):
        raise _refused(_UNEVEN if calls else _UNASKED)
    names = [[(each.get("name"), each.get("id")) for each in either] for either in (calls, answers)]
    if names[0] != names[1]:
        raise _refused(_OTHER)


def _check_signature(parts: list[Json]) -> None:
    calling = [part for part in parts if "functionCall" in part]
    if not calling:
        return
    signature = calling[0].get("thoughtSignature")
    if not signature:
        raise _refused(_UNSIGNED)
    if _bytes(signature) != _bytes(_signature(calling[0]["functionCall"])):
        raise _refused(_FORGED)


def _found(parts: list[Json], field: str) -> list[Json]:
    return [part[field] for part in parts if field in part]


def _signature(function: Json) -> str:
    """Compute a signature from the function call alone. So the signature can be checked later without being stored."""
    return urlsafe_b64encode(hashlib.sha256(json.dumps(function, sort_keys=True).encode()).digest()).decode()


def _bytes(signature: Any) -> bytes:
    """Decode a field of type `bytes`, which may use the standard or the URL-safe alphabet of base64. Empty if it is
    invalid.
    """
    try:
        return urlsafe_b64decode(str(signature).replace("+", "-").replace("/", "_"))
    except ValueError:
        return b""


def _refused(message: str) -> ApiError:
    return ApiError(Fault.INVALID_ARGUMENT, message)
