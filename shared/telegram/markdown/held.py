"""Text that the markdown parser must not read, such as formulas: it is encoded as private characters until it is
written.

Text between `$`, `\\(` and `\\[` is a formula; money and shell variables are not.
"""

import re
from collections.abc import Iterator
from typing import Final

from shared.telegram.markdown.signs import FUNCTIONS

#: private characters; in the input they are replaced before anything is held
PRIVATE: Final = re.compile("[\U000f0000-\U0010ffff]")
_SHIFT: Final = 0xF0000
_END: Final = "\U00100000"
#: the start of held text that is written in another form: formulas, tags
_BEGIN: Final = "\U00100001"
#: start and end of text set aside until the parser reads it: code, addresses
_BEGIN_ASIDE, _END_ASIDE = "\U00100002", "\U00100005"
#: the characters next to marks that touch code
SIDES: Final = (_BEGIN_ASIDE, _END_ASIDE)
_HELD: Final = re.compile(f"{_BEGIN}(.*?){_END}", re.DOTALL)
_ASIDE: Final = re.compile(f"{_BEGIN_ASIDE}(.*?){_END_ASIDE}", re.DOTALL)
#: a space that separates an emphasis mark and is not written (Ogham's, which nobody uses)
GAP: Final = "\u1680"


def hold(text: str) -> str:
    """Hold text that is a single word to the parser and is written in another form."""
    return f"{_BEGIN}{_private(release(text))}{_END}"


def set_aside(text: str) -> str:
    """Set text aside, so that no rule changes it before the parser reads it."""
    return f"{_BEGIN_ASIDE}{_private(text)}{_END_ASIDE}"


def put_back(text: str) -> str:
    """Restore the text that was set aside."""
    return _ASIDE.sub(lambda found: _plain(found[1]), text) if _BEGIN_ASIDE in text else text


def release(text: str) -> str:
    """Return the text as it was written."""
    text = put_back(text).replace(GAP, "")
    return _HELD.sub(lambda found: _plain(found[1]), text) if _BEGIN in text else text


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text, and whether each was held."""
    for number, part in enumerate(_HELD.split(text.replace(GAP, ""))):
        if part:
            yield (_plain(part), True) if number % 2 else (part, False)


def is_aside(text: str) -> bool:
    """Return whether some of the text is set aside."""
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
#: a formula directly between single dollars, without a word or number touching them outside
_DOLLARS: Final = re.compile(
    r"(?<![\\$A-Za-z0-9_])\$(?![\s$])(?P<tex>(?:[^$\\\n]|\\.|\n(?![ \t]*\n)){1,400}?)(?<![\s\\])\$(?![A-Za-z0-9_$({])",
    re.DOTALL,
)
#: the same with spaces inside, as in `$ x = 5 $`
_SPACED: Final = re.compile(r"(?<![\\$A-Za-z0-9_])\$[ ](?P<tex>[A-Za-z\\(][^$\n]{0,200}?)[ ]\$(?![A-Za-z0-9_$({])")
#: a sign or a letter within a unit or a count: `$\\mu$m`, `$n$th`
_WITHIN_WORD: Final = re.compile(r"(?<![\\$\w])\$(?P<tex>\\[A-Za-z]{2,}|[a-z](?=\$(?:th|s)\b))\$(?=[A-Za-z])")
#: a number with a variable: `2x`, but not `5k` or `10m`
_FACTOR: Final = re.compile(r"\d[ac-jln-zAC-JLN-Z](?![A-Za-z])")
_BRACED: Final = re.compile(r"\\(?:text\w*|mathrm|operatorname|mbox|ce|begin|end)\*?\{[^{}]*\}")
_COMMAND: Final = re.compile(r"\\(?:[A-Za-z]{2,}|[,;!:{}|%\\])")
#: commands of patterns (`\d+`), and marks that only markdown escapes (`\.`): no formula has them
_NO_TEX: Final = re.compile(r"\\(?:[dwsbWSDB](?![A-Za-z])|[.+=()\[\]*\"'/@?<`-])")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_SMALL_WORDS: Final = frozenset(
    {"to", "or", "in", "is", "at", "an", "of", "on", "if", "by", "we", "it", "do", "so", "no", "my", "me"}
)
_RELATION: Final = re.compile(r"[=^<>≤≥≠≈]|_\{")
_OPERATOR: Final = re.compile(r"[=^_<>≤≥≠≈+±×·√∑∫]")
#: a dollar directly before or after a price
_PRICE: Final = re.compile(r"(?<!\\)\$(?=\d)|(?<=\d)\$")
_QUOTE_MARK: Final = re.compile(r"\n[ \t]*>[ \t]?")


def with_formulas(text: str) -> str:
    """Hold the formulas of a text, with their marks."""
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
    """Return a formula without its marks."""
    for mark in ("$$", "$", "\\(", "\\["):
        if formula.startswith(mark):
            return formula[len(mark) : -len(mark)].strip()
    return formula


def _hold_formula(found: re.Match[str]) -> str:
    return hold(_QUOTE_MARK.sub("\n", found[0]))


def _is_marked(found: re.Match[str], is_prose: bool) -> bool:
    """Return whether it is a formula, and not brackets that markdown escapes or a shell's `$$`."""
    if found["name"]:
        return len(found[0]) <= _LONGEST
    tex = found["round"] or found["square"] or found["double"]
    if len(tex) > _LONGEST or is_aside(tex) or not _is_formula(tex) or (is_prose and not _COMMAND.search(tex)):
        return False
    stands_alone = "\n" in tex.strip(" \t") or found["square"] is None
    return stands_alone or bool(_COMMAND.search(tex) or _OPERATOR.search(tex))


def _is_between_dollars(found: re.Match[str], text: str) -> bool:
    tex = found["tex"]
    if is_aside(tex) or re.search(r"[\"“”„]|(?<![\w)}\]])'|[=:&,/]$|^[,;]", tex) or not _is_formula(tex):
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
    return _is_formula(tex) and bool(_COMMAND.search(tex) or (_RELATION.search(tex) and not _WORD.search(tex)))


def _is_formula(tex: str) -> bool:
    """Return whether it reads as a formula: signs, letters and commands; words only next to a relation."""
    bare = _BRACED.sub(r" \\text ", tex)
    if _NO_TEX.search(bare.replace("\\\\", "")):
        return False
    if _COMMAND.search(bare):
        return True
    words = [word for word in _WORD.findall(bare) if word not in FUNCTIONS and not _is_points(word)]
    if not words:
        return re.search(r"[^\W_]", bare) is not None
    return _RELATION.search(bare) is not None and not re.search(r"[.?!,;:] ", bare) and len(words) <= 8


def _is_points(word: str) -> bool:
    """Return whether it is a product or names points, as dx and ABC do."""
    return word.isascii() and ((word.isupper() and len(word) <= 3) or (len(word) == 2 and word not in _SMALL_WORDS))
