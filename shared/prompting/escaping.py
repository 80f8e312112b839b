"""Escaping: what people write and are called stays readable, and never passes for what lull itself writes."""

import json
import re
import unicodedata
from functools import lru_cache

from shared.planning.markdown_text import harmless

#: the words that open lull's own brackets. Older models take `[inst]` for a user's turn
RESERVED = (
    *("meta", "respond", "event", "earlier", "memory", "summary", "recalled", "cut", "inst"),
    *("now", "media", "quoting", "edited", "reactions"),
)

#: every character that reads as an opening bracket (NFKC)
_BRACKETS = ("[", "\ufe47", "\uff3b")
_BRACKET = re.compile(f"[{re.escape(''.join(_BRACKETS))}]")
#: marks at which chat templates end or begin a turn: `<|im_start|>`, `<turn|>`, `</s>`
_CONTROL_TOKEN = re.compile(
    r"<(?=[|｜][^<>‹\s]{1,40}>|[^<>‹\s|｜]{1,40}[|｜]>|/?(?:s|bos|eos|pad|unk|start_of_turn|end_of_turn)>|<?/?SYS>)",
    re.IGNORECASE,
)
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_HEADER_SIGNS = re.compile(r"[\[\]<>|#:→=\"＃：［］＝＜＞｜﹇﹈﹕﹟]")
#: letters that look like the Latin ones of the reserved words (Unicode's confusables)
_LOOKS_LIKE = str.maketrans(
    "аеёмтосрѕуіһӏԁгпαεμνηιορτυγᴀᴄᴅᴇɪʟᴍɴᴏᴘʀꜱᴛᴜᴠʏ",
    "aeemtocpsyihldrnaemvnioptuyacdeilmnoprstuvy",
)
#: invisible, though Unicode calls them letters and signs: fillers of Hangul, and braille without a dot
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
LONGEST_NAME = 64


def escaped(text: str) -> str:
    """The text without control characters, and with lull's markers, task headings and template marks made harmless."""
    if not text.isprintable():
        text = _CONTROL_CHARACTERS.sub("", "\n".join(text.splitlines()))
    text = without_control_tokens(text)
    if any(bracket in text for bracket in _BRACKETS):
        text = _BRACKET.sub(lambda bracket: "(" if _opens_marker(text, bracket.end()) else bracket[0], text)
    return harmless(text) if "«" in text or "<<" in text else text


def without_control_tokens(text: str) -> str:
    """The text without marks that end a turn. The agent's own texts need it too: it may be asked to repeat one."""
    return _CONTROL_TOKEN.sub("‹", text) if "<" in text else text


def one_line(text: str) -> str:
    """The escaped text on one line."""
    return " ".join(escaped(text).split())


def bracketed(text: str) -> str:
    """The escaped text as it may stand inside brackets: on one line, without brackets of its own."""
    return one_line(text).translate({ord("["): "(", ord("]"): ")"})


def quoted(text: str, longest: int) -> str:
    """The escaped text as a JSON string on one line, cut at so many characters."""
    line = one_line(text)
    return json.dumps(line if len(line) <= longest else line[: longest - 1].rstrip() + "…", ensure_ascii=False)


@lru_cache(maxsize=4096)
def clean_name(name: str) -> str:
    """A name on one line, without signs that have a meaning in a header."""
    seen = (
        " " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in name if unicodedata.category(c) != "Cf"
    )
    return " ".join(_HEADER_SIGNS.sub(" ", "".join(seen)).split())[:LONGEST_NAME].rstrip() or "someone"


def _opens_marker(text: str, start: int) -> bool:
    """Whether a reader sees one of the reserved words after a bracket. Spaces and slashes do not hide it."""
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
    """The plain lower-case letters and digits as which a character is read; empty for any other character."""
    plain = "".join(part for part in unicodedata.normalize("NFKD", c) if part.isalnum() and part not in _BLANK)
    return plain.casefold().translate(_LOOKS_LIKE)


def _is_unseen(c: str) -> bool:
    """Whether a character is invisible, or only a mark on the one before."""
    return c.isspace() or c in _BLANK or unicodedata.category(c) in {"Cf", "Cc", "Mn", "Me"}
