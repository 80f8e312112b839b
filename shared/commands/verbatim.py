"""Somebody's own words inside markdown that lull writes."""

import re
import unicodedata

#: what a backslash makes a plain character (spec.commonmark.org, "Backslash escapes")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
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
    return _PUNCTUATION.sub(r"\\\g<0>", visible(text))
