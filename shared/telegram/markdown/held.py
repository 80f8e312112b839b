r"""Held text: text such as a formula that the markdown parser must not read, encoded as private-use characters.

It is decoded later by the renderer. Text between `$`, `\(` and `\[` is a formula; money and shell variables are not.
"""

import re
from collections.abc import Iterator
from typing import Final

from shared.telegram.markdown.signs import FUNCTIONS

#: private characters; if the input contains any, they are replaced before text is held
PRIVATE: Final = re.compile("[\U000f0000-\U0010ffff]")
_SHIFT: Final = 0xF0000
_END: Final = "\U00100000"
#: the start of held text that is written in another form than its source: a formula or a tag
_BEGIN: Final = "\U00100001"
#: the start and the end of text that is only set aside until the parser reads it: code and addresses
_BEGIN_ASIDE, _END_ASIDE = "\U00100002", "\U00100005"
#: the characters next to a mark that touches text set aside, such as code
SIDES: Final = (_BEGIN_ASIDE, _END_ASIDE)
_HELD: Final = re.compile(f"{_BEGIN}(.*?){_END}", re.DOTALL)
_ASIDE: Final = re.compile(f"{_BEGIN_ASIDE}(.*?){_END_ASIDE}", re.DOTALL)
#: the gap: a space beside an emphasis mark that is not written (Ogham's, which nobody uses)
GAP: Final = "\u1680"


def hold(text: str) -> str:
    """Encode a text so that the parser sees one word. The renderer decodes it, perhaps into a style or a formula."""
    return f"{_BEGIN}{_private(release(text))}{_END}"


def set_aside(text: str) -> str:
    """Encode a text so that none of the changes before parsing affects it, until `put_back` decodes it."""
    return f"{_BEGIN_ASIDE}{_private(text)}{_END_ASIDE}"


def put_back(text: str) -> str:
    """Decode the parts of a text that `set_aside` encoded."""
    return _ASIDE.sub(lambda found: _plain(found[1]), text) if _BEGIN_ASIDE in text else text


def release(text: str) -> str:
    """Return the text with everything decoded, and without the gaps that `emphasis.py` inserted."""
    text = put_back(text).replace(GAP, "")
    return _HELD.sub(lambda found: _plain(found[1]), text) if _BEGIN in text else text


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of a text in order, decoded, each with whether `hold` had encoded it."""
    for number, part in enumerate(_HELD.split(text.replace(GAP, ""))):
        if part:
            yield (_plain(part), True) if number % 2 else (part, False)


def is_aside(text: str) -> bool:
    """Return whether `set_aside` encoded any part of the text."""
    return _BEGIN_ASIDE in text


def _private(text: str) -> str:
    return "".join(chr(ord(letter) + _SHIFT) if letter < "\ufffe" else letter for letter in text)


def _plain(text: str) -> str:
    return "".join(chr(ord(letter) - _SHIFT) if chr(_SHIFT) <= letter < _END else letter for letter in text)


_ENVIRONMENT: Final = (
    r"(?:equation|align|aligned|alignat|gather|gathered|multline|eqnarray|split|flalign|cases|array|[pbBvV]?matrix)\*?"
)
_LONGEST: Final = 4_000
_MARKED: Final = re.compile(
    r"(?<!\\)(?:\\\((?P<round>(?:\\\\|(?!\n[ \t]*\n|\\\().)+?)(?<!\\)\\\)"
    r"|\\\[(?P<square>(?:\\\\|(?!\\\[).)+?)(?<!\\)\\\](?!\()"
    rf"|\$\$(?P<double>[^$]+?)\$\$|\\begin\{{(?P<name>{_ENVIRONMENT})\}}(?P<lines>.+?)\\end\{{(?P=name)\}})",
    re.DOTALL,
)
#: a formula between single dollars that touch it, while no word or number touches the dollars from outside
_DOLLARS: Final = re.compile(
    r"(?<![\\$A-Za-z0-9_])\$(?![\s$])(?P<tex>(?:[^$\\\n]|\\.|\n(?![ \t]*\n)){1,400}?)(?<![\s\\])\$(?![A-Za-z0-9_$({])",
    re.DOTALL,
)
#: a formula between dollars with spaces inside: `$ x = 5 $`
_SPACED: Final = re.compile(r"(?<![\\$A-Za-z0-9_])\$[ ](?P<tex>[A-Za-z\\(][^$\n]{0,200}?)[ ]\$(?![A-Za-z0-9_$({])")
#: a sign or a letter in dollars inside a unit or a count: `$\\mu$m`, `$n$th`
_WITHIN_WORD: Final = re.compile(r"(?<![\\$\w])\$(?P<tex>\\[A-Za-z]{2,}|[a-z](?=\$(?:th|s)\b))\$(?=[A-Za-z])")
#: a number multiplied with a variable: `2x`, but not `5k` or `10m`
_FACTOR: Final = re.compile(r"\d[ac-jln-zAC-JLN-Z](?![A-Za-z])")
_BRACED: Final = re.compile(r"\\(?:text\w*|mathrm|operatorname|mbox|ce|begin|end)\*?\{[^{}]*\}")
_COMMAND: Final = re.compile(r"\\(?:[A-Za-z]{2,}|[,;!:{}|%\\])")
#: commands of regular expressions (`\d+`), and characters that only markdown escapes (`\.`); a formula has neither
_NO_TEX: Final = re.compile(r"\\(?:[dwsbWSDB](?![A-Za-z])|[.+=()\[\]*\"'/@?<`-])")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_SMALL_WORDS: Final = frozenset(
    {"to", "or", "in", "is", "at", "an", "of", "on", "if", "by", "we", "it", "do", "so", "no", "my", "me"}
)
_RELATION: Final = re.compile(r"[=^<>≤≥≠≈]|_\{")
_OPERATOR: Final = re.compile(r"[=^_<>≤≥≠≈+±×·√∑∫]")
#: a dollar sign directly before or after the number of a price
_PRICE: Final = re.compile(r"(?<!\\)\$(?=\d)|(?<=\d)\$")
_QUOTE_MARK: Final = re.compile(r"\n[ \t]*>[ \t]?")


def with_formulas(text: str) -> str:
    """Encode the formulas in a text, including their delimiters, so that the parser does not read them."""
    is_prose = re.search(r"\\[.!=+-]", text) is not None and not re.search(r"\\[a-zA-Z]{2}", text)
    if "\\" in text or "$$" in text:
        text = _MARKED.sub(lambda found: _hold_formula(found) if _is_marked(found, is_prose) else found[0], text)
    if "$" not in text:
        return text
    text = _WITHIN_WORD.sub(_hold_formula, text)
    text = _SPACED.sub(lambda found: _hold_formula(found) if _is_spaced(found["tex"]) else found[0], text)
    made, at = [], 0
    while found := _DOLLARS.search(text, at):
        end = found.end() if _is_between_dollars(found, text) else found.start() + 1
        made += [text[at : found.start()], _hold_formula(found) if end == found.end() else "$"]
        at = end
    return "".join([*made, text[at:]])


def tex_in(formula: str) -> str:
    """Return a formula without its delimiters."""
    for mark in ("$$", "$", "\\(", "\\["):
        if formula.startswith(mark):
            return formula[len(mark) : -len(mark)].strip()
    return formula


def _hold_formula(found: re.Match[str]) -> str:
    return hold(_QUOTE_MARK.sub("\n", found[0]))


def _is_marked(found: re.Match[str], is_prose: bool) -> bool:
    """Return whether delimited text is a formula, and not text in brackets that markdown escapes, or a shell's `$$`."""
    if found["name"]:
        return len(found[0]) <= _LONGEST
    tex = found["round"] or found["square"] or found["double"]
    if len(tex) > _LONGEST or is_aside(tex) or not _is_formula(tex) or (is_prose and not _COMMAND.search(tex)):
        return False
    stands_alone = "\n" in tex.strip(" \t") or found["square"] is None
    return stands_alone or bool(_COMMAND.search(tex) or _OPERATOR.search(tex))


def _is_between_dollars(found: re.Match[str], text: str) -> bool:
    tex = found["tex"]
    if is_aside(tex) or re.search(r"[\"“”„]|(?<![\w)}\]'])'|[=:&,/]$|^[,;]", tex) or not _is_formula(tex):
        return False
    if not tex[0].isdigit() or _COMMAND.search(tex) or re.search(r"\^|(?<!\d)_|_(?!\d)", tex):
        return True
    if _WORD.search(tex):
        return False
    if _FACTOR.search(tex) and re.search(r"[=+]", tex):
        return True
    start, end = text.rfind("\n\n", 0, found.start()) + 1, text.find("\n\n", found.end())
    around = text[start : found.start()] + " " + text[found.end() : end if end >= 0 else len(text)]
    return _PRICE.search(_DOLLARS.sub("", around)) is None


def _is_spaced(tex: str) -> bool:
    words = [word for word in _WORD.findall(tex) if not _is_points(word)]
    return _is_formula(tex) and bool(_COMMAND.search(tex) or (_RELATION.search(tex) and not words))


def _is_formula(tex: str) -> bool:
    """Return whether a text reads as a formula: symbols, letters and commands. Words need a relation such as `=`."""
    bare = _BRACED.sub(r" \\text ", release(tex))
    if _NO_TEX.search(bare.replace("\\\\", "")):
        return False
    if _COMMAND.search(bare):
        return True
    words = [word for word in _WORD.findall(bare) if word not in FUNCTIONS and not _is_points(word)]
    if not words:
        return re.search(r"[^\W_]", bare) is not None
    return _RELATION.search(bare) is not None and not re.search(r"[.?!,;:] ", bare) and len(words) <= 8


def _is_points(word: str) -> bool:
    """Return whether a word of a formula is a product of variables (`dx`) or consists of names of points (`ABC`)."""
    return word.isascii() and ((word.isupper() and len(word) <= 3) or (len(word) == 2 and word not in _SMALL_WORDS))
