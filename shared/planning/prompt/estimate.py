"""Estimate a prompt's number of tokens by its writing systems, until the model has reported a count for the chat."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from shared.base.model_call import ModelCall
from shared.planning.prompt.scene import FIRST_CHARACTERS_PER_TOKEN, LEAST, Scene, system_of
from shared.values.capabilities import InputKind, input_kind
from shared.values.message import AnyEntry, Edit, Message
from shared.values.prompt import Prompt

#: the tokens per character, by the last character of a Unicode block: the maximum that Qwen2.5 needs for everyday
#: sentences. Gemini needs fewer, since its vocabulary is larger
_SCRIPTS = (
    ("\u024f", 0.6),  # Latin with marks
    ("\u03ff", 1.15),  # Greek
    ("\u052f", 0.7),  # Cyrillic
    ("\u058f", 1.7),
    ("\u077f", 0.65),  # Hebrew, Arabic
    ("\u0dff", 1.4),  # scripts of India
    ("\u0eff", 0.7),  # Thai, Lao
    ("\u1dff", 1.7),
    ("\u1eff", 0.6),  # Vietnamese
    ("\u2fff", 1.5),  # signs
    ("\ud7ff", 0.8),  # Chinese, Japanese, Korean
    ("\ufeff", 1.7),
    ("\uffff", 1.0),
)
#: tokens per character for emoji, letters that only look like letters, and rare Chinese characters
_BEYOND = 2.0
_DIGIT, _LETTER, _SPACE, _SIGN = 1.0, 0.33, 0.2, 0.9

#: the header of each message: its characters, half of which are digits and signs, and its tokens
_AROUND_CHARACTERS, _AROUND_TOKENS = 50, 24.0


def tokens_in(text: str) -> float:
    """Return the estimated number of tokens of a text, by its writing systems."""
    return sum(map(_tokens_of, text))


@lru_cache(maxsize=8192)
def _tokens_of(c: str) -> float:
    if c.isascii():
        return _DIGIT if c.isdigit() else _LETTER if c.isalpha() else _SPACE if c == " " else _SIGN
    return next((tokens for end, tokens in _SCRIPTS if c <= end), _BEYOND)


def with_estimate(scene: Scene) -> Scene:
    """Return the scene with characters per token estimated by writing systems, if no count was reported yet.

    The estimate is made from the instructions and from the newest messages, as many as fit into the limit. It is never
    above the default.
    """
    if scene.room.characters_per_token:
        return scene
    system = system_of(scene)
    characters, tokens = len(system), tokens_in(system)
    for text in _newest_first(scene.entries):
        characters += _AROUND_CHARACTERS + len(text)
        tokens += _AROUND_TOKENS + tokens_in(text)
        if tokens >= scene.room.max_tokens:
            break
    estimate = characters / tokens if tokens else FIRST_CHARACTERS_PER_TOKEN
    estimate = min(max(estimate, LEAST), FIRST_CHARACTERS_PER_TOKEN)
    return replace(scene, room=replace(scene.room, characters_per_token=estimate))


def _newest_first(entries: Iterable[AnyEntry]) -> Iterator[str]:
    said = [entry for entry in entries if isinstance(entry, Message | Edit)]
    return (f"{entry.media}{entry.text}" for entry in reversed(said))


#: the maximum characters per token, as in a chat of long English words
MOST = 6.0

#: the weight of a new report; the previous estimate has the rest of the weight
WEIGHT = 0.5

#: a smaller deviation is ignored: if the estimate always changed, so would the place where the prompt is cut
NEAR = 0.05

#: the minimum tokens of a report that counts: most of a shorter prompt is the model's own template
FEWEST_TOKENS = 100


def updated_estimate(characters_per_token: float, characters: int, tokens: int) -> float:
    """Return the new estimate of characters per token: the old one, corrected by a prompt's size in both units.

    The first reports adapt the estimate to the writing system (English has about 4, Ukrainian 3, Japanese 1.5).
    """
    if tokens < FEWEST_TOKENS or characters <= 0:
        return characters_per_token
    seen = min(max(characters / tokens, LEAST), MOST)
    if abs(seen - characters_per_token) <= NEAR * characters_per_token:
        return characters_per_token
    return round(characters_per_token + WEIGHT * (seen - characters_per_token), 3)


def text_tokens(prompt: Prompt, call: ModelCall) -> int:
    """Return the number of tokens of a prompt's texts, as the model reported it; 0 if files were not counted
    separately.

    If a file is itself a text, its tokens cannot be separated.
    """
    if any(input_kind(file.mime_type) is InputKind.TEXT for file in prompt.attached):
        return 0
    return call.prompt_tokens - call.media_tokens if call.media_tokens or not prompt.attached else 0
