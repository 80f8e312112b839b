"""Find and remove tool calls that a model wrote into a text for people, where nothing executes them.

Calls are found in all the notations that models use. A tool's name alone is not a call: `calculate` is also a word. A
call in a code block is an example, unless the block is labelled as a call or is the whole text.
"""

import re
from collections.abc import Iterator
from functools import lru_cache, partial

from shared.base.text import well_formed
from shared.planning.format.json_text import JsonError, JsonFault, JsonValue, next_value, read_value
from shared.planning.guard.guard import MaskedText, mask_code

#: the keys under which models write a tool's name, its arguments, and a whole call in JSON
_NAMES = ("name", "function", "tool", "tool_name", "function_name", "kind", "action")
_ARGUMENTS = frozenset({"arguments", "args", "parameters", "params", "input"})
_WRAPPINGS = ("function", "functionCall", "function_call", "tool_call", "tool_calls", "calls")

#: the labels with which models announce a call that they write as text
_LABEL = r"(?:tool_code|tool_calls?|function_calls?)"
_PLACES = r"(?:default_api|functions|tools)"
#: words other than the tool's name with which a call may begin
_WORDS = ("print", "default_api", "functions", "tools", "tool_code", "tool_call", "function_call")
_ASKED = (
    r"(?:\"(?:[^\"\\\n]|\\.)*(?:\"|\Z)|'(?:[^'\\\n]|\\.)*(?:'|\Z)|\((?:[^()\n]|\([^()\n]*\))*\)|[^()\"'\n])*+(?:\)|\Z)"
)
#: a line that is not blank
_LINE = r"(?![^\S\n]*(?:\n|\Z))[^\n]++"
_OPENING = re.compile(r"\A\s*```[ \t]*(?:json)?\s*(?=[\[{])")
_UNFINISHED_FENCE = re.compile(
    rf"\A\s*```(?:json)?\s*(?:[\[{{][^`]*`{{0,2}})?\Z|^[ \t]*(?:`{{1,2}}|```[ \t]*(?:{_LABEL}[^`]*`{{0,2}}|\w*))\Z",
    re.MULTILINE,
)


def without_calls(markdown: str, tools: frozenset[str]) -> str | None:
    """Return the text without calls of these tools; None if the text contains no calls."""
    if not any(tool in markdown for tool in tools):
        return None
    written = mask_code(well_formed(markdown))
    whole = written.restore(written.prose)
    body = _OPENING.sub("", whole).strip().removesuffix("```") if _OPENING.match(whole) else ""
    if body and "`" not in body and not _without_json(body, tools).strip():
        return ""
    kept = MaskedText(written.prose, tuple("" if _is_call_block(code, tools) else code for code in written.code))
    prose = _without_json(_call_pattern(tools).sub(partial(_without_call, tools), written.prose), tools)
    rest = kept.restore(prose)
    return rest.strip() if rest != whole else None


def may_become_call(prose: str, tools: frozenset[str]) -> int:
    """If `prose` may end with an unfinished call, return the index of that call; else `len(prose)`."""
    if not tools:
        return len(prose)
    begun = _unfinished_call_pattern(tools).search(prose)
    return min(_unfinished_json(prose), begun.start() if begun is not None else len(prose))


def unfinished_block(markdown: str) -> int:
    """Return the index of an unfinished code block that may become a call or a plan; else `len(markdown)`."""
    begun = _UNFINISHED_FENCE.search(markdown)
    return begun.start() if begun is not None else len(markdown)


@lru_cache
def _call_pattern(tools: frozenset[str]) -> re.Pattern[str]:
    """Return a pattern for `calculate(expression="2+2")`, also in `print(…)`, and for blocks labelled as calls."""
    named = rf"(?:{'|'.join(map(re.escape, sorted(tools)))})"
    one = rf"(?<![\w.])(?:{_PLACES}\.)?{named}\([ \t]*\w+[ \t]*=(?!=){_ASKED}"
    return re.compile(
        rf"(?P<block><(?P<tag>{_LABEL})>(?:(?!</(?P=tag)>).)*+(?:</(?P=tag)>)?"
        rf"|^[ \t]*{_LABEL}[ \t]*:?[ \t]*\n{_LINE}(?:\n{_LINE})*+)"
        rf"|\[[ \t]*{one}(?:[ \t]*,[ \t]*{one})*[ \t]*\]|\bprint\([ \t]*{one}[ \t]*\)?|{one}",
        re.MULTILINE | re.DOTALL,
    )


def _without_call(tools: frozenset[str], call: re.Match[str]) -> str:
    """Return the replacement of a match: "", or for a block that is labelled as a call but names no tool, the block."""
    return call[0] if call["block"] and not _names_one(tools, call[0]) else ""


def _names_one(tools: frozenset[str], text: str) -> bool:
    return any(re.search(rf"\b{re.escape(tool)}\b", text) for tool in tools)


@lru_cache
def _unfinished_call_pattern(tools: frozenset[str]) -> re.Pattern[str]:
    named = rf"(?:{'|'.join(map(re.escape, sorted(tools)))})"
    words = sorted({word[:end] for word in (*tools, *_WORDS) for end in range(1, len(word) + 1)}, key=len, reverse=True)
    return re.compile(
        rf"<(?P<tag>{_LABEL})>(?:(?!</(?P=tag)>).)*\Z"
        rf"|^[ \t]*{_LABEL}[ \t]*:?[ \t]*(?:\n(?:{_LINE}(?:\n|\Z))*+)?\Z"
        rf"|(?<![\w.])(?:print\(\s*)?(?:{_PLACES}\.)?{named}(?:\([^\n]*)?\Z"
        rf"|(?<![\w.])(?:print\(\s*)?(?:{_PLACES}\.)?(?:{'|'.join(words)})\Z"
        rf"|(?<![\w.])(?:print\(\s*|(?:print\(\s*)?{_PLACES}\.)\Z",
        re.MULTILINE | re.DOTALL,
    )


def _is_call_block(code: str, tools: frozenset[str]) -> bool:
    is_labelled = re.match(rf"[`~]{{3,}}[ \t]*{_LABEL}\b", code) is not None
    return is_labelled and _names_one(tools, code)


def _without_json(prose: str, tools: frozenset[str]) -> str:
    kept, since = "", 0
    for start, read in _values(prose):
        is_cut = isinstance(read, JsonError) and _cut_json_pattern(tools).match(prose, start) is not None
        if is_cut or (isinstance(read, JsonValue) and _is_call(read.content, tools)):
            kept, since = kept + prose[since:start], len(prose) if is_cut else read.end
            if is_cut:
                break
    return kept + prose[since:]


def _values(prose: str) -> Iterator[tuple[int, JsonValue | JsonError]]:
    position = 0
    while (start := next_value(prose, position)) >= 0:
        read = read_value(prose, start)
        yield start, read
        position = read.end


def _unfinished_json(prose: str) -> int:
    unfinished = (s for s, read in _values(prose) if isinstance(read, JsonError) and read.fault is JsonFault.CUT_OFF)
    return next(unfinished, len(prose))


@lru_cache
def _cut_json_pattern(tools: frozenset[str]) -> re.Pattern[str]:
    named = "|".join(map(re.escape, sorted(tools)))
    return re.compile(rf"[\[\s]*\{{\s*\"(?:{'|'.join(_NAMES)})\"\s*:\s*\"(?:{_PLACES}\.)?(?:{named})\"")


def _is_call(content: object, tools: frozenset[str]) -> bool:
    """Return whether a JSON value is a call of one of the tools, or contains one as its only content."""
    if isinstance(content, list):
        return any(_is_call(one, tools) for one in content)
    if not isinstance(content, dict):
        return False
    key = next((name for name in _NAMES if _is_named(content.get(name), tools)), "")
    if key and (not _ARGUMENTS.isdisjoint(content) or (key != "name" and len(content) > 1)):
        return True
    if len(content) == 1 and any(isinstance(content.get(tool), dict) for tool in tools):
        return True
    return any(_is_call(content[name], tools) for name in _WRAPPINGS if name in content)


def _is_named(value: object, tools: frozenset[str]) -> bool:
    return isinstance(value, str) and value.rpartition(".")[2] in tools
