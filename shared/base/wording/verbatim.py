"""What people wrote, as it goes into a sentence: on one line, as it is, and as no markup of theirs."""

import re
import unicodedata

from shared.base.text import fitted

#: what a backslash makes a plain character (spec.commonmark.org, "Backslash escapes")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
#: with a backslash these would begin a formula, be one's path or end a command, so they are written as references
_NAMED = {"\\": "&#92;", "[": "&#91;", "(": "&#40;", ";": "&#59;"}
#: what shows nothing or turns the line around; not the joiners, which Persian and emoji need
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff]"
)
#: alone these show nothing either: joiners, marks without a letter below them
_LEANING = frozenset({"Cf", "Mn", "Me", "Zs"})
_EMPTY_BRAILLE = "\u2800"


def visible(text: str) -> str:
    """The text on one line, without what shows nothing or turns the line around; empty if nothing would be seen."""
    line = " ".join(_UNSEEN.sub("", text).split())
    is_seen = any(unicodedata.category(c) not in _LEANING and c != _EMPTY_BRAILLE for c in line)
    return line if is_seen else ""


def verbatim(text: str) -> str:
    """The text on one line, as markdown that shows it as it is."""
    return _PUNCTUATION.sub(lambda sign: _NAMED.get(sign[0], f"\\{sign[0]}"), visible(text))


def quoted(text: str, most: int = 300) -> str:
    """The beginning of somebody's words on one line, as markdown that shows them as code: no link of theirs is one.

    Telegram makes links of addresses and usernames by itself, but not within code. Empty if nothing would be seen.
    """
    line = fitted(visible(text), most).replace("`", "\N{MODIFIER LETTER GRAVE ACCENT}")
    return f"`{line}`" if line else ""
