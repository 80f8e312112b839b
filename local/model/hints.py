"""Finds words with which a small model should not begin an answer. Such a model tends to repeat its input, or to
switch to English.

These words are found only for prompts in plain text, which end with a remark in brackets.
"""

import re

from local.model.calls import Json

#: end of a prompt in plain text (shared/planning/prompt/closing.py)
_REMARK = re.compile(r"\(It is \w+day, .+\)")
_LANGUAGE = re.compile(r" in (?P<language>\w+)\.\)$")
#: number of last lines that may be repeated
LAST_LINES = 4
#: After these words the small model continues in English, whatever language it was told to use. Lower-case forms are
#: not listed, since they are parts of other words.
ENGLISH_OPENINGS = ("Hi", "Hey", "Hello", "I", "The", "You", "Yes", "Sure", "It")
#: the placeholder that lull writes for a file
_MARKS = re.compile(r"\[media: [^\]]*\]")
#: a word with the characters before it: when only the word was made unlikely, an answer began with `¡` and did not end
_WORD = re.compile(r"\W*\w+")
#: A Spanish answer repeats these characters without end if the words that usually follow them are made unlikely.
OPENING_SIGNS = ("¡", "¿")


def openings(messages: list[Json]) -> list[str]:
    """Return the words with which the answer should not begin: the first words of the last lines, in several spellings,
    and common English openings if the answer is not to be English. Empty if the prompt is not in plain text.

    In a group each line begins with a name, so the words after the names count as well. A line of a single word is
    ignored: it is a greeting or thanks, which the answer may repeat.
    """
    said, _, remark = str(messages[-1]["content"] if messages else "").rpartition("\n")
    if _REMARK.fullmatch(remark) is None:
        return []
    lines = [_MARKS.sub("", line).strip() for line in said.splitlines()[-LAST_LINES:]]
    texts = [text for line in lines for text in dict.fromkeys((line.partition(": ")[2], line)) if text]
    words = [word[0] for text in texts if len(text.split()) > 1 and (word := _WORD.match(text))]
    repeated = [form for word in words for form in (word, word.lower(), word.capitalize())]
    language = _LANGUAGE.search(remark)
    is_foreign = language is not None and language["language"] != "English"
    signs = OPENING_SIGNS if repeated else ()
    return list(dict.fromkeys((*repeated, *signs, *(ENGLISH_OPENINGS if is_foreign else ()))))
