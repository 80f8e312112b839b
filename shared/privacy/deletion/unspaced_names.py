"""Finds names in scripts without spaces between words, such as Chinese, Japanese, Korean and Thai."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Final

from shared.base.language.terms import UNSPACED, marks
from shared.privacy.deletion.common_words import USUAL
from shared.privacy.deletion.context_words import HONORED_AFTER, HONORED_BEFORE
from shared.privacy.deletion.declensions import forms_of
from shared.privacy.deletion.name_parts import PersonName

_HAN: Final = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HANGUL: Final = "\uac00-\ud7a3"
_KATAKANA: Final = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_HIRAGANA: Final = "\u3041-\u309f"
#: surnames of two characters
_COMPOUND: Final = re.compile(
    "欧阳|歐陽|司马|司馬|诸葛|諸葛|上官|司徒|东方|東方|夏侯|慕容|令狐|皇甫|尉迟|公孙|公孫|端木|百里|南宫|南宮"
)
#: least number of characters of a name in Thai and similar scripts that, by its length, is not taken for another word
_LEAST_LONG: Final = 4


def unspaced_spans(
    text: str, theirs: Collection[PersonName], others: Collection[PersonName], known: Collection[str]
) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each of a person's names in a text in Unicode's composed form.

    A name that is only part of another person's name in the text is left out.
    """
    if not _unspaced_pattern().search(text):
        return
    of_others = [one for called in others for one in parts_of(called.name)]
    kept = [span for one in of_others if len(one) > 1 for span in _all(one, text)]
    whole = {_unspaced_text(one.name) for one in theirs}
    for called in theirs:
        if called.name not in known:
            continue
        for part in parts_of(called.name):
            if part in of_others:
                continue
            for start, end in _find_names(part, text, is_whole=part in whole):
                if not any(first <= start and end <= last and last - first > end - start for first, last in kept):
                    yield start, end


def parts_of(name: str) -> Sequence[str]:
    """Return the forms in which a person is addressed, the longest first: the whole name, and the name without the
    family name.
    """
    runs = _unspaced_pattern().findall(unicodedata.normalize("NFC", name))
    found = dict.fromkeys(["".join(runs), *runs])
    for run in runs if len(runs) == 1 else ():
        if re.fullmatch(f"[{_HAN}]+", run):
            found |= dict.fromkeys(_of_han(run))
        elif re.fullmatch(f"[{_HANGUL}]{{3}}", run):
            found[run[1:]] = None
    return sorted(filter(None, found), key=len, reverse=True)


def _of_han(run: str) -> Sequence[str]:
    if len(run) == 3:
        return (run[1:], run[0]) if not _COMPOUND.match(run) else (run[:2],)
    if len(run) == 4:
        return run[2:], run[:2]
    return (run[0],) if len(run) == 2 else ()


def _find_names(part: str, text: str, *, is_whole: bool) -> Iterator[tuple[int, int]]:
    for start, end in _all(part, text):
        before, behind = text[:start], text[end:]
        is_called = bool(
            re.match(rf"\s?(?:{HONORED_AFTER})", behind) or re.search(rf"(?:{HONORED_BEFORE})\s?$", before)
        )
        if is_called or (part not in USUAL and _is_word(part, before, behind, is_whole=is_whole)):
            yield start, end


def _is_word(part: str, before: str, behind: str, *, is_whole: bool) -> bool:
    """Return whether a name is separate from the letters around it, and so not a part of a longer word."""
    if re.match(f"[{marks()}]", behind):
        return False  # a combining mark turns the name's last letter into another letter
    if re.fullmatch(f"[{_KATAKANA}]+", part):
        return not re.search(f"[{_KATAKANA}]$", before) and not re.match(f"[{_KATAKANA}]", behind)
    if re.search(f"[{_HANGUL}]", part):
        ends = re.match(f"[{_HANGUL}]*", behind)
        is_begun = not re.search(f"[{_HANGUL}]$", before)
        return len(part) > 1 and is_begun and ends is not None and (not ends[0] or part + ends[0] in forms_of(part))
    is_apart = not _unspaced_pattern().search(before[-1:]) and not _unspaced_pattern().match(behind)
    if re.search(f"[{_HAN}]", part):
        return len(part) > 1 or (is_whole and is_apart)
    if re.search(f"[{_HIRAGANA}]", part):
        return len(part) > 2 or is_apart
    return is_apart or len(part) >= _LEAST_LONG


def _all(part: str, text: str) -> Iterator[tuple[int, int]]:
    return (one.span() for one in re.finditer(re.escape(part), text))


def _unspaced_text(name: str) -> str:
    return "".join(_unspaced_pattern().findall(unicodedata.normalize("NFC", name)))


@cache
def _unspaced_pattern() -> re.Pattern[str]:
    return re.compile(f"[{UNSPACED}]+")
