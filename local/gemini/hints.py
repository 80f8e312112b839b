"""Words with which a small model should not begin an answer: it repeats what it has just read, or turns to English.

A prompt of bare words ends with a remark in brackets, by which it is known. Other requests get no help.
"""

import re

from local.gemini.calls import Json

#: how a prompt of bare words ends (shared/planning/prompt/closing.py)
_REMARK = re.compile(r"\(It is \w+day, .+\)")
_LANGUAGE = re.compile(r" in (?P<language>\w+)\.\)$")
#: as many of the last lines may be repeated
LAST_LINES = 4
#: with these the small model goes on in English, whatever language it is told; in small letters they are parts of words
ENGLISH_OPENINGS = ("Hi", "Hey", "Hello", "I", "The", "You", "Yes", "Sure", "It")
#: lull's own word of a file
_MARKS = re.compile(r"\[media: [^\]]*\]")
#: with what stands before it: after a word alone was made unlikely, an answer began with `¡` and found no end
_WORD = re.compile(r"\W*\w+")


def openings(messages: list[Json]) -> list[str]:
    """Return the words that begin the last lines, in each spelling, and English ones if the answer is not in English.

    In a group the words after the names count as well, since the name stands before each line.
    """
    said, _, remark = str(messages[-1]["content"] if messages else "").rpartition("\n")
    if _REMARK.fullmatch(remark) is None:
        return []
    lines = [_MARKS.sub("", line).strip() for line in said.splitlines()[-LAST_LINES:]]
    texts = [text for line in lines for text in dict.fromkeys((line.partition(": ")[2], line)) if text]
    words = [word[0] for text in texts if (word := _WORD.match(text))]
    repeated = [form for word in words for form in (word, word.lower(), word.capitalize())]
    language = _LANGUAGE.search(remark)
    is_foreign = language is not None and language["language"] != "English"
    return list(dict.fromkeys((*repeated, *(ENGLISH_OPENINGS if is_foreign else ()))))
