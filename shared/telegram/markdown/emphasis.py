"""Repairs what the parser reads otherwise than it is meant: emphasis next to scripts without spaces or with a space
inside, documents that contain blocks of code, and indented lists, which are no code.

In CommonMark, a mark with punctuation on its inner side needs a space or punctuation on its outer side. So
`**注意：**请` is not bold. A gap (a special space), inserted outside the mark and removed later, makes it bold. The
rule is from the amendments for Chinese, Japanese and Korean (github.com/tats-u/markdown-cjk-friendly); here it applies
to `**` in every script.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import pyromark

from shared.telegram.markdown.held import GAP, SIDES, hold

_RUN: Final = re.compile(r"(?<!\\)(?:\*{1,3}|__?|~~)")
#: places at which emphasis ends: a blank line, a list item, a heading, a table cell
_BREAK: Final = re.compile(
    r"\n[ \t>]*(?=\n)|(?:\n[ \t>]*|\A)(?:[-*+•]|\d+[.)]|#+)[ \t]+|\n[ \t>]*(?=\||$)|(?<=[ \t])\|(?=[ \t])"
)
#: words between bold marks with a space inside: `** bold **`
_LOOSE: Final = re.compile(r"(?<![*\\])\*\*(?!\*)([ \t]*)([^*\n]*[^*\s\\])([ \t]*)\*\*(?!\*)")
#: exactly two bars without a backslash, as before and after a spoiler
_BARS: Final = re.compile(r"(?<![|\\])\|\|(?!\|)")
_ROW: Final = re.compile(r"[ \t>]*\|(?!\|)")
#: characters that show that a mark between them is part of a calculation or a program
_WORD_BEFORE, _WORD_AFTER = re.compile(r"[0-9A-Za-z)\]]"), re.compile(r"[0-9A-Za-z(\[]")
#: the words between the marks of two parameters: `**kwargs and **options`
_PARAMETERS: Final = re.compile(r"[a-z_]\w* (?:and|or|und|oder|y|o|et|ou|e|и|или|і|або)")
_CALCULATION: Final = re.compile(r"[-+/=<>%^]")


@dataclass(frozen=True)
class _Run:
    """A run of emphasis marks: its position, and the characters next to it."""

    start: int
    end: int
    mark: str
    before: str
    after: str

    @property
    def opens(self) -> bool:
        """Return whether the parser lets this run open emphasis."""
        return not _is_space(self.after) and (
            not _is_sign(self.after) or _is_space(self.before) or _is_sign(self.before)
        )

    @property
    def closes(self) -> bool:
        """Return whether the parser lets this run close emphasis."""
        return not _is_space(self.before) and (
            not _is_sign(self.before) or _is_space(self.after) or _is_sign(self.after)
        )

    def may_open(self) -> bool:
        """Return whether the writer may have meant this run to open emphasis."""
        return self.opens or (
            not _is_space(self.after) and (self.mark in ("**", "__", "~~") or not self.before.isascii())
        )

    def may_close(self) -> bool:
        """Return whether the writer may have meant this run to close emphasis."""
        return self.closes or (
            not _is_space(self.before) and (self.mark in ("**", "__", "~~") or not self.after.isascii())
        )


def with_gaps(text: str) -> str:
    """Insert a special space (`GAP`) outside each emphasis mark that the parser would not recognize otherwise."""
    text = _LOOSE.sub(_tight, text) if "**" in text else text
    if text.isascii() and not re.search(r"[^\w\s*](?:\*\*|__|~~)\w|\w(?:\*\*|__|~~)[^\w\s*]", text):
        return text
    gaps: list[int] = []
    for start, end in _stretches(text):
        for opening, closing in _pairs(text, start, end):
            is_within = opening.mark[0] == "_" and opening.before.isalnum()
            gaps += [opening.start] * (is_within or not opening.opens) + [closing.end] * (
                not closing.closes or _is_inner(closing)
            )
    for at in sorted(set(gaps), reverse=True):
        text = text[:at] + GAP + text[at:]
    return text


def with_spoilers(text: str) -> str:
    """Replace the bars around a spoiler with encoded tags (`held.py`), if both are in one paragraph outside a table."""
    if "||" not in text:
        return text
    bars: list[int] = []
    for start, end in _stretches(text):
        opened = None
        for found in _BARS.finditer(text, start, end) if not _ROW.match(text, start) else ():
            if opened is not None and _closes(text, opened, found.start()):
                bars += [opened, found.start()]
                opened = None
            elif not _is_space(text[found.end() : end][:1]):
                opened = found.start()
    for number, at in reversed(list(enumerate(bars))):
        text = f"{text[:at]}{hold('</tg-spoiler>' if number % 2 else '<tg-spoiler>')}{text[at + 2 :]}"
    return text


def _closes(text: str, begin: int, end: int) -> bool:
    """Return whether the bars at `end` close a spoiler. Bars between two words are part of a program: `a||b, c||d`."""
    inside = text[begin + 2 : end]
    is_program = _WORD_BEFORE.match(text[:begin][-1:]) and _WORD_AFTER.match(text[end + 2 : end + 3])
    is_whole = all(inside.count(mark) % 2 == 0 for mark in ("**", "~~"))
    return bool(inside) and not _is_space(inside[-1]) and not is_program and is_whole


def _is_inner(run: _Run) -> bool:
    """Return whether a run is an underscore inside a word, which closes nothing."""
    return run.mark[0] == "_" and run.opens


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for found in _BREAK.finditer(text):
        yield at, found.start()
        at = found.end()
    yield at, len(text)


def _pairs(text: str, start: int, end: int) -> Iterator[tuple[_Run, _Run]]:
    """Yield the pairs of runs that open and close emphasis. A run closes the last open run of the same marks."""
    opened: list[_Run] = []
    for run in _runs(text, start, end):
        same = next((number for number in reversed(range(len(opened))) if opened[number].mark == run.mark), None)
        if same is not None and run.may_close() and _is_meant(opened[same], run):
            yield opened[same], run
            del opened[same:]
        elif run.may_open():
            opened.append(run)


def _runs(text: str, start: int, end: int) -> Iterator[_Run]:
    for found in _RUN.finditer(text, start, end):
        before, after = text[start : found.start()][-1:], text[found.end() : end][:1]
        if before != found[0][0] and after != found[0][0]:
            yield _Run(found.start(), found.end(), found[0], before, after)


def _is_meant(opening: _Run, closing: _Run) -> bool:
    """Return whether a pair of runs is emphasis. Underscores inside a word, and `a**b**c`, are not."""
    if opening.end == closing.start:
        return False
    if opening.mark[0] == "_":
        if opening.before.isalnum():
            return (
                opening.mark == "__" and _is_unspaced(opening.before) and not (opening.after + closing.before).isascii()
            )
        is_beside = _is_unspaced(closing.after) and not closing.before.isascii()
        return _is_sign(closing.before) or opening.mark == "__" or is_beside
    is_words = opening.mark == "**" and not (opening.after + closing.before).isascii()
    return is_words or not (_WORD_BEFORE.match(opening.before) and _WORD_AFTER.match(closing.after))


def _tight(found: re.Match[str]) -> str:
    """Move the spaces inside loose bold marks to the outside. Powers such as `2 ** 3 ** 4` are left unchanged."""
    first, words, last = found.groups()
    if not (first or last) or not re.search(r"[^\W\d_]", words) or _CALCULATION.search(words):
        return found[0]
    text, start, end = found.string, found.start(), found.end()
    if text.count("**", text.rfind("\n", 0, start) + 1, start) % 2:
        return found[0]
    before, after = text[:start].rstrip(" \t")[-1:], text[end:].lstrip(" \t")[:1]
    is_between = bool(re.match(r"[\w)\]]", before) and re.match(r"[\w(\[]", after))
    if first and last and is_between and " " not in words and words.isascii():
        return found[0]
    if bool(first) != bool(last) and (text[start - 1 : start].isalnum() or (first and is_between)):
        return found[0]
    is_program = words[-1] in ",=" or before == "(" or _PARAMETERS.fullmatch(words)
    if last and not first and text[end : end + 1].isalnum() and is_program:
        return found[0]
    begin = first if before and not text[start - 1 : start].isspace() else ""
    behind = last if after and not text[end : end + 1].isspace() else ""
    return f"{begin}**{words.strip()}**{behind}"


def _is_space(letter: str) -> bool:
    return not letter or letter.isspace()


def _is_unspaced(letter: str) -> bool:
    """Return whether a letter is of a script without spaces between words, such as Chinese."""
    return bool(letter) and unicodedata.category(letter) in ("Lo", "Lm")


def _is_sign(letter: str) -> bool:
    """Return whether a character counts as punctuation. The delimiters of encoded text (`held.py`) count as well."""
    return letter in SIDES or (bool(letter) and unicodedata.category(letter)[0] in "PS")


_FENCE: Final = re.compile(r"[ \t]*```(?!`)([^`]*)")
_DOCUMENT: Final = re.compile(r"(?:markdown|mdx?)\b", re.IGNORECASE)
#: the beginning of an indented line that is a list or a fence
_NO_CODE: Final = re.compile(r"[ \t]*(?:[-*+•◦▪‣●○][ \t]+(?=\S)|\d{1,3}[.)][ \t]+|```[^`\n]*\n)")
_MAY_BE_NO_CODE: Final = re.compile(rf"^(?: {{4}}|[ ]*\t){_NO_CODE.pattern}", re.MULTILINE)
_STEP: Final = re.compile(r"^(?: {4}| {0,3}\t)", re.MULTILINE)
#: the deepest indentation of a list, in steps of four spaces
_DEEPEST: Final = 4


def with_plain_blocks(text: str) -> str:
    """Lengthen the fences around documents that contain fences, and outdent lists and fences that are no code."""
    text = _with_long_fences(text)
    for _ in range(_DEEPEST):
        before, text = text, _outdent(text) if _MAY_BE_NO_CODE.search(text) else text
        if text == before:
            break
    return text


def _with_long_fences(text: str) -> str:
    if "```m" not in text.lower() or "````" in text:
        return text
    lines = text.split("\n")
    for number in [end for ends in _documents(lines) for end in ends]:
        lines[number] = lines[number].replace("```", "````")
    return "\n".join(lines)


def _documents(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each block of markdown that contains other blocks with a language."""
    opened: list[int] = []
    is_document = has_blocks = False
    for number, line in enumerate(lines):
        fence = _FENCE.fullmatch(line)
        if fence is None:
            continue
        if not opened:
            opened, is_document, has_blocks = [number], _DOCUMENT.match(fence[1].strip()) is not None, False
        elif not fence[1].strip():
            start = opened.pop()
            if not opened and has_blocks:
                yield start, number
        elif is_document and len(opened) == 1:
            opened.append(number)
            has_blocks = True


def _outdent(text: str) -> str:
    """Move each indented block that begins as a list or a fence four columns to the left."""
    source, parts, at = text.encode(), [], 0
    for event, place in pyromark.events_with_range(text):
        if event != {"Start": {"CodeBlock": "Indented"}}:
            continue
        start = source.rfind(b"\n", 0, place["start"]) + 1
        block = source[start : place["end"]].decode()
        if start >= at and _NO_CODE.match(block):
            parts += [source[at:start].decode(), _STEP.sub("", block)]
            at = place["end"]
    return "".join([*parts, source[at:].decode()])
