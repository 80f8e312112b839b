"""The leak guard: it finds parts of the prompt that the model repeats in a text for people, and removes them.

Code spans and code blocks are first replaced by numbered placeholders, so that only the prose is cleaned.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

import pyromark

from shared.planning.guard.headers import (
    header_ids,
    without_brackets,
    without_headers,
    without_respond,
    without_speakers,
)
from shared.planning.guard.ids import IdKind, TelegramId, ids_in, without_ids
from shared.planning.prompt.closing import closing_part
from shared.planning.prompt.messages import short_name
from shared.planning.prompt.scene import Scene, meanings
from shared.tasks.registry import unlockable
from shared.values.message import AnyEntry, Author, Edit, Message
from shared.values.prompt import Prompt, TurnRole

#: words for an id: `id`, `ID's`, `user_id`, `chatid`, `айди`, and those of other languages
_ID_WORD = re.compile(
    r"(?<![a-z])(?:user|chat|message|msg|thread|topic|telegram|tg|bot)?[_ -]?ids?(?![a-z])|айд[иі]|[іи]дентиф[іи]катор"
    r"|\bidentif(?:iant|icador|icativo|ikator|ier)|\bkennung|\bkiml[iı][kğ]|\bnumer|识别码|編號|编号|識別子|식별자|아이디|آیدی|معرف|आईडी"
    r"|\b(?:message|user|chat|topic|account|telegram)[ -]?numbers?\b|номер|\bnummer\b|\bnúmero\b|\bnuméro\b",
    re.IGNORECASE,
)
_MESSAGE = re.compile(
    r"(?:message|msg|nachricht|повідомлення|сообщени[ея]|mensaje|mensagem|messaggio|mesaj|wiadomość)"
    r"[ \t]*(?:nr\.?|no\.?|[#№])?[ \t]*(\d{1,19})(?!\d)",
    re.IGNORECASE,
)
_KEYS = "event|recalled|reactions|memory|summary|earlier|media|attached|quoting|cut|reminder"
_MARK = re.compile(
    rf"\[/?(?P<word>(?:meta|now|respond)(?=\])|(?:{_KEYS})(?![\w-]))"
    r"|(?P<turn><\|[^<>\s|]{1,40}\|>|<(?:start|end)_of_turn>)",
    re.IGNORECASE,
)
#: formats and topics that use the same marks as a prompt
_FORMATS = re.compile(
    r"\b(?:logs?|logging|log-?files?|toml|ya?ml|ini|config\w*|regex\w*|pars(?:e|es|ed|er|ing)|syntax|brackets?|bbcode"
    r"|front[ -]?matter|журнал\w*|лог\w{0,3}|формат\w*|дужк\w*|скобк\w*|protokoll\w*|klammern?|registros?|corchetes"
    r"|colchetes|journaux|crochets?|parentesi)\b",
    re.IGNORECASE,
)
_ASKED_VARIABLE = re.compile(r"\{([a-z_]+)\}")
_HEADING = re.compile(r"^[ \t]*#+[ \t]*«", re.MULTILINE)
#: a mark that is used as a prompt uses it, not only mentioned: alone on its line, before fields, or before a role
_IMITATED = re.compile(
    r"^[ \t]*(?:\[/?(?:meta|now|respond)\][ \t]*(?:$|(?=\w+=)|(?=\d{4}-))"
    rf"|\[/?(?:{_KEYS})\b[^\]\n]*\][ \t]*$"
    r"|(?:<\|[^<>\s|]{1,40}\|>|<(?:start|end)_of_turn>)[ \t]*(?:$|(?:system|user|model|assistant)\b))",
    re.IGNORECASE | re.MULTILINE,
)

#: two entries of `AllowedMentions.marks`: one for all marks of chat templates, one for all headings of tasks
TEMPLATES, HEADINGS = "<||>", "# «»"


@dataclass(frozen=True, kw_only=True)
class AllowedMentions:
    """The parts of a prompt that an answer may mention, because the people to be answered mentioned them."""

    #: whether the people write about ids, so that an answer may contain ids
    is_about_ids: bool = False
    #: the ids that the people wrote
    ids: frozenset[TelegramId] = frozenset()
    #: marks that people wrote: words in lull's brackets in lower case, names of variables, `TEMPLATES`, `HEADINGS`
    marks: frozenset[str] = frozenset()


def allowed_mentions(scene: Scene) -> AllowedMentions:
    """Return what the messages to be answered and their quotes mention.

    If there are no messages to be answered, the last message of a person is used.
    """
    targets = frozenset(scene.answering.targets)
    people = [entry for entry in scene.entries if isinstance(entry, Message | Edit) and not entry.author.is_agent]
    said = [entry for entry in people if entry.message_id in targets] or people[-1:]
    quoted = (text for m in said if isinstance(m, Message) and m.reply is not None for text in m.reply.words)
    return mentions_allowed_by((*(entry.text for entry in said), *quoted))


def mentions_allowed_by(texts: Iterable[str]) -> AllowedMentions:
    """Return what people's texts mention. Markers as in a prompt do not count, since people can only imitate them."""
    text = "\n".join(texts)
    messages = (TelegramId(IdKind.MESSAGE, int(number)) for number in _MESSAGE.findall(text))
    marks = {TEMPLATES if mark["turn"] else mark["word"].lower() for mark in _MARK.finditer(_IMITATED.sub("", text))}
    marks |= {"meta", *_KEYS.split("|")} if _FORMATS.search(text) else set()
    headings = {HEADINGS} if _HEADING.search(text) else set()
    return AllowedMentions(
        is_about_ids=_ID_WORD.search(text) is not None,
        ids=frozenset((*ids_in(text), *messages)),
        marks=frozenset(marks | headings | set(_ASKED_VARIABLE.findall(text))),
    )


#: the placeholder that replaces code, with its number. Telegram shows no NUL; `mask_code` removes it from texts
_HOLE = re.compile("\x00(\\d+)\x00")


@dataclass(frozen=True)
class MaskedText:
    """A markdown text split into its code and its prose. In the prose, numbered placeholders replace the code."""

    prose: str
    code: tuple[str, ...]

    def restore(self, prose: str) -> str:
        """Return `prose`, a changed version of this text's prose, with the code in place of the placeholders."""
        return _HOLE.sub(lambda hole: self.code[int(hole[1])], prose)


def mask_code(markdown: str) -> MaskedText:
    """Replace the code in a text by placeholders. The text must not contain lone surrogates."""
    source = markdown.replace("\x00", "").encode()
    if b"`" not in source and b"~~~" not in source and b"    " not in source and b"\t" not in source:
        return MaskedText(source.decode(), ())
    code: list[str] = []
    prose, since = b"", 0
    for start, end in _code_ranges(source.decode()):
        prose += source[since:start] + b"\x00%d\x00" % len(code)
        code.append(source[start:end].decode())
        since = end
    return MaskedText((prose + source[since:]).decode(), tuple(code))


def _code_ranges(markdown: str) -> list[tuple[int, int]]:
    """Return the ranges of code in order, as positions in the UTF-8 bytes."""
    events = pyromark.events_with_range(markdown)
    return [(place["start"], place["end"]) for event, place in events if _is_code(event)]


def _is_code(event: object) -> bool:
    match event:
        case {"Code": _} | {"Start": {"CodeBlock": _}}:
            return True
    return False


#: the marks around a prompt's closing part. A link may have such a label, so they are removed like headers
_BRACKETS = frozenset({"[now]", "[RESPOND]"})

_TURN = r"(?:<\|[^<>\s|]{1,40}\|>|<(?:start|end)_of_turn>)"
#: a mark that begins or ends a turn; a mark between blanks is a word of a sentence, so only a mention
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


class LeakKind(StrEnum):
    """The kind of a leak: the part of the prompt that the text repeats."""

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
    """Recognizes leaks in the replies to one prompt, by the known parts of that prompt."""

    system: str
    #: all ids in the prompt; empty for the compact format, which shows no ids
    ids: frozenset[TelegramId]
    #: authors as the lines of the compact format name them: `Ann#000001`
    authors: frozenset[str]
    #: the agent's own name, if the format puts names before texts; else empty
    own_name: str
    #: the lines that lull wrote: lines in brackets, and the lines of the closing part
    lines: frozenset[str]
    #: the values of the changing variables in the instructions
    meanings: Mapping[str, str]
    #: the names of the tools that may be called
    tools: frozenset[str] = frozenset()
    #: the mentions that are allowed, because the people who are answered made them
    asked: AllowedMentions = field(default=AllowedMentions())

    @cached_property
    def normal_system(self) -> bytes:
        """The instructions reduced to letters and digits."""
        return normal(self.system)

    def remove_leaks(self, text: MaskedText) -> tuple[str, tuple[LeakKind, ...]]:
        """Return the text without its leaks, and the kinds of the leaks. A text without leaks is returned unchanged."""
        prose, leaks = text.prose, []
        for leak, clean in self._cleaners():
            before, prose = prose, clean(prose)
            if prose != before:
                leaks.append(leak)
        if leaks:
            prose = _BLANK_LINES.sub("\n\n", _SPACE_BEFORE_END.sub("", prose))
        return text.restore(prose), tuple(leaks)

    def _cleaners(self) -> Iterator[tuple[LeakKind, Callable[[str], str]]]:
        ids, marks, is_asked = self.ids, self.asked.marks, self.asked.is_about_ids
        yield LeakKind.HEADER, lambda prose: without_headers(prose, ids, is_asked=is_asked, talked_about=marks)
        yield LeakKind.ID, lambda prose: without_ids(prose, ids, is_asked=is_asked)
        yield LeakKind.MARKER, self._without_markers
        if TEMPLATES not in marks:
            yield LeakKind.TEMPLATE, lambda prose: _TEMPLATE.sub(_without_template, prose)
        yield LeakKind.SPEAKER, lambda prose: without_speakers(prose, self.authors, self.own_name)
        if HEADINGS not in marks:
            yield LeakKind.PLAN, lambda prose: _TASK_HEADING.sub("", prose)
        yield LeakKind.VARIABLE, lambda prose: _VARIABLE.sub(self._filled_in, prose)

    def _filled_in(self, variable: re.Match[str]) -> str:
        """Return the value of a template variable. A variable that people mentioned is left as written."""
        return variable[0] if variable[1] in self.asked.marks else self.meanings.get(variable[1], variable[0])

    def _without_markers(self, prose: str) -> str:
        for line in self.lines:
            prose = prose.replace(line, "")
        prose = without_brackets(prose, talked_about=self.asked.marks)
        return without_respond(prose, is_talked_about="respond" in self.asked.marks)


def leak_guard_for(scene: Scene, prompt: Prompt) -> LeakGuard:
    """Return the guard for replies to `prompt`, which must have been made from `scene`."""
    authors = frozenset(author for entry in scene.entries for author in _authors(entry))
    texts = [part for turn in prompt.turns if turn.role is TurnRole.USER for part in turn.parts]
    brackets = (line for text in texts for line in _BRACKETED.findall(text))
    is_of_lines = scene.format.is_of_lines
    asked = allowed_mentions(scene)
    return LeakGuard(
        system=prompt.system,
        ids=frozenset(header_ids(texts)) - asked.ids,
        authors=frozenset(short_name(author) for author in authors if not author.is_agent),
        own_name=scene.agent.front.name if is_of_lines else "",
        lines=frozenset((*closing_part(scene).splitlines(), *brackets)) - _BRACKETS,
        meanings=meanings(scene),
        tools=frozenset(scene.agent.tools),
        asked=asked,
    )


def _without_template(marks: re.Match[str]) -> str:
    """Return "" for chat-template marks that precede or follow all other text; return other marks unchanged."""
    return marks[0] if marks["begin"] is None and marks["end"] is None else ""


def normal(text: str) -> bytes:
    """Return the text reduced to letters and digits."""
    return re.sub(r"[\W_]+", "", text.casefold()).encode("utf-8", "replace")


def _authors(entry: AnyEntry) -> Iterator[Author]:
    if isinstance(entry, Message | Edit):
        yield entry.author
    if isinstance(entry, Message):
        reply = entry.reply
        others = (entry.forwarded_from, *((reply.author, reply.forwarded_from) if reply is not None else ()))
        yield from (author for author in others if author is not None)
