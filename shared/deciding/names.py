"""Finds somebody's name in a text as a separate word, in any script.

In scripts without spaces, a name counts as a separate word if it touches one of a few listed particles and words. Next
to any other letter, the name counts as part of a longer word: 小龙虾 does not name 小龙.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

#: scripts that borrow each other's letters, so a change from one to another does not end a word
ALPHABETS: Final = {"LATIN", "CYRILLIC", "GREEK"}
#: hyphens join two words into a double name; before a letter of another script a hyphen only separates an ending:
#: lull-ს
HYPHENS: Final = {"-", "\u2010", "\u058a", "\u05be"}
#: characters that join two words into one if there are no spaces: an address, a host, a double name, a setting
JOINING: Final = {*HYPHENS, ".", "@", "="}
#: slashes separate the names in a path. Between only two names a slash means "and": lull/Ann, come here
SLASHES: Final = {"/", "\\"}
#: characters of the longest particle below
LONGEST_PARTICLE: Final = 16

_AFTER: Final = {
    "CJK": "[你您我他她它咱请請帮幫能会會可要想在是说說讲講知觉覺怎为為什甚吗嗎呢吧啊呀呦哦哈啦嘛"
    "的也都和跟有没沒不快来來去看给給把今明早晚好谢謝对對君様氏殿先]",
    "HIRAGANA": "(?:さん|ちゃん|くん|さま|たん|せんせい|って|から|まで|より|なら|です|[だはがをにのともへでやよねか])",
    "THAI": "(?:ครับ|คับ|ค่ะ|คะ|จ๊ะ|จ้ะ|จ้า|จ๋า|นะ|น่ะ|ช่วย|ขอ|คือ|ว่า|เป็น|มี|ไป|มา|ทำ|รู้|คิด|อยู่|จะ|ได้|ไหม|"
    "บอก|พูด|ตอบ|ลอง|ดู|เอา|ชอบ|แล้ว|กับ|ก็|ไม่|เธอ|คุณ)",
    "HANGUL": "(?:님|씨|양|군|이)?(?:아|야|은|는|이|가|을|를|의|에|도|만|와|과|랑|로|으로|에게|한테|께|께서|부터|까지|"
    "처럼|보다|요)?(?![가-힣])",
    # no particles are listed for these: letters next to a name count as the rest of a longer name
    "LAO": "",
    "KHMER": "",
    "MYANMAR": "",
}
_BEFORE: Final = {
    "CJK": "[问問让讓叫找跟和给給对對请請谢謝好是把被用向比喂嗨哈嘿想的了吧啊呀呢吗嗎哦得说說]",
    "HIRAGANA": "(?:ねえ|ねぇ|ねー|あの|おい|[とはがをにのもやよね])",
    "THAI": "(?:คุณ|น้อง|พี่|ถาม|ให้|กับ|แล้ว|ขอบคุณ|ขอบใจ|สวัสดี|หวัดดี|เฮ้|นี่|ว่า|บอก|ครับ|ค่ะ|คะ|นะ)",
}
_NOTHING: Final = re.compile(r"(?!)")
_PATH: Final = re.compile(r"[/\\~.]|\w:[/\\]|.*[/\\].*[/\\]|.*(?<!\.)\.\w")
#: characters that are optional in writing: tatweel, which stretches a word, and the points of Arabic and Hebrew vowels
_OPTIONAL: Final = re.compile(
    "[\u0640\u064b-\u0652\u0656-\u065f\u0670]|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]"
)


def fold(text: str) -> str:
    """Return a text for comparison: case-folded, with single spaces, without invisible characters and vowel points."""
    if text.isascii():  # ASCII has no invisible characters to remove, and differs only in case
        return " ".join(text.casefold().split())
    seen = unicodedata.normalize("NFD", "".join(c for c in text if not _is_unseen(c)))
    # twice, as Unicode's compatibility caseless matching requires (chapter 3.13, D146)
    for _ in range(2):
        seen = _OPTIONAL.sub("", unicodedata.normalize("NFKC", seen.casefold()))
    return " ".join(seen.split())


def _is_unseen(character: str) -> bool:
    # the zero-width non-joiner is kept, since it separates Persian endings from a word
    is_format = unicodedata.category(character) == "Cf" and character != "\u200c"
    return is_format or "\ufe00" <= character <= "\ufe0f"


_FOLLOWING: Final = {script: re.compile(fold(pattern)) for script, pattern in _AFTER.items()}
_PRECEDING: Final = {script: re.compile(f"(?:{fold(pattern)})$") for script, pattern in _BEFORE.items()}


def ends_at(text: str, end: int) -> bool:
    """Return whether the name before index `end` of a folded text ends there, and is not part of a longer word."""
    last, after = text[end - 1], text[end : end + 1]
    if after in JOINING and is_of_word(text[end + 1 : end + 2]):
        return after in HYPHENS and _differ(last, text[end + 1])
    if (after == ":" and text[end + 1 : end + 2].isdecimal()) or (after in SLASHES and _is_in_path(text, end)):
        return False
    if not is_of_word(last) or not is_of_word(after) or _is_border(last, after):
        return True
    particle = _FOLLOWING.get(script_of(last), _NOTHING)
    return not _is_mark(after) and _are_one(last, after) and particle.match(text, end) is not None


def starts_at(text: str, start: int) -> bool:
    """Return whether the name at index `start` of a folded text begins there, and is not part of a longer word."""
    first, before, earlier = text[start], text[:start][-1:], text[:start][-2:-1]
    if before == "@" or (before in JOINING and is_of_word(earlier)):
        return before in HYPHENS and _differ(earlier, first)
    if before in SLASHES and _is_in_path(text, start):
        return False
    if not is_of_word(first) or not is_of_word(before) or _is_border(before, first):
        return True
    particle = _PRECEDING.get(script_of(first), _NOTHING)
    return _are_one(before, first) and particle.search(text[:start][-LONGEST_PARTICLE:]) is not None


def _is_in_path(text: str, place: int) -> bool:
    """Return whether the word around an index looks like a path or a file name: `~/x`, `a/b/c`, `x.txt`."""
    start = text.rfind(" ", 0, place) + 1
    return _PATH.match(text[start:].split(" ", 1)[0]) is not None


def is_of_word(character: str) -> bool:
    """Return whether a character can be part of a word: a letter, a digit, a combining mark, an underscore."""
    return character != "" and (character.isalnum() or character == "_" or _is_mark(character))


def script_of(character: str) -> str:
    """Return the script of a letter: the first word of its Unicode name. Only letters give a meaningful result."""
    first = re.split(r"[ -]", unicodedata.name(character, "?"), maxsplit=1)[0]
    return "CJK" if first == "IDEOGRAPHIC" else first


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


def _is_border(left: str, right: str) -> bool:
    """Return whether a word ends between two characters because the script changes, as between `lull` and `は`."""
    return _differ(left, right) and not {script_of(left), script_of(right)} <= ALPHABETS


def _differ(left: str, right: str) -> bool:
    """Return whether both characters are letters and belong to different scripts."""
    is_letter = left.isalpha() or (_is_mark(left) and script_of(left) != "COMBINING")
    return is_letter and right.isalpha() and not _are_one(left, right)


def _are_one(left: str, right: str) -> bool:
    return script_of(left) == script_of(right)


#: endings of names in other grammatical cases. For Latin letters only endings that do not make another name: Paulem,
#: but not Paula
_CASES_LATIN: Final = ("owi", "ovi", "em", "om", "u", "ille", "illa", "ilta", "nak", "nek", *"ауіие", "ом", "ові")
_CASES: Final = {
    "CYRILLIC": {
        "а": ("и", "і", "ы", "у", "ою", "ой", "о", "е"), "я": ("і", "ї", "и", "ю", "єю", "ею", "ей", "е", "є"),
        "ь": ("я", "ю", "і", "и", "е", "ем", "єві", "ью"), "й": ("я", "ю", "ї", "и", "є", "єві", "єм", "ем", "е"),
        "": ("а", "у", "і", "и", "е", "ові", "ом", "ем"),
    },
    "LATIN": {"a": ("ę", "ą", "ou", "ě"), **dict.fromkeys("eiouyáéíóúäö", ()), "": _CASES_LATIN},
}  # fmt: skip
_SHORTEST_DECLINED: Final = 4


@lru_cache(maxsize=1024)
def forms_of(name: str) -> tuple[str, ...]:
    """Return a folded name and its forms in other grammatical cases, for languages that decline names."""
    scripts = {script_of(one) for one in name}
    cases = _CASES.get(next(iter(scripts)), {}) if len(scripts) == 1 else {}
    if len(name) < _SHORTEST_DECLINED or not cases:
        return (name,)
    last = name[-1] if name[-1] in cases else ""
    stem = name.removesuffix(last)
    doubled = (f"{stem}{stem[-1]}ю",) if last == "ь" else ()  # Оділлю
    return (name, *(f"{stem}{ending}" for ending in cases[last]), *doubled)


def names_one(text: str, names: Iterable[str]) -> bool:
    """Return whether a folded text contains at least one of the names as a word."""
    return any(True for _ in places_of(text, names))


def places_of(text: str, names: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each name that occurs in a folded text as a word."""
    for name in map(_folded_name, names):
        start = text.find(name) if name else -1
        while start >= 0:
            end = start + len(name)
            if starts_at(text, start) and ends_at(text, end):
                yield start, end
            start = text.find(name, start + 1)


@lru_cache(maxsize=1024)
def _folded_name(name: str) -> str:
    return fold(name)
