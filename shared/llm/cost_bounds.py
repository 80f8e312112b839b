"""Upper bounds of the cost of a model call, computed before the call.

The number of tokens is not known before the call. So the bound assumes more tokens for each character than models use,
a reply of the greatest allowed length, and no cached tokens. After the call, the real cost is charged.
"""

import json
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from itertools import repeat
from typing import Final

from shared.values.capabilities import OutputKind
from shared.values.money import usd_to_nanos
from shared.values.prepared import LONGEST_FILM_S, LONGEST_SOUND_S, MOST_PAGES
from shared.values.prompt import Attachment, Prompt
from shared.values.usage import SEARCH_PRICE, Price, price_of

#: the most tokens of one character: a small letter or a space; a capital, which can split a word; another ASCII
#: character; a common character of another script. Any other character counts as many tokens as it has bytes in UTF-8,
#: since models spell unknown characters in bytes (measured with Gemma's vocabulary)
_SMALL, _CAPITAL, _SIGN, _USUAL = 0.6, 1.4, 1.0, 1.5
#: the encodings of common characters: alphabets, and the first level of the Chinese and Japanese standards
_ALPHABETS: Final = ("cp1250", "cp1251", "cp1252", "cp1253", "cp1255", "cp1256", "cp874")
_LEVELS: Final = (("gb2312", b"\xb0\xa1", b"\xd7\xfe"), ("shift_jis", b"\x81\x40", b"\x98\x72"))
#: tokens around the texts of a prompt (roles, punctuation of declarations), and around a text for a vector (its task)
_AROUND, _AROUND_ONE = 500, 30
#: tokens for one character of a schema
_OF_SCHEMA: Final = 0.5
#: tokens of a reply without a limit
_REPLIES: Final = {OutputKind.TEXT: 65_536, OutputKind.SPEECH: 8_192, OutputKind.PICTURES: 6_144, OutputKind.VECTORS: 0}
#: the most tokens of a picture (ai.google.dev/gemini-api/docs/media-resolution); bytes of sound, film and other files
#: for one token: 32 tokens a second at 16 kbit/s, 300 a second at 500 kbit/s
_PICTURE, _SOUND_BYTES, _FILM_BYTES, _FILE_BYTES = 2_520, 48, 160, 64
#: tokens of a second of film and of sound, and of a page (ai.google.dev/gemini-api/docs/tokens and media-resolution)
_FILM_SECOND, _SOUND_SECOND, _PAGE = 300, 32, 560
#: the most searches of a call with search, and tokens read for each
_SEARCHES, _FOUND = 3, 4_000


def tokens_at_most(text: str) -> float:
    """Return an upper bound of the number of tokens in a text."""
    return sum(count * _tokens_of_character(c) for c, count in Counter(text).items())


@lru_cache(maxsize=8192)
def _tokens_of_character(c: str) -> float:
    if c.isascii():
        return _SMALL if c.islower() or c == " " else _CAPITAL if c.isupper() else _SIGN
    is_usual = any(map(c.encode, _ALPHABETS, repeat("ignore"))) or any(
        first <= c.encode(name, "ignore") <= last for name, first, last in _LEVELS
    )
    return _USUAL if is_usual else float(len(c.encode("utf-8", "surrogatepass")))


def _tokens_of_file(one: Attachment) -> float:
    kind = one.mime_type.partition("/")[0]
    if kind == "image":
        return _PICTURE
    if kind == "text":
        return len(one.content)
    by_bytes = len(one.content) / {"audio": _SOUND_BYTES, "video": _FILM_BYTES}.get(kind, _FILE_BYTES)
    return max(by_bytes, _tokens_by_length(one, kind)) + _PICTURE


def _tokens_by_length(one: Attachment, kind: str) -> float:
    """Return an upper bound of a file's tokens from its seconds or pages; if unknown, from the longest allowed."""
    if kind == "audio":
        return (one.duration_s or LONGEST_SOUND_S) * _SOUND_SECOND
    if kind == "video":
        return (one.duration_s or LONGEST_FILM_S) * _FILM_SECOND
    return (one.pages or MOST_PAGES) * _PAGE


def cost_at_most(prompt: Prompt, model: str, at: datetime, schema: Mapping[str, object] | None = None) -> int | None:
    """Return the most nano-dollars that a call may cost; 0 for a free model, None if the price is unknown.

    `schema` is the JSON schema of the reply. The model reads it too, so its tokens count.
    """
    price = price_of(model, at)
    if price is None:
        return None
    texts = [prompt.system, *(part for turn in prompt.turns for part in turn.parts)]
    texts += [turn.verbatim for turn in prompt.turns]
    texts += [answer.text for turn in prompt.turns for answer in turn.answers]
    tokens = sum(map(tokens_at_most, texts)) + sum(map(_tokens_of_file, prompt.attached)) + _AROUND
    tokens += sum(tool.characters for tool in prompt.tools) + (_SEARCHES * _FOUND if prompt.searches else 0)
    tokens += len(json.dumps(schema, default=dict)) * _OF_SCHEMA if schema is not None else 0
    reply = prompt.reply_tokens if prompt.reply_tokens is not None else _REPLIES[prompt.makes]
    searches = _SEARCHES * SEARCH_PRICE if prompt.searches else 0.0
    return usd_to_nanos(
        (tokens * _highest_prompt_price(price) + reply * _output_price(price, prompt.makes)) / 1e6 + searches
    )


def cost_of_texts(texts: list[str], model: str, at: datetime) -> int | None:
    """Return the most nano-dollars that embedding these texts may cost; None if the price is unknown."""
    price = price_of(model, at)
    if price is None:
        return None
    return usd_to_nanos(sum(tokens_at_most(text) + _AROUND_ONE for text in texts) * price.prompt / 1e6)


def _highest_prompt_price(price: Price) -> float:
    return max(price.prompt, price.cached, price.sound or 0.0)


def _output_price(price: Price, makes: OutputKind) -> float:
    return max(price.output, price.pictures or 0.0) if makes is OutputKind.PICTURES else price.output
