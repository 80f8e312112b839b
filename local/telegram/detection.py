"""Finds the entities that Telegram detects in a text: mentions, commands, hashtags, cashtags, links, e-mail addresses.

The patterns follow TDLib's MessageEntity.cpp closely, with a short list of top-level domains for links without a
scheme.
"""

import re
from collections.abc import Sequence

from local.telegram.entities import LocalEntity, sort_entities, utf16_length

_TLD = (
    "com|org|net|edu|gov|info|io|ai|dev|app|me|co|uk|de|fr|it|es|nl|pl|ru|ua|ch|at|be|se|no|fi|dk|cz|pt|gr|tr|il|in|cn|jp|kr"
    "|br|mx|ar|ca|us|au|nz|eu|tv|xyz|site|online|tech|cloud|blog|shop|news|wiki|gg|so|to|ly|fm|page|link"
)
_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_PATH = r"(?:[/?#][^\s<>\"«»“”]*)?"

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("url", re.compile(r"(?<![\w@])(?:https?|ftp|tg|ton)://[^\s<>\"«»“”]+", re.IGNORECASE)),
    ("email", re.compile(r"(?<![\w.+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}(?![\w-])")),
    ("url", re.compile(rf"(?<![\w@/.-])(?:{_LABEL}\.)+(?:{_TLD})(?![\w-])(?::\d{{1,5}})?{_PATH}", re.IGNORECASE)),
    ("mention", re.compile(r"(?<![\w@])@[A-Za-z0-9_]{3,32}(?!\w)")),
    ("bot_command", re.compile(r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/<>])")),
    ("hashtag", re.compile(r"(?<![\w#])#(?=\w*[^\W\d_])\w{1,256}(?!#)")),
    ("cashtag", re.compile(r"(?<![\w$])\$(?:1INCH|[A-Z]{1,8})(?![\w$])")),
)
_TRAILING = ".,:;!?'\")]}»”…"
_CLOSES = {")": "(", "]": "[", "}": "{"}
# Inside entities of these types, Telegram detects nothing.
_OPAQUE = frozenset({"code", "pre", "text_link", "text_mention"})


def find_entities(text: str, known: Sequence[LocalEntity] = ()) -> tuple[LocalEntity, ...]:
    """Return the `known` entities of a text, and the entities that Telegram detects in it. Nothing is detected inside
    of code or links.
    """
    taken = [(one.offset, one.end) for one in known if one.type in _OPAQUE]
    found: list[LocalEntity] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            span = _without_trailing(match.group()) if kind == "url" else match.group()
            start = utf16_length(text[: match.start()])
            end = start + utf16_length(span)
            if not span or any(start < other_end and other < end for other, other_end in taken):
                continue
            taken.append((start, end))
            found.append(LocalEntity(type=kind, offset=start, length=end - start))
    return sort_entities([*known, *found])


def _without_trailing(url: str) -> str:
    """Return a link without trailing punctuation, which belongs to the sentence. A closing bracket stays if the link
    contains the opening bracket.
    """
    while url and url[-1] in _TRAILING:
        opener = _CLOSES.get(url[-1])
        if opener and url.count(opener) >= url.count(url[-1]):
            break
        url = url[:-1]
    return url
