"""Variables and conditions in prompt texts.

`{chatname}` is replaced by its value. The text in `{if react}…{end}` is kept only if the request offers `react` to the
model. `{if json wait}` keeps its text only if both words are offered, and `{unless functions}` only if none of its
words is offered. Conditions may be nested.
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

#: the condition that is true if the request declares functions
FUNCTIONS: Final = "functions"
#: fields that every task has; they are no conditions, since every request would offer them
_COMMON: Final = frozenset(Task.model_fields)

_MARK: Final = re.compile(r"\{(?P<which>if|unless) (?P<words>[^{}\n]*)\}|\{(?P<end>end)\}")
#: stands for a removed mark or a removed text; no text file contains this character
_GONE: Final = "\x00"
_GONE_LINE: Final = re.compile(rf"^[ \t]*(?:{_GONE}[ \t]*)+\n?", re.MULTILINE)
_GONE_PART: Final = re.compile(rf"[ \t]*{_GONE}(?=\n|\Z)|{_GONE}")
_BLANK_LINES: Final = re.compile(r"\n{3,}")

#: variables that are replaced in place: their values are the same in every plan of a chat, and people do not choose
#: them
STABLE = frozenset({"chatid", "chattype", "botname", "botusername", "tools"})

#: variables that are not replaced; the end of the prompt lists their values. A value that changes would invalidate the
#: model's cache of the prompt's beginning each time, and a value that people choose must not become part of the
#: instructions
CHANGING = frozenset({
    "chatname", "membercount",
    "username", "userfullname", "userid", "user_pronouns", "user_memories",
    "timestamp", "date", "time",
})  # fmt: skip

VARIABLES = STABLE | CHANGING

#: a variable: a single lower-case word in braces. JSON and code in a prompt do not look like that
_VARIABLE = re.compile(r"(?<!\{)\{([a-z_]+)\}(?!\})")


@cache
def condition_words() -> frozenset[str]:
    """Return the words that conditions may use: codecs, formats, `functions`, kinds of task, their fields, tools."""
    fields = {name for model in unlockable().values() for name in own_fields(model)}
    return frozenset({*Codec, *PromptFormat, FUNCTIONS, *unlockable(), *fields, *tool_names()})


@cache
def own_fields(model: type[Task]) -> frozenset[str]:
    """Return the fields of a kind of task, except those common to all kinds."""
    return frozenset(model.model_fields) - _COMMON


@lru_cache(maxsize=256)
def compose_text(text: str, offered: frozenset[str]) -> str:
    """Return the text without `{if …}`, `{unless …}` and `{end}`, and without the parts whose conditions are false.

    `offered`: the words that are true. The text must have no mistakes in its conditions (`wrong_conditions`).
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
    """Yield each mistake in a text's conditions, as its line (from 1) and a description."""
    opened: list[int] = []
    for mark in _MARK.finditer(text):
        line = text.count("\n", 0, mark.start()) + 1
        if not mark["end"]:
            opened.append(line)
            yield from ((line, f"unknown condition {word!r}") for word in _unknown_words(mark["words"]))
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
    """Return the names of the variables in a text in order, without repetitions."""
    return tuple(dict.fromkeys(_VARIABLE.findall(text)))


def fill(text: str, values: Mapping[str, str]) -> str:
    """Return the text with the given variables replaced. A variable inside a value is not replaced."""
    return _VARIABLE.sub(lambda found: values.get(found[1], found[0]), text)


#: the maximum characters of a persona, for a model with short prompts
SHORT_PERSONA: Final = 600


def short_persona(instructions: str) -> str:
    """Return the first paragraphs of a persona's instructions that fit `SHORT_PERSONA`, and at least the first one.

    Paragraphs with variables whose values change are left out, since prompts for bare-text answers lack these values.
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
