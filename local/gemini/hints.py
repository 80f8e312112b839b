"""What helps a small model with a plan: the language to answer in, and which words not to begin with.

A small model drifts into the language of its instructions, and begins an answer with what it has just read. Requests
for plans end with `[RESPOND]`; others get no help.
"""

import re
from collections.abc import Iterator
from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from local.gemini.calls import Json

END = "[RESPOND]"
#: what the end of a prompt calls the chat of one person
PRIVATE = " in a private chat."
#: fewer letters show no language
LEAST_LETTERS = 10
#: as many of the last lines may be repeated
LAST_LINES = 4
#: with these the small model goes on in English, whatever language it is told; in small letters they are parts of words
ENGLISH_OPENINGS = ("Hi", "Hey", "Hello", "I", "The", "You", "Yes", "Sure", "It")

#: somebody's lines in the compact format: `Name#id: text`, or `Name#id → Name#id: text`, and what is indented below
_LINE = re.compile(r"^[^\n\[ ][^\n]*?#\d+(?: → [^\n:]+)?: (?P<text>.+(?:\n  .+)*)$", re.MULTILINE)
#: what nobody wrote: a mention, and lull's own word of a file
_MARKS = re.compile(r"@\w+|\[media: [^\]]*\]")
#: with what stands before it: after a word alone was made unlikely, an answer began with `¡` and found no end
_WORD = re.compile(r"\W*\w+")

#: the languages that are told apart, by ISO 639-1
NAMES = {
    "ar": "Arabic", "bg": "Bulgarian", "cs": "Czech", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
    "fa": "Persian", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hu": "Hungarian", "id": "Indonesian",
    "it": "Italian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian",
    "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip


def with_language(messages: list[Json]) -> list[Json]:
    """The chat with the language of the last line as an order before its end, where the line shows one."""
    texts = _texts(messages)
    language = language_of(texts[-1]) if texts else ""
    if not language:
        return messages
    asked = str(messages[-1]["content"]).removesuffix(END)
    return [*messages[:-1], {**messages[-1], "content": f"{asked}Answer in {language}.\n{END}"}]


def openings(messages: list[Json]) -> list[str]:
    """The words with which an answer would repeat the last lines, in each spelling, or leave their language."""
    texts = _texts(messages)
    words = [word[0] for text in texts[-LAST_LINES:] if (word := _WORD.match(text))]
    repeated = [form for word in words for form in (word, word.lower(), word.capitalize())]
    is_foreign = bool(texts) and language_of(texts[-1]) not in ("", "English")
    return list(dict.fromkeys((*repeated, *(ENGLISH_OPENINGS if is_foreign else ()))))


def is_said_in_private(messages: list[Json]) -> bool:
    """Whether a plan is asked for in a private chat, where somebody waits for an answer."""
    content = str(messages[-1]["content"]) if messages else ""
    return content.endswith(END) and PRIVATE in content.rpartition("\n[now]\n")[2]


def language_of(text: str) -> str:
    """The English name of a text's language; nothing if it is too short to tell."""
    if sum(letter.isalpha() for letter in text) < LEAST_LETTERS and text.isascii():
        return ""
    return NAMES[_identifier().classify(text)[0]] if any(map(str.isalpha, text)) else ""


@cache
def _identifier() -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(list(NAMES))
    return identifier


def _texts(messages: list[Json]) -> list[str]:
    """What people wrote in the last turn of a request for a plan, without mentions and files."""
    last = messages[-1] if messages else {}
    content = str(last.get("content", ""))
    if last.get("role") != "user" or not content.endswith(END):
        return []
    return list(_said(content.partition("\n[now]\n")[0]))


def _said(lines: str) -> Iterator[str]:
    for line in _LINE.finditer(lines):
        if text := _MARKS.sub("", line["text"]).strip():
            yield text
