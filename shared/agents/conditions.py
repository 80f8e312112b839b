"""Conditions in the texts of prompts: what stands in `{if react}…{end}` is there only where a request offers `react`.

`{if json wait}` asks for all of its words, `{unless functions}` for none. Conditions may stand inside each other.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from typing import Final

from shared.models.agent import Codec
from shared.models.prompt_format import PromptFormat
from shared.tasks.registry import unlockable
from shared.tasks.task import Task
from shared.tools.toolbox import tool_names

#: the word for requests that declare any function
FUNCTIONS: Final = "functions"
#: fields that every task has, so no request lacks them
_COMMON: Final = frozenset(Task.model_fields)

_MARK: Final = re.compile(r"\{(?P<which>if|unless) (?P<words>[^{}\n]*)\}|\{(?P<end>end)\}")
#: stands where a mark or a left-out text was; no file of text has it
_GONE: Final = "\x00"
_GONE_LINE: Final = re.compile(rf"^[ \t]*(?:{_GONE}[ \t]*)+\n?", re.MULTILINE)
_GONE_PART: Final = re.compile(rf"[ \t]*{_GONE}(?=\n|\Z)|{_GONE}")
_BLANK_LINES: Final = re.compile(r"\n{3,}")


@cache
def condition_words() -> frozenset[str]:
    """Every word that a condition may ask for: codecs, formats, functions, kinds of task, their fields, and tools."""
    fields = {name for model in unlockable().values() for name in own_fields(model)}
    return frozenset({*Codec, *PromptFormat, FUNCTIONS, *unlockable(), *fields, *tool_names()})


@cache
def own_fields(model: type[Task]) -> frozenset[str]:
    """The fields in which a kind of task differs from others."""
    return frozenset(model.model_fields) - _COMMON


@lru_cache(maxsize=256)
def composed(text: str, offered: frozenset[str]) -> str:
    """The text with those of its conditional parts that hold for what is offered, and without the marks.

    `wrong_conditions` must have found nothing in it.
    """
    pieces, done, shown = [], 0, [True]
    for mark in _MARK.finditer(text):
        pieces.append(text[done : mark.start()] if shown[-1] else "")
        pieces.append(_GONE)
        done = mark.end()
        if mark["end"]:
            shown.pop()
        else:
            shown.append(shown[-1] and _holds(mark, offered))
    whole = _GONE_LINE.sub("", "".join((*pieces, text[done:])))
    return _BLANK_LINES.sub("\n\n", _GONE_PART.sub("", whole)).strip()


def wrong_conditions(text: str) -> Iterator[tuple[int, str]]:
    """For each mistake in a text's conditions its line, from 1, and what is wrong."""
    opened: list[int] = []
    for mark in _MARK.finditer(text):
        line = text.count("\n", 0, mark.start()) + 1
        if not mark["end"]:
            opened.append(line)
            yield from ((line, f"nothing is called {word!r}") for word in _unknown(mark["words"]))
        elif not opened:
            yield line, "there is no {if …} or {unless …} for this {end}"
        else:
            opened.pop()
    yield from ((line, "the condition that begins here has no {end}") for line in opened)


def _holds(mark: re.Match[str], offered: Collection[str]) -> bool:
    there = [word in offered for word in mark["words"].split()]
    return all(there) if mark["which"] == "if" else not any(there)


def _unknown(words: str) -> list[str]:
    return [word for word in words.split() or [""] if word not in condition_words()]
