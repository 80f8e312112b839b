"""What people write and are called, made harmless: it stays readable, and never passes for what lull itself writes."""

import json
import re
import unicodedata
from functools import lru_cache

from shared.planning.markdown_text import harmless

#: the words that open lull's own brackets; `inst` is what older models take for a turn of the user's
RESERVED = (
    *("meta", "respond", "event", "earlier", "memory", "summary", "recalled", "cut", "inst"),
    *("now", "media", "quoting", "edited", "reactions"),
)

#: every character that reads as an opening bracket (NFKC)
_BRACKETS = ("[", "\ufe47", "\uff3b")
_BRACKET = re.compile(f"[{re.escape(''.join(_BRACKETS))}]")
#: what chat templates take for the end of a turn or the begin of another: `<|im_start|>`, `<turn|>`, `</s>`
_CONTROL_TOKEN = re.compile(
    r"<(?=[|｜][^<>‹\s]{1,40}>|[^<>‹\s|｜]{1,40}[|｜]>|/?(?:s|bos|eos|pad|unk|start_of_turn|end_of_turn)>|<?/?SYS>)",
    re.IGNORECASE,
)
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_HEADER_SIGNS = re.compile(r"[\[\]<>|#:→=\"＃：［］＝＜＞｜﹇﹈﹕﹟]")
#: letters that look like Latin ones of the reserved words, in Cyrillic and Greek (Unicode's confusables)
_LOOKS_LIKE = str.maketrans(
    "аеёмтосрѕуіһӏԁгпαεμνηιορτυγᴀᴄᴅᴇɪʟᴍɴᴏᴘʀꜱᴛᴜᴠʏ",
    "aeemtocpsyihldrnaemvnioptuyacdeilmnoprstuvy",
)
#: seen as nothing, though Unicode calls them letters and signs: fillers of Hangul, and braille without a dot
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
LONGEST_NAME = 64


def escaped(text: str) -> str:
    """A text on lines that `\\n` ends, with lull's own markers, heads of tasks and marks of chat templates harmless."""
    if not text.isprintable():
        text = _CONTROL_CHARACTERS.sub("", "\n".join(text.splitlines()))
    text = without_control_tokens(text)
    if any(bracket in text for bracket in _BRACKETS):
        text = _BRACKET.sub(lambda found: "(" if _opens_marker(text, found.end()) else found[0], text)
    return harmless(text) if "«" in text or "<<" in text else text


def without_control_tokens(text: str) -> str:
    """The text without what would end a turn; the agent may have been told to repeat such a mark."""
    return _CONTROL_TOKEN.sub("‹", text) if "<" in text else text


def one_line(text: str) -> str:
    """The text, harmless and on one line."""
    return " ".join(escaped(text).split())


def bracketed(text: str) -> str:
    """The text as it may stand inside brackets: on one line, without brackets of its own."""
    return one_line(text).translate({ord("["): "(", ord("]"): ")"})


def quoted(text: str, longest: int) -> str:
    """The text in quotes as JSON has them, on one line, cut at so many characters."""
    line = one_line(text)
    return json.dumps(line if len(line) <= longest else line[: longest - 1].rstrip() + "…", ensure_ascii=False)


@lru_cache(maxsize=4096)
def clean_name(name: str) -> str:
    """A name on one line, without what has a meaning in a header."""
    seen = (
        " " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in name if unicodedata.category(c) != "Cf"
    )
    return " ".join(_HEADER_SIGNS.sub(" ", "".join(seen)).split())[:LONGEST_NAME].rstrip() or "someone"


def _opens_marker(text: str, start: int) -> bool:
    """Whether what a reader sees after a bracket is one of the reserved words; spaces and slashes don't hide it."""
    word = ""
    for c in (text[at] for at in range(start, len(text))):
        letters = _letters(c)
        if word in RESERVED and (letters or c.isspace() or not _is_unseen(c)):
            return not (letters or c == "_")
        word += letters
        if not letters and c not in "/\\" and not _is_unseen(c):
            return False
        if not any(reserved.startswith(word) for reserved in RESERVED):
            return False
    return word in RESERVED


@lru_cache(maxsize=4096)
def _letters(c: str) -> str:
    """The plain small letters and digits that a character reads as; empty for any other character."""
    plain = "".join(part for part in unicodedata.normalize("NFKD", c) if part.isalnum() and part not in _BLANK)
    return plain.casefold().translate(_LOOKS_LIKE)


def _is_unseen(c: str) -> bool:
    """Whether nothing is seen of a character, or only a mark on the one before."""
    return c.isspace() or c in _BLANK or unicodedata.category(c) in {"Cf", "Cc", "Mn", "Me"}
