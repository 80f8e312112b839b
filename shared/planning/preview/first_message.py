"""The first message of a reply that is still being written, as far as it goes and without what may become a leak."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from pydantic_core import from_json

from shared.base.text import well_formed
from shared.planning.format.json_codec import plan_items
from shared.planning.format.json_text import MAX_REPLY_CHARS, next_value
from shared.planning.format.json_tokens import Broken, Fault, read_value
from shared.planning.format.markdown_codec import item_in
from shared.planning.format.markdown_lines import fences_of, may_become_a_mark
from shared.planning.format.markdown_text import blocks_in, without_thought, wrapper_of
from shared.planning.format.raw_task import kind_of, named_fields
from shared.planning.guard.calls import may_become_call, unfinished_block
from shared.planning.guard.guard import LeakGuard, masked
from shared.planning.guard.headers import may_become_header
from shared.planning.guard.ids import may_become_id
from shared.planning.guard.review import Verdict, inspect
from shared.planning.guard.speakers import may_be_own_name, may_become_speaker
from shared.tasks.registry import traits_of
from shared.values.agent import Codec


def first_in_json(reply: str) -> str:
    """The text of the first `send` as far as it is written; empty if there is none yet or a pause comes before it."""
    for settled, so_far in _tasks_so_far(reply):
        traits, text = traits_of(kind_of(settled)), so_far.get("text")
        if traits.ends_preview:
            break
        if traits.is_text and isinstance(text, str) and text:
            return well_formed(text)
    return ""


_Fields = dict[str, object]


def _tasks_so_far(reply: str) -> Iterator[tuple[_Fields, _Fields]]:
    """The tasks in their order, each without and with the string that breaks off at the end of the reply.

    A kind that breaks off may still become another one, so a kind is read from the former and a text from the latter.
    A value that breaks off is read only if it is strict JSON so far.
    """
    position = 0
    while (start := next_value(reply, position)) >= 0:
        read = read_value(reply, start)
        position = read.end
        if isinstance(read, Broken):
            if read.fault is Fault.CUT_OFF:
                yield from _cut_off(reply[start:])
            break  # what follows may be a part of the broken value
        yield from ((fields, fields) for fields in _fields_of(read.content))


#: a string of JSON, which may break off; and what may only stand in one as an escape
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_CONTROL: Final = re.compile(r"(?<!\\)[\x00-\x1f]")


def _cut_off(beginning: str) -> Iterator[tuple[_Fields, _Fields]]:
    """The tasks of a value that breaks off. Line breaks in a string, which JSON forbids and models write, are read."""
    beginning = _STRING.sub(lambda string: _CONTROL.sub(lambda one: f"\\u{ord(one[0]):04x}", string[0]), beginning)
    try:
        settled = from_json(beginning, allow_partial=True)
        so_far = from_json(beginning, allow_partial="trailing-strings")
    except ValueError:
        return
    yield from zip(_fields_of(settled), _fields_of(so_far), strict=False)


def _fields_of(content: object) -> list[_Fields]:
    """The fields of each task of a plan, or of the one task that the value is."""
    items = plan_items(content)
    return [named_fields(item) if isinstance(item, dict) else {} for item in ([content] if items is None else items)]


def first_in_markdown(reply: str) -> str:
    """The text of the first `send` as far as it is written; empty if there is none yet or a pause comes before it."""
    spoken = without_thought(reply)
    if spoken is None:
        return ""
    lines = spoken.split("\n")
    wrapper = wrapper_of(lines)
    for block in blocks_in(_settled_lines(lines[wrapper + 1 :], is_wrapped=wrapper >= 0)):
        traits = traits_of(kind_of({"kind": block.heading.kind}))
        if traits.is_text or traits.ends_preview:
            return "" if traits.ends_preview else str(item_in(block)["text"])
    return ""


def _settled_lines(lines: Sequence[str], *, is_wrapped: bool) -> Sequence[str]:
    """The lines without those at the end that may still become something else.

    These are a last line that begins like a heading or a fence, and a code block that is still empty. In a plan with a
    fence around it, also an open code block: its fence may be the end of the plan.
    """
    if (is_wrapped or not fences_of(lines[:-1]).is_open) and may_become_a_mark(lines[-1]):
        lines = lines[:-1]
    fences = fences_of(lines)
    if fences.is_open and (is_wrapped or not any(line.strip() for line in lines[fences.openings[-1] + 1 :])):
        return lines[: fences.openings[-1]]
    return lines


_READERS: Final[Mapping[Codec, Callable[[str], str]]] = MappingProxyType(
    {Codec.JSON: first_in_json, Codec.MARKDOWN: first_in_markdown}
)


def first_text(reply: str, codec: Codec = Codec.JSON) -> str:
    """The markdown of the first `send` as far as a reply is written; empty if there is nothing to show.

    It never raises and takes time linear in the reply. It never shows a thought, another task, the spelling of the
    plan, half an escape, half a surrogate pair, or a message after a pause. (It may end between a letter and its
    accent.)
    """
    if len(reply) > MAX_REPLY_CHARS:
        return ""
    ends_in_half = reply[-1:] and "\ud800" <= reply[-1] <= "\udbff"
    return _READERS[codec](well_formed(reply[:-1] if ends_in_half else reply))


#: an end that may become a mark of the chat template, the spelling of a plan, or a variable
_BEGUN = re.compile(
    r"<[^<>\n]*\Z"
    r'|[\[{]\s*\Z|\{\s*(?:"[^"\n]*\Z|"(?:tasks|kind)"|[a-z_]*\Z)|^[ \t]*#+[ \t]*(?:«[^\n]*)?\Z',
    re.IGNORECASE | re.MULTILINE,
)
#: ends that are cut off one after the other. If a model repeats a bracket for ever, nothing of the text is shown
MOST_ENDS = 40


def safe_preview(text: str, guard: LeakGuard) -> str:
    """The text without leaks, and without an end that may become one. Empty if the text would be sent back.

    The end is shown once it is clear that it is no leak, mostly at the end of the line. Code is not checked.
    """
    text = well_formed(text)
    written = masked(text[: unfinished_block(text)])
    seen = inspect(written.restored(_settled_prose(written.prose, guard)), guard)
    return "" if seen.verdict is Verdict.SEND_BACK or may_be_own_name(seen.text, guard.own_name) else seen.text


def _settled_prose(prose: str, guard: LeakGuard) -> str:
    """The prose without ends that may become a leak. Each shorter prose has another end, which is checked again."""
    for _ in range(MOST_ENDS):
        end = min(_ends(prose, guard))
        if end == len(prose):
            return prose
        prose = prose[:end]
    return ""


def _ends(prose: str, guard: LeakGuard) -> Iterator[int]:
    """For each kind of leak, where the prose must be cut so that its end cannot become one."""
    begun = _BEGUN.search(prose)
    yield begun.start() if begun else len(prose)
    yield may_become_header(prose, guard.ids)
    yield may_become_id(prose, guard.ids)
    yield may_become_speaker(prose, guard.authors, guard.own_name)
    yield may_become_call(prose, guard.tools)
    yield from (len(prose) - _overlap(prose, one) for one in (*guard.lines, *guard.authors))


def _overlap(prose: str, line: str) -> int:
    """How many characters at the end of the prose are the beginning of one of lull's own lines."""
    longest = min(len(prose), len(line))
    return next((length for length in range(longest, 0, -1) if prose.endswith(line[:length])), 0)
