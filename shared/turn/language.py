"""Language: the one in which lull says something to somebody.

It is what somebody set by /language, else what they write in, else that of their app. What they write in is told by
more than one message, and changes by more than one: a single sentence, a name or a loan word changes nothing.
"""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

from shared.base.language.languages import SMALL_WORDS
from shared.base.wording.words import Speech, Words, catalogue, languages, words_in
from shared.deciding.addressing import folded_words
from shared.deciding.names import script_of
from shared.telegram.inbound.entries import ParsedUpdate
from shared.turn.hearing import as_heard
from shared.values.chat import Chat
from shared.values.message import AnyEntry, ButtonPress, Edit, Message

#: as many of somebody's newest messages are looked at
MOST_MESSAGES: Final = 20
#: characters of a message, its begin
MOST_CHARACTERS: Final = 600
#: shorter texts tell nothing; of scripts without spaces letters are counted
LEAST_WORDS: Final = 3
LEAST_LETTERS: Final = {"ja": 6, "zh": 5, "ko": 6}
#: signs that tell a language together: of one message, and of those by which it changes
LEAST_SIGNS: Final = 2
LEAST_OF_ALL: Final = 3
#: how much a language must be told, and how much more than the next one
LEAST_SCORE: Final = 1.3
LEAST_LEAD: Final = 1.5

#: letters of languages without a catalogue, which their neighbours here do not have
_STRANGE: Final = frozenset(
    "ўјљњћђџәғқңөұүһҷҳӣӯٹڈڑںےټډړښځڅېێۆڕڵळåæøőűěřůășțəľĺŕđħġċơưđạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ"
)
#: small words of such languages; of others `shared/base/language/languages.py` has them
_OTHERS: Final = """
bg съм са това ще ли да че какво имам може искам днес утре моля благодаря няма още сега трябва
ca amb és que el la però quan on qui com meu teva avui demà si us plau perquè són els les i
hr je da se na su što kako nije sam ne i za od li sutra danas gdje kada molim hvala ali treba
kk мен сен біз бар жоқ керек емес және бүгін ертең қалай маған саған не бұл сол
mk сум дали што зошто сакам нема денес утре сега ова тоа ќе ги со
mr आहे आणि मी तू काय नाही आहेत मला तुला उद्या आज कसे करा हे ते
ne छ हो र म तिमी के छैन मलाई भोलि आज कसरी यो त्यो छन्
sk je sa na že čo ako nie som ale keď kde kto dnes zajtra prosím ďakujem už ešte treba aby
tl ang ng sa na ko mo ako ikaw ba po hindi kung ano bukas ngayon salamat mga naman yung lang
"""
#: signs of code that nobody marked as such, and how many letters one of them spoils
_OF_CODE: Final = frozenset("{}[];=<>*_\\|#$+/&^~")
LETTERS_TO_A_SIGN: Final = 20
#: signs within words
_WITHIN: Final = "'’ʼʻ\u200c"
#: of scripts without spaces, or of one language
_OF_SCRIPT: Final = {"HANGUL": "ko", "HIRAGANA": "ja", "KATAKANA": "ja", "CJK": "zh"}


@dataclass(frozen=True)
class LanguageEvidence:
    """What a text tells of its language: which one, and the words and letters that tell it."""

    language: str
    signs: frozenset[str]


NOTHING: Final = LanguageEvidence("", frozenset())


def words_for(targets: Sequence[Message], spoken: Mapping[int, str], chat: Chat) -> Words:
    """The words in the language of who is answered; in that of who wrote last in the chat, if theirs is not known.

    `spoken` are the languages of those who caused the updates that were read.
    """
    asked = (spoken.get(update, "") for message in reversed(targets) for update in message.updates)
    last = spoken[max(spoken)] if spoken else chat.locale.last_language
    return words_in(*asked, last)


def with_languages(
    read: Sequence[ParsedUpdate], window: Sequence[AnyEntry], chosen: str = "", before: str = ""
) -> list[ParsedUpdate]:
    """What was read, with the language of each who caused it.

    `chosen` is the one that somebody set for the chat; `before` the one in which the person of a private chat wrote so
    far. Both may be empty.
    """
    writers = {_writer(one.entry) for one in read} - {0}
    written: dict[int, list[Message]] = {person: [] for person in writers}
    for entry in (*window, *(one.entry for one in read)):
        if isinstance(entry, Message) and entry.author.id in written:
            written[entry.author.id].append(entry)
    theirs = {person: spoken_language(messages, before) for person, messages in written.items()}
    told = (replace(one, spoken=theirs.get(_writer(one.entry), "")) for one in read)
    return [replace(one, language=chosen or one.spoken or one.language) for one in told]


def spoken_language(written: Sequence[Message], before: str = "") -> str:
    """The language of somebody's messages, told by the last of them; `before`, if these do not tell another."""
    spoken, pending = before, NOTHING
    for message in written[-MOST_MESSAGES:]:
        told = language_evidence(folded_words(as_heard(message))[:MOST_CHARACTERS])
        if told.language and told.language == spoken:
            pending = NOTHING
        elif told.language:
            signs = pending.signs | told.signs if told.language == pending.language else told.signs
            is_sure = told.language == pending.language and len(signs) >= LEAST_OF_ALL
            spoken, pending = (told.language, NOTHING) if is_sure else (spoken, LanguageEvidence(told.language, signs))
    return spoken


def _writer(entry: AnyEntry) -> int:
    """The id of the person who wrote or pressed; 0: it is nobody's."""
    if not isinstance(entry, Message | Edit | ButtonPress) or entry.author.is_agent or entry.author.is_bot:
        return 0
    return entry.author.id


@lru_cache(maxsize=512)
def language_evidence(text: str) -> LanguageEvidence:
    """What a folded text tells of its language: nothing if it is short, mixed, code, or without a catalogue."""
    letters = Counter(map(script_of, filter(str.isalpha, text)))
    script, count = letters.most_common(1)[0] if letters else ("", 0)
    of_code = sum(one in _OF_CODE for one in text)
    if of_code >= LEAST_SIGNS and of_code * LETTERS_TO_A_SIGN >= letters.total():
        return NOTHING
    unspaced = sum(letters[one] for one in _OF_SCRIPT)
    if unspaced * 2 > letters.total():
        return _told_by_script(text, letters)
    words = _words_of(text)
    if count * 5 < letters.total() * 4 or len(words) < LEAST_WORDS or not _STRANGE.isdisjoint(text):
        return NOTHING
    return _told_by_words(words, script)


def _told_by_script(text: str, letters: Mapping[str, int]) -> LanguageEvidence:
    kana = letters["HIRAGANA"] + letters["KATAKANA"]
    language = "ko" if letters["HANGUL"] > kana + letters["CJK"] else "ja" if kana else "zh"
    signs = frozenset(one for one in text if script_of(one) in _OF_SCRIPT)
    count = sum(letters[one] for one in _OF_SCRIPT)
    is_known = (
        language in languages() and count >= LEAST_LETTERS[language] and letters["HIRAGANA"] + 1 > (language == "ja")
    )
    return LanguageEvidence(language, signs) if is_known else NOTHING


def _told_by_words(words: Sequence[str], script: str) -> LanguageEvidence:
    """The language that clearly most of the words and letters tell. One that several have counts for each in part."""
    known = _languages_with()
    signs = {part for word in words for part in _parts_of(word)} | {f"{letter}…" for word in words for letter in word}
    found, score = defaultdict[str, set[str]](set), defaultdict[str, float](float)
    for sign in signs & known.keys():
        for language in known[sign]:
            found[language].add(sign)
            score[language] += 1 / len(known[sign])
    best, second = [*sorted(score, key=score.__getitem__, reverse=True), "", ""][:2]
    most, next_most = score[best], score[second]
    is_clear = most >= LEAST_SCORE and most >= LEAST_LEAD * next_most and len(found[best]) >= LEAST_SIGNS
    is_told = is_clear and any(len(known[sign]) == 1 and not sign.endswith("…") for sign in found[best])
    return LanguageEvidence(best, frozenset(found[best])) if is_told and best in languages() else NOTHING


def _words_of(text: str) -> list[str]:
    # a vowel of Devanagari is a mark on a letter, and no letter itself
    shown = (one if one.isalpha() or unicodedata.category(one)[0] == "M" or one in _WITHIN else " " for one in text)
    return [word for piece in "".join(shown).split() if (word := piece.strip(_WITHIN))]


def _parts_of(word: str) -> Iterator[str]:
    """The word, and its parts where an apostrophe joins two: `j'aime`, `l'ho`."""
    yield word
    parts = word.replace("’", "'").split("'")
    yield from (part for part in parts if len(parts) > 1 and len(part) > 1)


@cache
def _languages_with() -> Mapping[str, tuple[str, ...]]:
    """The languages that have each word among their usual ones, and each letter that few languages have (`ї…`)."""
    others = {line[:2]: frozenset(line[3:].split()) for line in _OTHERS.strip().splitlines()}
    speeches = {language: catalogue(language).speech for language in languages()}
    found = defaultdict[str, tuple[str, ...]](tuple)
    for language in {**SMALL_WORDS, **others, **speeches}:
        speech = speeches.get(language, Speech())
        small = SMALL_WORDS.get(language, frozenset()) | others.get(language, frozenset())
        for sign in small | speech.words | {f"{letter}…" for letter in speech.letters}:
            found[sign] = (*found[sign], language)
    return dict(found)
