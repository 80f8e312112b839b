"""Bounds: what a call may cost at most, before it is made.

Tokens are not known before; so each kind of character counts for more of them than models need for it, nothing counts
as cached, and the reply is as long as it may be. What a call really took is settled after it.
"""

from collections import Counter
from datetime import datetime
from functools import lru_cache
from typing import Final

from shared.models.attachment import Attachment
from shared.models.capabilities import Made
from shared.models.money import nanos
from shared.models.prompt import Prompt
from shared.models.usage import SEARCH_PRICE, Price, price_of

#: tokens of a character at most: of a letter or a space, which come in words; of any other of ASCII; beyond it; of what
#: is beyond the first 65,536, as emoji are
_WORDS, _SIGN, _OTHER, _BEYOND = 0.5, 1.0, 1.5, 3.0
#: what stands around texts: roles, declarations' punctuation, the schema
_AROUND: Final = 500
#: tokens of a reply, where nothing says how long it may be
_REPLIES: Final = {Made.TEXT: 8_192, Made.SPEECH: 8_192, Made.PICTURES: 6_144, Made.VECTORS: 0}
#: tokens of a picture at most (ai.google.dev/gemini-api/docs/media-resolution); bytes of sound and film for a token: 32
#: tokens a second of 16 kbit/s, 300 a second of 500 kbit/s
_PICTURE, _SOUND_BYTES, _FILM_BYTES, _FILE_BYTES = 2_520, 48, 160, 64
#: tokens of a second of a film or a sound, and of a page (ai.google.dev/gemini-api/docs/tokens and media-resolution)
_FILM_SECOND, _SOUND_SECOND, _PAGE = 300, 32, 560
#: searches of a call that may search
_SEARCHES: Final = 3


def tokens_at_most(text: str) -> float:
    """How many tokens a text is at most."""
    return sum(count * _of(c) for c, count in Counter(text).items())


@lru_cache(maxsize=8192)
def _of(c: str) -> float:
    if c.isascii():
        return _WORDS if c.isalpha() or c == " " else _SIGN
    return _OTHER if c <= "\uffff" else _BEYOND


def _of_file(one: Attachment) -> float:
    kind = one.mime_type.partition("/")[0]
    if kind == "image":
        return _PICTURE
    if kind == "text":
        return len(one.content)
    by_bytes = len(one.content) / {"audio": _SOUND_BYTES, "video": _FILM_BYTES}.get(kind, _FILE_BYTES)
    by_length = one.duration_s * (_SOUND_SECOND if kind == "audio" else _FILM_SECOND) + one.pages * _PAGE
    return max(by_bytes, by_length) + _PICTURE


def cost_at_most(prompt: Prompt, model: str, at: datetime) -> int | None:
    """Billionths of a dollar that a call may cost; 0 for a model that costs nothing, None if nobody knows its price."""
    price = price_of(model, at)
    if price is None:
        return None
    texts = [prompt.system, *(part for turn in prompt.turns for part in turn.parts)]
    texts += [turn.verbatim for turn in prompt.turns]
    texts += [answer.text for turn in prompt.turns for answer in turn.answers]
    tokens = sum(map(tokens_at_most, texts)) + sum(map(_of_file, prompt.attached)) + _AROUND
    tokens += sum(tool.characters for tool in prompt.tools)
    reply = prompt.reply_tokens if prompt.reply_tokens is not None else _REPLIES[prompt.makes]
    searches = _SEARCHES * SEARCH_PRICE if prompt.searches else 0.0
    return nanos((tokens * _dearest(price) + reply * _said(price, prompt.makes)) / 1e6 + searches)


def cost_of_texts(texts: list[str], model: str, at: datetime) -> int | None:
    """Billionths of a dollar that vectors of texts may cost; None if nobody knows the model's price."""
    price = price_of(model, at)
    return nanos(sum(map(tokens_at_most, texts)) * price.prompt / 1e6) if price is not None else None


def _dearest(price: Price) -> float:
    return max(price.prompt, price.sound or 0.0)


def _said(price: Price, makes: Made) -> float:
    return max(price.output, price.pictures or 0.0) if makes is Made.PICTURES else price.output
