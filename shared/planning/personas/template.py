"""Variables and conditions in prompt texts.

`{chatname}` is replaced. The text in `{if react}…{end}` is kept only if a request offers `react`. `{if json wait}`
requires all of its words; `{unless functions}` requires that none of its words is offered. Conditions may be nested.
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
#: stands for a removed mark or text; text files do not contain it
_GONE: Final = "\x00"
_GONE_LINE: Final = re.compile(rf"^[ \t]*(?:{_GONE}[ \t]*)+\n?", re.MULTILINE)
_GONE_PART: Final = re.compile(rf"[ \t]*{_GONE}(?=\n|\Z)|{_GONE}")
_BLANK_LINES: Final = re.compile(r"\n{3,}")

#: these have the same value in every plan of a chat, and people do not choose it: they are replaced in place
STABLE = frozenset({"chatid", "chattype", "botname", "botusername", "tools"})

#: these stay as written, and the end of the prompt lists their values: a value that changes would invalidate the
#: cached beginning of the prompt each time, and a value that people choose must not be part of the instructions
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
    """Return the words that conditions may use: codecs, formats, functions, kinds of task, their fields, tools."""
    fields = {name for model in unlockable().values() for name in own_fields(model)}
    return frozenset({*Codec, *PromptFormat, FUNCTIONS, *unlockable(), *fields, *tool_names()})


@cache
def own_fields(model: type[Task]) -> frozenset[str]:
    """Return the fields of a kind of task that not all tasks have."""
    return frozenset(model.model_fields) - _COMMON


@lru_cache(maxsize=256)
def compose_text(text: str, offered: frozenset[str]) -> str:
    """Return the text with each conditional part whose condition is true for the offered words, without the marks.

    `wrong_conditions` must have found no mistake in the text.
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
    """Yield the line (from 1) and the problem of each mistake in a text's conditions."""
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
    """Return the first unknown variable in a text; empty if all are known."""
    return next((name for name in _VARIABLE.findall(text) if name not in {*VARIABLES, "end"}), "")


def variables_in(text: str) -> tuple[str, ...]:
    """Return the names of the variables in a text, each once, in order."""
    return tuple(dict.fromkeys(_VARIABLE.findall(text)))


def fill(text: str, values: Mapping[str, str]) -> str:
    """Return the text with the given variables replaced. Text in a value is never replaced again."""
    return _VARIABLE.sub(lambda found: values.get(found[1], found[0]), text)


#: the maximum characters of a persona for a model with short prompts
SHORT_PERSONA: Final = 600


def short_persona(instructions: str) -> str:
    """Return the first paragraphs of a persona's instructions that fit `SHORT_PERSONA`, at least the first.

    Paragraphs with changing variables are left out, since a prompt of bare text does not contain their values.
    """
    kept, left = list[str](), SHORT_PERSONA
    for paragraph in instructions.split("\n\n"):
        if not CHANGING.isdisjoint(variables_in(paragraph)):
            continue
        if kept and len(paragraph) > left:
            break
        kept.append(paragraph.strip())
        left -= len(paragraph)
    return "\n\n".join(kept)
