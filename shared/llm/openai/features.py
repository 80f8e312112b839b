"""Features of a request that a server may refuse. Only the text of the error names the refused feature.

A refused request is repeated at once without the feature. If that works, later requests for the same model omit it too.
"""

import logging
import re
from collections.abc import Awaitable, Callable, Hashable, Mapping
from enum import StrEnum
from typing import Any, Final, TypeVar

from shared.base.errors import ModelRefused
from shared.base.logs import log

T = TypeVar("T")


class Feature(StrEnum):
    """A part of a request that can be left out, or sent in another way."""

    STREAM_USAGE = "stream_usage"  #: token counts at the end of a stream
    PROGRESS = "progress"  #: llama.cpp's reports on reading
    MAIN_LIMIT = "main_limit"  #: the name of the token limit that is tried first
    VOICE = "voice"  #: the voice that a persona names
    BASE64 = "base64"  #: asking for pictures inside the answer; newer models always do so
    DIMENSIONS = "dimensions"  #: the length of vectors
    SYSTEM = "system"  #: a message of the role `system`
    REASONING = "reasoning"  #: thoughts that are passed back with calls of tools
    SOUND = "sound"
    PICTURES = "pictures"
    DOCUMENTS = "documents"
    SCHEMA = "schema"  #: a JSON schema of the reply
    JSON = "json"  #: a reply in JSON without a schema
    TOOLS = "tools"


#: the words by which a refusal names each feature, in the order in which features are given up
_WORDS: Final[Mapping[Feature, re.Pattern[str]]] = {
    feature: re.compile(words, re.IGNORECASE)
    for feature, words in (
        (Feature.STREAM_USAGE, r"stream_options|include_usage"),
        (Feature.PROGRESS, r"return_progress"),
        # a limit that is too high names the field as well
        (
            Feature.MAIN_LIMIT,
            r"max_(?:completion_)?tokens(?=.{0,200}(?:support|instead|unknown|unrecogni|extra|permitted|forbidden))"
            r"|(?:support|unknown|unrecogni|extra|permitted|forbidden).{0,200}max_(?:completion_)?tokens",
        ),
        (Feature.VOICE, r"voice"),
        (Feature.BASE64, r"response_format"),
        (Feature.DIMENSIONS, r"dimensions|matryoshka"),
        (Feature.SYSTEM, r"system.{0,20}(?:role|message|prompt|instruction)|developer instruction|role.{0,10}system"),
        (Feature.REASONING, r"reasoning"),
        (Feature.SOUND, r"audio"),
        (Feature.PICTURES, r"image|vision|multi-?modal|mmproj|content.{0,40}(?:string|text)"),
        (Feature.DOCUMENTS, r"\bfiles?\b|\bpdf|document"),
        (Feature.SCHEMA, r"response_?format|json|schema|structured|grammar|guided"),
        (Feature.JSON, r"response_?format|json"),
        (Feature.TOOLS, r"tool|function"),
    )
}
#: texts that name features, but are about the length of a prompt
_TOO_LONG: Final = re.compile(
    r"context.{0,3}(?:length|window|size)|maximum.{0,20}tokens|too (?:long|large)", re.IGNORECASE
)
#: status codes of refused features; those that have other causes too need the word "support" in the text
_REFUSALS: Final = frozenset({400, 415, 422})
_MAYBE_REFUSALS: Final = frozenset({404, 500, 501})
_SUPPORT: Final = re.compile(r"(?:not|n't|un|that) ?support", re.IGNORECASE)
#: features that count as refused for good only if the text has words as in `_FOR_GOOD`; else one file may be broken
_FILES: Final = frozenset({Feature.SOUND, Feature.PICTURES, Feature.DOCUMENTS})
_FOR_GOOD: Final = re.compile(
    r"(?:not|n't) support|found that support|supported values|not a multi-?modal|mmproj|vision|unknown variant"
    r"|(?:expected|must be) .{0,20}(?:string|text)",
    re.IGNORECASE,
)


class FeatureRefused(ModelRefused):
    """The server refused a feature of the request; the request may work without it."""

    def __init__(self, why: str, feature: Feature, *, is_for_good: bool = True) -> None:
        """`is_for_good`: whether the model refuses the feature in other requests, too."""
        super().__init__(why)
        self.feature, self.is_for_good = feature, is_for_good


def feature_refusal(what: str, status: int, text: str, used: frozenset[Feature]) -> FeatureRefused | None:
    """Return the error for a refusal of one of the features that the request used; None if the server's error is about
    something else.

    `what` begins the text of the returned error. `text` is the server's own text, which is only examined.
    """
    is_refusal = status in _REFUSALS or (status in _MAYBE_REFUSALS and _SUPPORT.search(text))
    if not is_refusal or _TOO_LONG.search(text):
        return None
    found = next((feature for feature, words in _WORDS.items() if feature in used and words.search(text)), None)
    if found is None:
        return None
    is_for_good = found not in _FILES or _FOR_GOOD.search(text) is not None
    return FeatureRefused(f"{what} to a request with {found.value}", found, is_for_good=is_for_good)


class RefusedFeatures:
    """The features that each model of one server has refused."""

    def __init__(self) -> None:
        """Start without refusals."""
        self._refused: dict[Hashable, frozenset[Feature]] = {}

    async def negotiate(self, key: Hashable, request: Callable[[frozenset[Feature]], Awaitable[T]]) -> T:
        """Return the answer to a request. Each time the server refuses a feature, the request is repeated without it.

        `request` is called with the features to leave out. It sends the request, and may raise FeatureRefused. `key`
        names the model, and whatever else decides which features the model takes.
        """
        without = learned = self._refused.get(key, frozenset())
        while True:
            try:
                answer = await request(without)
            except FeatureRefused as refusal:
                if refusal.feature in without:
                    raise
                log(
                    "a model refused a feature, and is asked without it", logging.WARNING, feature=refusal.feature.value
                )
                without |= {refusal.feature}
                learned |= {refusal.feature} if refusal.is_for_good else frozenset()
                continue
            # stored only now: an error with such words may have another cause, and then the request fails again
            self._refused[key] = learned
            return answer


def features_in(body: Mapping[str, Any]) -> frozenset[Feature]:
    """Return the features that a request's body uses."""
    messages = body.get("messages", ())
    parts = {
        part["type"] for message in messages if isinstance(message.get("content"), list) for part in message["content"]
    }
    kind = body["response_format"]["type"] if isinstance(body.get("response_format"), dict) else ""
    used = {
        Feature.STREAM_USAGE: "stream_options" in body,
        Feature.PROGRESS: "return_progress" in body,
        Feature.MAIN_LIMIT: not body.keys().isdisjoint({"max_tokens", "max_completion_tokens"}),
        Feature.VOICE: body.get("voice") is not None,
        Feature.BASE64: body.get("response_format") == "b64_json",
        Feature.DIMENSIONS: "dimensions" in body,
        Feature.SYSTEM: any(message["role"] == "system" for message in messages),
        Feature.REASONING: any(REASONING_KEYS & message.keys() for message in messages),
        Feature.SOUND: "input_audio" in parts,
        Feature.PICTURES: "image_url" in parts,
        Feature.DOCUMENTS: "file" in parts,
        Feature.SCHEMA: kind == "json_schema",
        Feature.JSON: kind == "json_object",
        # calls of earlier turns cannot be passed back without tools
        Feature.TOOLS: "tools" in body and not any(message["role"] == "tool" for message in messages),
    }
    return frozenset(feature for feature, is_used in used.items() if is_used)


#: fields of a message with the model's thoughts
REASONING_KEYS: Final = frozenset({"reasoning_content", "reasoning", "reasoning_details"})
