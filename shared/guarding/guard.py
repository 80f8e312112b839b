"""The leak guard: what of one prompt may not come back in a text for people, and how it is removed. Code is left out.

A text is first masked: its code spans and blocks are taken out, so that what is done to the prose leaves them as they
are, to the blank.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

import pyromark

from shared.guarding.asked import HEADINGS, TEMPLATES, Asked, asked_in
from shared.guarding.headers import header_ids, without_brackets, without_headers, without_respond
from shared.guarding.ids import Id, without_ids
from shared.guarding.speakers import without_speakers
from shared.models.message import AnyEntry, Author, Edit, Message
from shared.models.prompt import Prompt, Role
from shared.models.prompt_format import PromptFormat
from shared.prompting.closing import closing_part
from shared.prompting.quotes import short_name
from shared.prompting.scene import Scene, meanings
from shared.tasks.registry import unlockable

#: stands where code stood, with its number; Telegram shows no such character, and it is removed from the prose before
_HOLE = re.compile("\x00(\\d+)\x00")


@dataclass(frozen=True)
class Masked:
    """The prose of a text in markdown, with a numbered hole for each code span or block, and the code."""

    prose: str
    code: tuple[str, ...]

    def restored(self, prose: str) -> str:
        """A changed prose with the code put back into its holes."""
        return _HOLE.sub(lambda hole: self.code[int(hole[1])], prose)


def masked(markdown: str) -> Masked:
    """The text with its code taken out. It must be well formed: UTF-8 cannot write half a surrogate pair."""
    source = markdown.replace("\x00", "").encode()
    if b"`" not in source and b"~~~" not in source and b"    " not in source and b"\t" not in source:
        return Masked(source.decode(), ())
    code: list[str] = []
    prose, since = b"", 0
    for start, end in _code_ranges(source.decode()):
        prose += source[since:start] + b"\x00%d\x00" % len(code)
        code.append(source[start:end].decode())
        since = end
    return Masked((prose + source[since:]).decode(), tuple(code))


def _code_ranges(markdown: str) -> list[tuple[int, int]]:
    """Where code stands, in bytes of UTF-8, in order."""
    events = pyromark.events_with_range(markdown)
    return [(place["start"], place["end"]) for event, place in events if _is_code(event)]


def _is_code(event: object) -> bool:
    match event:
        case {"Code": _} | {"Start": {"CodeBlock": _}}:
            return True
    return False


#: they begin and end the closing part of a prompt. Links may be called so too, so they are removed as headers are
_BRACKETS = frozenset({"[now]", "[RESPOND]"})

_TURN = r"(?:<\|[^<>\s|]{1,40}\|>|<(?:start|end)_of_turn>)"
#: where a turn begins or ends. Between blanks, as a word of a sentence, such a mark is only talked about
_TEMPLATE = re.compile(
    rf"(?P<begin>\A(?:\s*(?:{_TURN}(?:model|assistant)\b|<\|(?:model|assistant)\|>|{_TURN}(?![ \t]+[^\s<])))+\s*)"
    rf"|(?:(?<=\S)(?<!\|>)(?<!_turn>)|^[ \t]*+){_TURN}(?:\s*+{_TURN})*+\s*+(?P<end>\Z)?",
    re.MULTILINE,
)
_TASK_HEADING = re.compile(rf"^[ \t]*#+[ \t]*«(?:{'|'.join(unlockable())})».*$", re.MULTILINE)
_BRACKETED = re.compile(r"\[(?:event|earlier|memory|summary|recalled|quoting|media|reactions|attached)\b[^\[\]\n]*\]")
_VARIABLE = re.compile(r"(?<!\{)\{([a-z_]+)\}(?!\})")
_BLANK_LINES = re.compile(r"\n{3,}")
_SPACE_BEFORE_END = re.compile(r"(?<![ \t])[ \t]++$", re.MULTILINE)


class Leak(StrEnum):
    """What of the prompt came back."""

    HEADER = "a header"
    ID = "an id"
    SPEAKER = "an author's number"
    MARKER = "a marker"
    TEMPLATE = "a mark of the chat template"
    VARIABLE = "a variable"
    PLAN = "a plan"
    CALL = "a call of a tool"
    INSTRUCTIONS = "the instructions"


@dataclass(frozen=True, kw_only=True)
class LeakGuard:
    """What is known of one prompt, and so can be recognised in the replies to it."""

    system: str
    #: all ids that stand in the prompt; the compact format has none
    ids: frozenset[Id]
    #: authors as compact lines name them: `Ann#000001`
    authors: frozenset[str]
    #: the agent's own name, if the format puts names before words; else empty
    own_name: str
    #: lull's own lines: those in brackets, and those of the closing part
    lines: frozenset[str]
    #: the values of the changing variables in the instructions
    meanings: Mapping[str, str]
    #: the names of the tools that may be called
    tools: frozenset[str] = frozenset()
    #: what the people who are answered said of all this themselves
    asked: Asked = field(default=Asked())

    @cached_property
    def normal_system(self) -> bytes:
        """The instructions' letters and digits."""
        return normal(self.system)

    def cleaned(self, text: Masked) -> tuple[str, tuple[Leak, ...]]:
        """The text without its leaks, and which they were. A text without leaks stays the same."""
        prose, leaks = text.prose, []
        for leak, clean in self._cleaners():
            before, prose = prose, clean(prose)
            if prose != before:
                leaks.append(leak)
        if leaks:
            prose = _BLANK_LINES.sub("\n\n", _SPACE_BEFORE_END.sub("", prose))
        return text.restored(prose), tuple(leaks)

    def _cleaners(self) -> Iterator[tuple[Leak, Callable[[str], str]]]:
        ids, marks, is_asked = self.ids, self.asked.marks, self.asked.is_about_ids
        yield Leak.HEADER, lambda prose: without_headers(prose, ids, is_asked=is_asked, talked_about=marks)
        yield Leak.ID, lambda prose: without_ids(prose, ids, is_asked=is_asked)
        yield Leak.MARKER, self._without_markers
        if TEMPLATES not in marks:
            yield Leak.TEMPLATE, lambda prose: _TEMPLATE.sub(_without_template, prose)
        yield Leak.SPEAKER, lambda prose: without_speakers(prose, self.authors, self.own_name)
        if HEADINGS not in marks:
            yield Leak.PLAN, lambda prose: _TASK_HEADING.sub("", prose)
        yield Leak.VARIABLE, lambda prose: _VARIABLE.sub(self._filled_in, prose)

    def _filled_in(self, variable: re.Match[str]) -> str:
        """The value of a variable of the instructions; one that people talk about stays."""
        return variable[0] if variable[1] in self.asked.marks else self.meanings.get(variable[1], variable[0])

    def _without_markers(self, prose: str) -> str:
        for line in self.lines:
            prose = prose.replace(line, "")
        prose = without_brackets(prose, talked_about=self.asked.marks)
        return without_respond(prose, is_talked_about="respond" in self.asked.marks)


def leak_guard_for(scene: Scene, prompt: Prompt) -> LeakGuard:
    """The guard of the replies to a prompt, which was made from the scene."""
    authors = frozenset(author for entry in scene.entries for author in _authors(entry))
    texts = [part for turn in prompt.turns if turn.role is Role.USER for part in turn.parts]
    brackets = (line for text in texts for line in _BRACKETED.findall(text))
    is_compact = scene.format is PromptFormat.COMPACT
    asked = asked_in(scene)
    return LeakGuard(
        system=prompt.system,
        ids=frozenset(header_ids(texts)) - asked.ids,
        authors=frozenset(short_name(author) for author in authors if not author.is_agent),
        own_name=scene.agent.front.name if is_compact else "",
        lines=frozenset((*closing_part(scene).splitlines(), *brackets)) - _BRACKETS,
        meanings=meanings(scene),
        tools=frozenset(scene.agent.tools),
        asked=asked,
    )


def _without_template(marks: re.Match[str]) -> str:
    """Nothing for marks that stand before or after all else."""
    return marks[0] if marks["begin"] is None and marks["end"] is None else ""


def normal(text: str) -> bytes:
    """What is left of a text when only letters and digits count."""
    return re.sub(r"[\W_]+", "", text.casefold()).encode("utf-8", "replace")


def _authors(entry: AnyEntry) -> Iterator[Author]:
    if isinstance(entry, Message | Edit):
        yield entry.author
    if isinstance(entry, Message):
        reply = entry.reply
        others = (entry.forwarded_from, *((reply.author, reply.forwarded_from) if reply is not None else ()))
        yield from (author for author in others if author is not None)
