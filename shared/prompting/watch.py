"""The watch: what of one prompt may not come back in a text for people, and how it is taken out."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from shared.models.chat import ChatKey
from shared.models.message import AnyEntry, Author, Edit, Message, Reaction
from shared.models.prompt import Prompt, PromptFormat, Role
from shared.planning.task_kinds import TASK_MODELS, THINK
from shared.prompting.code import Masked
from shared.prompting.ids import ID_FIELDS, without_ids
from shared.prompting.messages import short_name
from shared.prompting.moment import moment_of
from shared.prompting.scene import Scene, meanings

_NAME_FIELDS = "forwarded_from_name|reply_forwarded_from_name|reply_to_name|name|username"
#: what a header tells, as one expression
FIELDS = f"{ID_FIELDS}|{_NAME_FIELDS}|reply_excerpt|reply_to_other_chat|time"
_FIELD = rf"(?:{FIELDS})=(?:\"(?:[^\"\\\n]|\\.)*\"|[^\s\",;)\]]+)"
_RUN = rf"(?<![\w-]){_FIELD}(?:[ \t]+{_FIELD})*[ \t]*"
_HEADER = re.compile(rf"(?P<meta>\[/?meta\])[ \t]*(?:{_RUN})?|{_RUN}", re.IGNORECASE)
_ID = re.compile(rf"(?:{ID_FIELDS})=(-?\d+)", re.IGNORECASE)
_RESPOND = re.compile(r"\[/?respond\]", re.IGNORECASE)
_TURN = r"(?:<\|[^<>\s|]{1,40}\|>|<(?:start|end)_of_turn>)"
#: where a turn begins or ends; elsewhere they are talked about
_TEMPLATE = re.compile(rf"\A(?:\s*{_TURN}(?:model|assistant)?)+\s*|(?<!\s)(?:\s*+{_TURN})+\s*\Z")
_TASK_HEADING = re.compile(rf"^[ \t]*#+[ \t]*«(?:{'|'.join((*TASK_MODELS, THINK))})».*$", re.MULTILINE)
_BRACKETED = re.compile(r"\[(?:event|earlier|memory|summary|recalled)\b[^\[\]\n]*\]")
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
class Watch:
    """What is known of a prompt."""

    system: str
    #: all ids that stand in it
    ids: frozenset[int]
    #: authors as compact lines name them: `Ann#000001`
    authors: frozenset[str]
    #: the agent's own name, where it stands before its words; empty in the other format
    own_name: str
    #: lull's own lines: those in brackets, and those of the prompt's end
    lines: frozenset[str]
    #: what the changing variables of the instructions mean
    meanings: Mapping[str, str]
    #: the names of the tools that may be called
    tools: frozenset[str] = frozenset()

    @cached_property
    def normal_system(self) -> bytes:
        """The instructions' letters and digits."""
        return normal(self.system)

    def cleaned(self, text: Masked) -> tuple[str, tuple[Leak, ...]]:
        """The text without its leaks, and what they were; if there are none, the text is the same."""
        prose, found = text.prose, []
        for leak, clean in self._cleaners():
            before, prose = prose, clean(prose)
            if prose != before:
                found.append(leak)
        if found:
            prose = _BLANK_LINES.sub("\n\n", _SPACE_BEFORE_END.sub("", prose))
        return text.restored(prose), tuple(found)

    def _cleaners(self) -> Iterator[tuple[Leak, Callable[[str], str]]]:
        yield Leak.HEADER, lambda prose: _HEADER.sub(self._without_header, prose)
        yield Leak.ID, lambda prose: without_ids(prose, self.ids)
        yield Leak.SPEAKER, self._without_speakers
        yield Leak.MARKER, self._without_markers
        yield Leak.TEMPLATE, lambda prose: _TEMPLATE.sub("", prose)
        yield Leak.PLAN, lambda prose: _TASK_HEADING.sub("", prose)
        yield Leak.VARIABLE, lambda prose: _VARIABLE.sub(lambda v: self.meanings.get(v[1], v[0]), prose)

    def _without_header(self, header: re.Match[str]) -> str:
        """Nothing for a header or a part of one; what only looks so stays."""
        ids = {int(number) for number in _ID.findall(header[0])}
        is_run = bool(ids) and len(re.findall(_FIELD, header[0], re.IGNORECASE)) > 1
        return "" if header["meta"] or is_run or ids & self.ids else header[0]

    @cached_property
    def _speaker(self) -> re.Pattern[str] | None:
        """`Ann#000001 forwards Bob#000002 → lull:` at the begin of a line, or the author's name and number anywhere."""
        if not self.authors:
            return None
        author = "|".join(sorted(map(re.escape, self.authors), key=len, reverse=True))
        anyone = f"{author}|{re.escape(self.own_name)}" if self.own_name else author
        others = rf"(?: forwards (?:{anyone}))?(?: → (?:{anyone}))?"
        return re.compile(rf"^[ \t]*(?:{author}){others}:[ \t]*|(?:{author})(?!\d)", re.MULTILINE)

    def _without_speakers(self, prose: str) -> str:
        if self._speaker is not None:
            prose = self._speaker.sub(lambda found: "" if found[0].rstrip().endswith(":") else found[0][:-7], prose)
        if self.own_name:
            prose = re.sub(rf"\A\s*{re.escape(self.own_name)}(?: → [^\n:]{{1,80}})?:[ \t]*(?=\S)", "", prose)
        return prose

    def _without_markers(self, prose: str) -> str:
        for line in self.lines:
            prose = prose.replace(line, "")
        return _RESPOND.sub("", prose)


def watch_over(scene: Scene, prompt: Prompt) -> Watch:
    """What is to be watched for in the replies to a prompt."""
    authors = frozenset(author for entry in scene.entries for author in _authors(entry))
    texts = [part for turn in prompt.turns if turn.role is Role.USER for part in turn.parts]
    brackets = (line for text in texts for line in _BRACKETED.findall(text))
    is_compact = scene.format is PromptFormat.COMPACT
    return Watch(
        system=prompt.system,
        ids=frozenset((*_chat_ids(scene.chat.key), *(n for entry in scene.entries for n in _ids(entry)))),
        authors=frozenset(short_name(author) for author in authors if not author.is_agent),
        own_name=scene.agent.front.name if is_compact else "",
        lines=frozenset((*moment_of(scene).splitlines(), *brackets)),
        meanings=meanings(scene),
        tools=frozenset(scene.agent.tools),
    )


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


def _chat_ids(key: ChatKey) -> tuple[int, ...]:
    return (key.chat_id, key.topic_id) if key.topic_id else (key.chat_id,)


def _ids(entry: AnyEntry) -> Iterator[int]:
    if isinstance(entry, Message | Edit | Reaction):
        yield entry.message_id
    if isinstance(entry, Message) and entry.reply is not None and entry.reply.message_id:
        yield entry.reply.message_id
    yield from (author.id for author in _authors(entry) if author.id)
