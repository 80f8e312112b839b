"""Decides when a conversation gets a title or topics, and reads the title and topics in a model's reply."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from shared.base.text import abridge
from shared.planning.prompt.escaping import one_line
from shared.values.notes import Notes

#: the turn at which the first title is made, and the number of turns after which another is made
FIRST_TITLE_TURN: Final = 5
TURNS_BETWEEN_TITLES: Final = 10
LONGEST_TITLE: Final = 80
FEWEST_WORDS, MOST_WORDS = 2, 6
MOST_TOPICS: Final = 5
LONGEST_TOPIC: Final = 40
#: text that models write before a title: a label, a heading mark, a bullet
_LABEL: Final = re.compile(
    r"(?:#{1,6}|[-*•])\s+|[*_]{0,2}(?:title|titel|titre|t[ií]tulo|titolo|tytuł|başlık|judul|название|заголовок|назва"
    r"|标题|標題|タイトル|제목)[*_]{0,2}\s*[:：][*_]{0,2}\s*",
    re.IGNORECASE,
)
#: pairs of marks that models put around a title, and characters that are removed at its end
_PAIRS: Final = ("**", "__", "*", "_", "`", '"', "'", "“”", "„“", "„”", "«»", "»«", "‘’", "「」", "『』", "《》")
_AT_END: Final = " \t.:;,!。！：；，、"
#: places where a long title may end, and beginnings that are too vague to be a title alone: `Plan B`, `Part 2`
_BREAK: Final = re.compile(r"\s*[:：;|–—]\s+|\s+-\s+")
_NUMBERED: Final = re.compile(r"\S+\s+(?:[^\W\d_]|[0-9]{1,3}|[IVX]{1,4})")
#: words that precede a noun, and all words with which a title cannot end
_BEFORE_NOUN: Final = frozenset(
    word
    for words in (
        "a an the my your our his her their",
        "der die das des dem den ein eine einen einem einer eines im am zum zur vom beim ins",
        "mein meine meinen meinem meiner dein deine deinen deinem deiner unser unsere unseren unserem unserer",
        "el la los las un una del al mi mis tu tus le les une des du au aux mon ma mes notre nos",
        "il lo gli uno della nel nella alla os um uma da dos das no na de het een mijn onze",
    )
    for word in words.split()
)
_LEADS_ON: Final = _BEFORE_NOUN | frozenset(
    word
    for words in (
        "of to for in on at and or with from by as about into vs if when while than between before after without",
        "und oder mit für von zu auf über bei nach aus vor bis ohne zwischen wenn dass",
        "y o en con para por sobre et à pour avec dans sur si que quand cuando",
        "e i di per su em com do se che van en met voor op over als",
        "w z na do o u od dla po i oraz ve ile için dan untuk di",
        "и в на с со для о об от к по у за і й та з із про від до если что якщо щоб",
    )
    for word in words.split()
)
#: after these words, `do` is English and may end a title
_BEFORE_VERB: Final = frozenset({"to", "we", "you", "i", "they", "can"})
#: characters within a word that are not letters
_WITHIN: Final = frozenset("'ʼ\u200c\u200d")
#: Unicode categories of the characters of words, and the emoji variation selector, which belongs to no word
_OF_WORDS: Final = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "No"})
_EMOJI_STYLE: Final = "\ufe0f"
#: scripts without spaces between words: Thai, Lao, Burmese, Khmer, kana, Han (Unicode's blocks)
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


def is_title_due(notes: Notes) -> bool:
    """Return whether a conversation should get a title: the first at turn 5, another one after ten more turns.

    If a person chose the title, the answer is always False.
    """
    if notes.manually_named or notes.turns < FIRST_TITLE_TURN:
        return False
    return not notes.title or notes.turns - notes.titled_turn >= TURNS_BETWEEN_TITLES


def are_topics_due(notes: Notes) -> bool:
    """Return whether a conversation should get topics, at the same turns as titles.

    Unlike for titles, it does not matter whether a person chose the title.
    """
    if notes.turns < FIRST_TITLE_TURN:
        return False
    return not notes.topics or notes.turns - notes.titled_turn >= TURNS_BETWEEN_TITLES


def title_in(text: object) -> str:
    """Return the title in a reply: two to six words on one line, at most 80 characters; "" if there is none."""
    bare = _bare(one_line(text)) if isinstance(text, str) else ""
    title = abridge(" ".join(_first_words(bare)), LONGEST_TITLE)
    return title if len(title.split()) >= FEWEST_WORDS or _UNSPACED.search(title) else ""


def _bare(text: str) -> str:
    """Return a title without labels such as `Title:` before it, and without quotation marks or emphasis around it."""
    before = ""
    while text != before:
        before, text = text, _LABEL.sub("", text.strip(), count=1) if _LABEL.match(text.strip()) else text.strip()
        text = text.rstrip(_AT_END)
        for pair in _PAIRS:
            begin, end = (pair[0], pair[1]) if pair[0] != pair[-1] else (pair, pair)
            inner = text[len(begin) : -len(end)]
            if text.startswith(begin) and text.endswith(end) and inner and begin not in inner and end not in inner:
                text = inner
    return text


def _first_words(text: str) -> Sequence[str]:
    """Return the words of a title.

    A long title is cut at a colon, dash or the like, or else after the last word with which a title can end.
    """
    words = text.split()
    if len(words) <= MOST_WORDS:
        return words
    head = _BREAK.split(text, maxsplit=1)[0].split()
    if FEWEST_WORDS <= len(head) <= MOST_WORDS and not _NUMBERED.fullmatch(" ".join(head)):
        return head
    folded, count = [word.casefold() for word in words], MOST_WORDS
    if folded[count - 2] in _BEFORE_NOUN and folded[count] not in _LEADS_ON:
        count -= 2  # the noun may come after the cut: `with the old | flat`
    while count > FEWEST_WORDS and _leads_on(folded[count - 2], folded[count - 1]):
        count -= 1
    return [*words[: count - 1], words[count - 1].rstrip(_AT_END)]


def _leads_on(before: str, word: str) -> bool:
    return word in _LEADS_ON and not (word == "do" and before in _BEFORE_VERB)


def topics_in(given: object) -> tuple[str, ...]:
    """Return the topics in a reply, in kebab case and without duplicates. They may be given as a list or as a text with
    commas.
    """
    listed = re.split("[,;\n，、；]", given) if isinstance(given, str) else given
    texts = [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []
    return tuple(dict.fromkeys(filter(None, map(_kebab, texts))))[:MOST_TOPICS]


def _kebab(text: str) -> str:
    """Return a topic in kebab case: `Trip to Lviv` becomes `trip-to-lviv`. `+` and `#` stay at the end of a word, since
    names of languages have them.
    """
    letters = unicodedata.normalize("NFC", text.lower()).replace("’", "'")
    spaced = "".join(_letter(letters, n) for n in range(len(letters)))
    return "-".join(_within_length(word for word in spaced.split() if any(map(_is_word, word))))


def _letter(letters: str, n: int) -> str:
    """Return the character at `n` if it belongs to a word, or else a space."""
    c, before, after = letters[n], letters[n - 1 : n] if n else "", letters[n + 1 : n + 2]
    if c in "+#":
        return c if (_is_word(before) or before == c) and (not _is_word(after)) else " "
    if c in _WITHIN:
        return c if _is_word(before) and _is_word(after) else " "
    return c if _is_word(c) else " "


def _is_word(c: str) -> bool:
    """Return whether a character is a letter, a digit or a combining mark. The emoji variation selector does not count
    as one.
    """
    return bool(c) and c != _EMOJI_STYLE and unicodedata.category(c) in _OF_WORDS


def _within_length(words: Iterable[str]) -> Iterable[str]:
    left = LONGEST_TOPIC
    for word in words:
        left -= len(word) + 1
        if left < -1:
            return
        yield word
