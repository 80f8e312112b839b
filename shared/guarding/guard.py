"""The watch: what of one prompt may not come back in a text for people, and how it is taken out."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from shared.guarding.code import Masked
from shared.guarding.headers import header_ids, without_headers, without_respond, without_speakers
from shared.guarding.ids import Id, without_ids
from shared.models.message import AnyEntry, Author, Edit, Message
from shared.models.prompt import Prompt, PromptFormat, Role
from shared.prompting.messages import short_name
from shared.prompting.moment import moment_of
from shared.prompting.scene import Scene, meanings
from shared.tasks.registry import unlockable

#: around the end of a prompt; they are links' texts as well, so they are looked for as headers are
_BRACKETS = frozenset({"[now]", "[RESPOND]"})

_TURN = r"(?:<\|[^<>\s|]{1,40}\|>|<(?:start|end)_of_turn>)"
#: where a turn begins or ends; as a word of a sentence, between blanks, it is talked about
_TEMPLATE = re.compile(
    rf"(?P<begin>\A(?:\s*(?:{_TURN}(?:model|assistant)\b|<\|(?:model|assistant)\|>|{_TURN}(?![ \t]+[^\s<])))+\s*)"
    rf"|(?:(?<=\S)(?<!\|>)(?<!_turn>)|^[ \t]*+){_TURN}(?:\s*+{_TURN})*+\s*+(?P<end>\Z)?",
    re.MULTILINE,
)
_TASK_HEADING = re.compile(rf"^[ \t]*#+[ \t]*«(?:{'|'.join(unlockable())})».*$", re.MULTILINE)
_BRACKETED = re.compile(r"\[(?:event|earlier|memory|summary|recalled|quoting|media|reactions)\b[^\[\]\n]*\]")
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
    #: all ids that stand in it; in the compact format there are none
    ids: frozenset[Id]
    #: authors as compact lines name them: `Ann#000001`
    authors: frozenset[str]
    #: the agent's own name, where names stand before words; empty in the other format
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
        yield Leak.HEADER, lambda prose: without_headers(prose, self.ids)
        yield Leak.ID, lambda prose: without_ids(prose, self.ids)
        yield Leak.MARKER, self._without_markers
        yield Leak.TEMPLATE, lambda prose: _TEMPLATE.sub(_without_template, prose)
        yield Leak.SPEAKER, lambda prose: without_speakers(prose, self.authors, self.own_name)
        yield Leak.PLAN, lambda prose: _TASK_HEADING.sub("", prose)
        yield Leak.VARIABLE, lambda prose: _VARIABLE.sub(lambda v: self.meanings.get(v[1], v[0]), prose)

    def _without_markers(self, prose: str) -> str:
        for line in self.lines:
            prose = prose.replace(line, "")
        return without_respond(prose)


def watch_over(scene: Scene, prompt: Prompt) -> Watch:
    """What is to be watched for in the replies to a prompt."""
    authors = frozenset(author for entry in scene.entries for author in _authors(entry))
    texts = [part for turn in prompt.turns if turn.role is Role.USER for part in turn.parts]
    brackets = (line for text in texts for line in _BRACKETED.findall(text))
    is_compact = scene.format is PromptFormat.COMPACT
    return Watch(
        system=prompt.system,
        ids=frozenset(header_ids(texts)),
        authors=frozenset(short_name(author) for author in authors if not author.is_agent),
        own_name=scene.agent.front.name if is_compact else "",
        lines=frozenset((*moment_of(scene).splitlines(), *brackets)) - _BRACKETS,
        meanings=meanings(scene),
        tools=frozenset(scene.agent.tools),
    )


def _without_template(found: re.Match[str]) -> str:
    """Nothing for marks that stand before or after all else."""
    return found[0] if found["begin"] is None and found["end"] is None else ""


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
