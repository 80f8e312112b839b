"""Variables and conditions in the texts of prompts.

`{chatname}` is replaced. What stands in `{if react}…{end}` is there only where a request offers `react`.
`{if json wait}` asks for all of its words, `{unless functions}` for none. Conditions may stand inside each other.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache, lru_cache
from typing import Final

from shared.tasks.registry import unlockable
from shared.tasks.task import Task
from shared.tools.toolbox import tool_names
from shared.values.agent import Codec
from shared.values.prompt_format import PromptFormat

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

#: the same in every plan of a chat, and chosen by nobody who writes there: these are filled in where they stand
STABLE = frozenset({"chatid", "chattype", "botname", "botusername", "tools"})

#: these stay as they are written, and the end of the prompt says what they mean: a value that changes would cost the
#: cached beginning of the prompt with every change, and one that people choose has no place among instructions
CHANGING = frozenset({
    "chatname", "membercount",
    "username", "userfullname", "userid", "user_pronouns", "user_memories",
    "timestamp", "date", "time",
})  # fmt: skip

VARIABLES = STABLE | CHANGING

#: a variable is a lone lower-case word in braces; JSON and code in a prompt look different
_VARIABLE = re.compile(r"(?<!\{)\{([a-z_]+)\}(?!\})")


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
def compose_text(text: str, offered: frozenset[str]) -> str:
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
            yield from ((line, f"nothing is called {word!r}") for word in _unknown_words(mark["words"]))
        elif not opened:
            yield line, "there is no {if …} or {unless …} for this {end}"
        else:
            opened.pop()
    yield from ((line, "the condition that begins here has no {end}") for line in opened)


def _holds(mark: re.Match[str], offered: Collection[str]) -> bool:
    there = [word in offered for word in mark["words"].split()]
    return all(there) if mark["which"] == "if" else not any(there)


def _unknown_words(words: str) -> list[str]:
    return [word for word in words.split() or [""] if word not in condition_words()]


def unknown_variable(text: str) -> str:
    """The first variable of a text that lull does not know; empty if it knows all."""
    return next((name for name in _VARIABLE.findall(text) if name not in {*VARIABLES, "end"}), "")


def variables_in(text: str) -> tuple[str, ...]:
    """The names of the variables that stand in a text, each once, in its order."""
    return tuple(dict.fromkeys(_VARIABLE.findall(text)))


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with the variables replaced that have a value; what stands in a value is never replaced again."""
    return _VARIABLE.sub(lambda found: values.get(found[1], found[0]), text)
