"""Choose the language in which lull writes to somebody.

It is the language that the person set by /language, else the language of the person's messages, else the language of
their app. The language of messages is detected from several messages, and changes only after several others. A single
sentence, a name or a loan word changes nothing.
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

#: the number of a person's newest messages that are examined
MOST_MESSAGES: Final = 20
#: the number of characters that are examined at the beginning of a message
MOST_CHARACTERS: Final = 600
#: the minimum length of a text whose language is detected: in words, or in letters for scripts without spaces
LEAST_WORDS: Final = 3
LEAST_LETTERS: Final = {"ja": 6, "zh": 5, "ko": 6}
#: the number of signs (words or letters of a language) that detect a language in one message; and below, the number in
#: all messages together that changes the language
LEAST_SIGNS: Final = 2
LEAST_OF_ALL: Final = 3
#: the minimum score of a language, and below, its minimum lead over the next language
LEAST_SCORE: Final = 1.3
LEAST_LEAD: Final = 1.5

#: letters of languages for which lull has no catalogue of texts, if no similar language with a catalogue has them
_STRANGE: Final = frozenset(
    "ўјљњћђџәғқңөұүһҷҳӣӯٹڈڑںےټډړښځڅېێۆڕڵळåæøőűěřůășțəľĺŕđħġċơưđạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ"
)
#: function words of languages without a catalogue; `shared/base/language/languages.py` has those of the others
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
#: greetings, thanks and requests that only one language has; they are enough to answer in that language
_COURTESIES: Final = """
ar مرحبا أهلا اهلا شكرا صباح مساء لوسمحت
de moin servus tschüss guten danke bitte grüß na
en hello hey thanks thank please morning
es buenas buenos gracias porfa porfavor ayúdame ayudame necesito oye estás estas haces
fa درود ممنون مرسی لطفا خوبی چطوری
fr bonjour bonsoir salut merci coucou stp svp
hi नमस्ते धन्यवाद शुक्रिया कृपया
id halo hai kabar terima kasih selamat tolong
it buongiorno buonasera salve grazie prego posso scusa
nl hoi bedankt goedemorgen goedenavond alsjeblieft dankjewel
pl cześć czesc dzień dobry dziękuję dzięki proszę siema
pt oi olá obrigado obrigada bom boa tchau
ru привет здравствуйте здравствуй спасибо пожалуйста приветик добрый
tr merhaba selam teşekkürler sağol günaydın nasılsın naber lütfen
uk привіт вітаю дякую доброго добрий прошу
uz salom rahmat qalaysiz yaxshimisiz iltimos
"""
#: characters of program code; and below, the letters for each such character under which a text counts as code
_OF_CODE: Final = frozenset("{}[];=<>*_\\|#$+/&^~")
LETTERS_TO_A_SIGN: Final = 20
#: characters that occur inside words
_WITHIN: Final = "'’ʼʻ\u200c"
#: for scripts that have no spaces, or that only one language uses, the script's language
_OF_SCRIPT: Final = {"HANGUL": "ko", "HIRAGANA": "ja", "KATAKANA": "ja", "CJK": "zh"}


@dataclass(frozen=True)
class LanguageEvidence:
    """The evidence for a text's language: the language, and the words and letters that indicate it."""

    language: str
    signs: frozenset[str]


NOTHING: Final = LanguageEvidence("", frozenset())


def words_for(targets: Sequence[Message], spoken: Mapping[int, str], chat: Chat) -> Words:
    """Return lull's texts in the language of the person answered or, if that is unknown, of the chat's last author.

    `spoken` maps the id of an update to the language of its author.
    """
    asked = (spoken.get(update, "") for message in reversed(targets) for update in message.updates)
    last = spoken[max(spoken)] if spoken else chat.locale.last_language
    return words_in(*asked, last)


def with_languages(
    read: Sequence[ParsedUpdate], window: Sequence[AnyEntry], chosen: str = "", before: str = ""
) -> list[ParsedUpdate]:
    """Return the updates, each with the language of its author.

    `chosen`: the language that was set for the chat. `before`: the language in which the person of a private chat has
    written so far. Both may be empty.
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
    """Return the language of somebody's messages; `before` unless the messages indicate another language."""
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
    """Return the id of the person who wrote a message or pressed a button; 0 if the entry has no such person."""
    if not isinstance(entry, Message | Edit | ButtonPress) or entry.author.is_agent or entry.author.is_bot:
        return 0
    return entry.author.id


@lru_cache(maxsize=512)
def language_evidence(text: str) -> LanguageEvidence:
    """Return the evidence in a case-folded text.

    The evidence is empty if the text is short, is in several languages, is code, or is in a language without a
    catalogue.
    """
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


def likely_language(text: str) -> str:
    """Return the language that a case-folded text is most likely in; empty if no word indicates a language.

    This is enough to answer one question in its own language, but not to change the language of lull's own texts.
    """
    if told := language_evidence(text).language or _language_of_script(text) or _language_of_courtesies(text):
        return told if told in languages() else ""
    words = _words_of(text)
    found, score = _scores(words)
    best, second = [*sorted(score, key=score.__getitem__, reverse=True), "", ""][:2]
    known = _languages_with()
    has_own_word = any(len(known[sign]) == 1 and not sign.endswith("…") for sign in found[best])
    is_told = has_own_word and len(found[best]) >= LEAST_SIGNS and score[best] > score[second]
    return best if is_told and best in languages() and _STRANGE.isdisjoint(text) else ""


def _language_of_script(text: str) -> str:
    """Return the language that a short text's script shows, such as Japanese, or Spanish for `¿` and `¡`; else ""."""
    if "¿" in text or "¡" in text:
        return "es"
    scripts = {_OF_SCRIPT.get(script_of(letter), "") for letter in text if letter.isalpha()}
    return next(iter(scripts), "") if len(scripts) == 1 else "ja" if scripts == {"ja", "zh"} else ""


def _language_of_courtesies(text: str) -> str:
    """Return the language of the greetings and thanks in a text; empty unless they fit exactly one language."""
    words = frozenset(_words_of(text))
    found = [line[:2] for line in _COURTESIES.strip().splitlines() if not words.isdisjoint(line[3:].split())]
    return found[0] if len(found) == 1 else ""


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
    """Return the language that most words and letters indicate, with these words and letters as evidence. The evidence
    is empty if no language is clearly ahead.
    """
    known = _languages_with()
    found, score = _scores(words)
    best, second = [*sorted(score, key=score.__getitem__, reverse=True), "", ""][:2]
    most, next_most = score[best], score[second]
    is_clear = most >= LEAST_SCORE and most >= LEAST_LEAD * next_most and len(found[best]) >= LEAST_SIGNS
    is_told = is_clear and any(len(known[sign]) == 1 and not sign.endswith("…") for sign in found[best])
    return LanguageEvidence(best, frozenset(found[best])) if is_told and best in languages() else NOTHING


def _scores(words: Sequence[str]) -> tuple[Mapping[str, set[str]], Mapping[str, float]]:
    """Return, by language, the words and letters that indicate it, and a score. If n languages share a word, it adds
    1/n to each of their scores.
    """
    known = _languages_with()
    signs = {part for word in words for part in _parts_of(word)} | {f"{letter}…" for word in words for letter in word}
    found, score = defaultdict[str, set[str]](set), defaultdict[str, float](float)
    for sign in signs & known.keys():
        for language in known[sign]:
            found[language].add(sign)
            score[language] += 1 / len(known[sign])
    return found, score


def _words_of(text: str) -> list[str]:
    # in Devanagari, vowels are marks on letters, not letters themselves
    shown = (one if one.isalpha() or unicodedata.category(one)[0] == "M" or one in _WITHIN else " " for one in text)
    return [word for piece in "".join(shown).split() if (word := piece.strip(_WITHIN))]


def _parts_of(word: str) -> Iterator[str]:
    """Yield the word. Of two words joined by an apostrophe (`j'aime`, `l'ho`), also yield those of several letters."""
    yield word
    parts = word.replace("’", "'").split("'")
    yield from (part for part in parts if len(parts) > 1 and len(part) > 1)


@cache
def _languages_with() -> Mapping[str, tuple[str, ...]]:
    """Return, for each common word and for each letter that few languages have (`ї…`), the languages that have it."""
    others = {line[:2]: frozenset(line[3:].split()) for line in _OTHERS.strip().splitlines()}
    speeches = {language: catalogue(language).speech for language in languages()}
    found = defaultdict[str, tuple[str, ...]](tuple)
    for language in {**SMALL_WORDS, **others, **speeches}:
        speech = speeches.get(language, Speech())
        small = SMALL_WORDS.get(language, frozenset()) | others.get(language, frozenset())
        for sign in small | speech.words | {f"{letter}…" for letter in speech.letters}:
            found[sign] = (*found[sign], language)
    return dict(found)
