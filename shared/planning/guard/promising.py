"""Detect texts in which the agent promises to remember something, in the languages that lull speaks.

A plan that promises to remember something but stores nothing is sent back to the model once. That costs a model call,
so only real promises must count. Memories ("I remember that you…"), offers ("shall I remember that?") and requests to
others ("I'll remind you", "remember to bring it") do not count.
"""

import re
from typing import Final

#: the characters that are written as an apostrophe
_A: Final = "['’ʼ`]"
#: one line for each phrase; a language may have several lines
_PROMISES: Final = (
    rf"\bi(?:{_A}ll| will| shall|{_A}m going to) (?:\w+ )?(?:remember|memori[sz]e|not forget|never forget)\b(?! to\b)",
    rf"\b(?:i(?:{_A}ll| will)|let me) (?:\w+ )?(?:keep|note) (?:that|this|it) (?:in mind|down)\b",
    rf"\b(?:i(?:{_A}ll| will)|let me) (?:\w+ )?make a (?:mental )?note\b",
    rf"\bi won{_A}t forget\b(?! to\b)",
    r"\bich (?:werde (?:es |das |mir |dir )*(?:\w+ )?merken|merke? (?:es |das )?mir)\b",
    r"\bmerke? ich mir\b",
    r"\bich (?:werde (?:es|das) nicht vergessen|vergesse (?:es|das) nicht|behalte (?:es|das) im kopf)\b",
    rf"\bje (?:m{_A}en|me|le|la|les) souviendrai\b",
    r"\bje (?:(?:le|la|les) )?retiendrai\b",
    rf"\bje (?:n{_A}oublierai pas|ne l{_A}oublierai pas)\b",
    r"\bje (?:le |la )?garderai (?:ça |cela )?en (?:tête|mémoire)\b",
    r"\b(?:lo|la|los|las) (?:recordaré|tendré en cuenta|tendré presente)\b",
    r"\b(?:recordaré (?:que|eso|esto)|me acordaré|no (?:lo |la )?olvidaré)\b",
    r"\b(?:me (?:lo|la|ne) ricorderò|mi ricorderò|(?:lo|la) (?:ricorderò|terrò a mente))\b",
    r"\bnon (?:lo |la |me lo |me ne )?dimenticherò\b",
    r"\b(?:vou (?:me )?lembrar|vou guardar isso|(?:me )?lembrarei|não (?:vou (?:me )?esquecer|(?:me )?esquecerei))\b",
    rf"\b(?:запам{_A}ятаю|буду пам{_A}ятати|не забуду|матиму на увазі)\b",
    r"\b(?:запомню|буду помнить|не забуду|буду иметь в виду)\b",
    r"\b(?:hatırlayacağım|aklımda tutacağım|unutmayacağım)\b",
    r"\b(?:eslab qolaman|yodda tutaman|yodimda saqlayman|unutmayman)\b",
    r"\b(?:saya|aku) (?:akan|bakal) (?:mengingat(?:nya)?|ingat|mencatat(?:nya)?)\b",
    r"\b(?:saya|aku) tidak akan (?:lupa|melupakan)\b",
    r"(?:سأتذكر|سوف أتذكر|لن أنسى)",
    r"(?:به خاطر (?:می.سپارم|خواهم سپرد)|یادم (?:می.ماند|خواهد ماند)|فراموش (?:نمی.کنم|نخواهم کرد))",
    r"याद रखू\S{0,2}ग|नहीं भूलू\S{0,2}ग",
)
_PROMISE: Final = re.compile("|".join(_PROMISES), re.IGNORECASE)
#: a sentence with its end mark, since a question promises nothing
_SENTENCE: Final = re.compile(r"[^.!?…؟।\n]+[.!?…؟।]*")
#: words that turn a sentence into an offer or a condition
_OPEN: Final = re.compile(
    r"\b(?:if you|once you|shall i|wenn du|wenn sie|si tu|si vous|si me|se mi|якщо|если)\b", re.IGNORECASE
)


def promises_to_remember(text: str) -> bool:
    """Return whether the author of a text promises to remember something from now on."""
    return any(_is_promise(sentence) for sentence in _SENTENCE.findall(text))


def _is_promise(sentence: str) -> bool:
    is_question = sentence.rstrip().endswith(("?", "؟"))
    return not is_question and _PROMISE.search(sentence) is not None and _OPEN.search(sentence) is None
