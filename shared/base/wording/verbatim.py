"""Makes people's text safe inside lull's sentences: on one line, and without effect as markup."""

import re
import unicodedata

from shared.base.text import fit_line

#: characters that a backslash makes plain (spec.commonmark.org, "Backslash escapes")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
#: with a backslash before them these characters would begin a formula or end a command, so they become character
#: references
_NAMED = {"\\": "&#92;", "[": "&#91;", "(": "&#40;", ";": "&#59;"}
#: invisible and direction-changing characters, except joiners, which Persian and emoji need
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff]"
)
#: characters of these categories show nothing either if they are alone: joiners, marks without a letter below them
_LEANING = frozenset({"Cf", "Mn", "Me", "Zs"})
_EMPTY_BRAILLE = "\u2800"


def visible(text: str) -> str:
    """Return a text on one line without invisible and direction-changing characters; "" if nothing is visible."""
    line = " ".join(_UNSEEN.sub("", text).split())
    is_seen = any(unicodedata.category(c) not in _LEANING and c != _EMPTY_BRAILLE for c in line)
    return line if is_seen else ""


def verbatim(text: str) -> str:
    """Return the text on one line, as markdown that shows it unchanged."""
    return _PUNCTUATION.sub(lambda sign: _NAMED.get(sign[0], f"\\{sign[0]}"), visible(text))


def quoted(text: str, most: int = 300) -> str:
    """Return the beginning of a text on one line as inline code, in which nothing becomes a link.

    Telegram itself makes links of addresses and usernames, but not within code. Return "" if nothing is visible.
    """
    line = fit_line(visible(text), most).replace("`", "\N{MODIFIER LETTER GRAVE ACCENT}")
    return f"`{line}`" if line else ""
