"""The preview of an answer: a draft that shows the first message while the model writes it, without possible leaks.

The message itself never waits for its draft.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from pydantic_core import from_json

from shared.base.errors import ChannelError, NotDelivered
from shared.base.logs import log
from shared.base.text import FormattedText, well_formed
from shared.base.wording.words import Words
from shared.chat.flood import DraftPace, FloodGate
from shared.llm.ports.world import MessagingChannel
from shared.llm.reading_progress import watch_reading
from shared.planning.format.json_codec import plan_items
from shared.planning.format.json_text import MAX_REPLY_CHARS, JsonError, JsonFault, escape_tex, next_value, read_value
from shared.planning.format.markdown_codec import item_in
from shared.planning.format.markdown_text import blocks_in, fences_of, may_become_a_mark, without_thought, wrapper_line
from shared.planning.format.raw_task import kind_of, named_fields
from shared.planning.guard.calls import may_become_call, unfinished_block
from shared.planning.guard.guard import LeakGuard, mask_code
from shared.planning.guard.headers import may_be_own_name, may_become_header, may_become_speaker
from shared.planning.guard.ids import may_become_id
from shared.planning.guard.review import TextVerdict, inspect_text
from shared.tasks.registry import traits_of
from shared.telegram.markdown.cutting import is_boundary
from shared.telegram.markdown.render import render
from shared.values.agent import Codec
from shared.values.channel import Recipient

#: the seconds that the end of an answer waits for a draft on its way, lest the draft arrive after the message
LAST_SECONDS = 0.5


async def always() -> bool:
    """Return True: every draft is wanted."""
    return True


@dataclass(frozen=True)
class DraftSender:
    """Sends the drafts of one bot. Each process has only one sender, which keeps the time of the next draft."""

    channel: MessagingChannel
    pace: DraftPace = field(default_factory=DraftPace)
    last_s: float = LAST_SECONDS
    #: the flood waits of all instances, as this instance last read them
    gate: FloodGate | None = None

    @asynccontextmanager
    async def answer(
        self,
        to: Recipient,
        draft_id: int,
        read: Callable[[str], str],
        is_wanted: Callable[[], Awaitable[bool]] = always,
        words: Words | None = None,
    ) -> "AsyncIterator[Draft]":
        """Yield a draft for an `async with` block. Until the block ends, people see the texts that `Draft.offer` gets.

        If `words` (a catalogue) are given and the model reports its progress, the draft first says how much of the
        prompt the model has read.

        `read` turns an offered text into markdown. `draft_id` must not be 0, and must be the same throughout one
        answer. Telegram has drafts only in private chats. `is_wanted` is called before each draft is sent; once it
        returns False, no more drafts are sent.
        """
        draft = Draft(self, to, draft_id, read)
        draft.is_wanted = is_wanted
        showing = asyncio.create_task(draft.show())

        def show_reading(read: int, total: int) -> None:
            if words is not None:
                draft.offer_status(words.say("talk.reading", percent=100 * read // total) if read < total else "")

        try:
            with watch_reading(show_reading):
                yield draft
        finally:
            draft.is_over = True
            try:
                if draft.is_leaving:
                    await asyncio.wait({showing}, timeout=self.last_s)
            finally:
                showing.cancel()
            await asyncio.wait({showing})
            if not showing.cancelled() and (broken := showing.exception()):
                log(f"a draft could not be shown ({type(broken).__name__})")


class Draft:
    """An answer that is being written, as people see it in a draft."""

    def __init__(self, drafting: DraftSender, to: Recipient, draft_id: int, read: Callable[[str], str]) -> None:
        """Create a draft. Callers use `DraftSender.answer` instead."""
        self._channel, self._gate = drafting.channel, drafting.gate
        self._pace: DraftPace = drafting.pace
        self._to, self._id, self._read = to, draft_id, read
        self._told = self._status = ""
        self._news = asyncio.Event()
        #: whether any draft was shown
        self.is_shown = False
        self.is_leaving = False
        self.is_over = False
        self.is_wanted: Callable[[], Awaitable[bool]] = always

    def offer(self, text: str) -> None:
        """Offer the text written so far, from its start. Returns at once."""
        self._told = text
        self._news.set()

    def offer_status(self, status: str) -> None:
        """Offer a text on the model's progress, which is shown until the answer begins. Returns at once."""
        self._status = status
        self._news.set()

    async def show(self) -> None:
        """Show the offered texts until the answer is complete, its first message is full, or a draft fails."""
        shown: FormattedText | None = None
        is_full = False
        await self._news.wait()
        await asyncio.sleep(self._pace.first_s)
        while not (is_full or self.is_over):
            await self._news.wait()
            if self._gate is not None and self._gate.known_until(self._to.flood_chat) is not None:
                log("no drafts of this answer: Telegram told the bot to wait, in this chat or in all")
                return
            if wait_s := self._pace.wait_s(self._to):
                await asyncio.sleep(wait_s)
                continue
            self._news.clear()
            parts = visible_parts(self._read(self._told)) or self._status_parts()
            if parts and parts[0] != shown:
                if not await self.is_wanted():
                    log("no more drafts of this answer: it is no longer wanted")
                    return
                if self.is_over:  # the complete message is sent next
                    return
                if not await self._leaves(parts[0]):
                    return
                shown, is_full = parts[0], len(parts) > 1

    def _status_parts(self) -> tuple[FormattedText, ...]:
        return (FormattedText(self._status),) if self._status and not self._told else ()

    async def _leaves(self, part: FormattedText) -> bool:
        """Send one draft. Return whether another draft may be sent."""
        self._pace.take(self._to)
        self.is_leaving = True
        try:
            await self._channel.draft(self._to, self._id, part)
        except ChannelError as error:
            if isinstance(error, NotDelivered) and error.retry_after is not None:
                self._pace.hold_off(error.retry_after)
            log(f"no more drafts of this answer: {error}")
            return False
        finally:
            self.is_leaving = False
        self.is_shown = True
        return True


#: the minimum number of characters for a draft: most shorter answers are complete before their draft would arrive
FIRST_LETTERS = 20

_FENCE = re.compile(r"^[ ]{0,3}(?:```|~~~)", re.MULTILINE)
#: text that cannot hold emphasis marks: escaped characters, and code spans
_LITERAL = re.compile(r"\\.|(?P<marks>`+)(?!`).*?(?<!`)(?P=marks)(?!`)", re.DOTALL)
#: marks of emphasis. A star before a blank is a list item or a plain star; a tag before a blank is only mentioned
_MARK = re.compile(
    r"\*\*|~~|(?<!\|)\|\|(?![|\s]|$)|(?<=[^\s|])\|\|(?!\|)|\*(?![\s*]|$)|(?<=\S)\*|`+"
    r"|<(?:b|strong|i|em|u|ins|s|del|code|kbd|mark|su[bp]|tg-spoiler)>(?!\s|$)|</[a-z-]{1,10}>"
)
#: complete code spans and formulas
_WHOLE = re.compile(
    r"(?P<marks>`+)(?!`).*?(?<!`)(?P=marks)(?!`)|\\\(.*?\\\)|\\\[.*?\\\]|\$\$.+?\$\$|(?<!\\)\$(?=\S)[^$\n]+(?<!\s)\$(?!\w)",
    re.DOTALL,
)
#: the beginning of a formula, unlike that of a price or of a variable in a program
_BEGUN_FORMULA = re.compile(
    r"(?:(?<!\\)\\[(\[]|\$\$|(?<![\w$\\])\$"
    r"(?:(?=[\\(|]|[A-Z](?!\w)|[a-z](?![a-z_]{2})|\d+[a-z]?[=+*^_\\])[^$\n]{0,120}|\Z))[^$]*\Z"
)


def visible_parts(markdown: str) -> tuple[FormattedText, ...]:
    """Return a text that is still being written, split into messages; a draft shows the first one.

    Empty if there is too little text yet. The last letter is left out, because its accent or the rest of an emoji may
    follow. Emphasis that is not closed yet is shown as emphasis, a formula only once it is complete.
    """
    end = len(markdown) - 1
    while end > 0 and not is_boundary(markdown, end):
        end -= 1
    return render(with_closed_marks(markdown[:end])) if end >= FIRST_LETTERS else ()


def with_closed_marks(markdown: str) -> str:
    """Return the text with closing marks for the emphasis that is open at its end. An open code block needs none."""
    if len(_FENCE.findall(markdown)) % 2:
        return markdown
    start = markdown.rfind("\n\n") + 1
    begun = _BEGUN_FORMULA.search(_WHOLE.sub(lambda whole: "x" * len(whole[0]), markdown[start:]))
    text = markdown[: start + begun.start()] if begun else markdown
    text = text.rstrip(" \n").rstrip("*~`|").rstrip(" \n")
    paragraph = text[text.rfind("\n\n") + 1 :]
    return text + "".join(reversed(list(_open_marks(_LITERAL.sub("", paragraph)))))


def _open_marks(paragraph: str) -> Iterator[str]:
    """Yield the closing mark for each mark that is open at the end, in the order of opening."""
    opened: dict[str, str] = {}
    for mark in (found.group() for found in _MARK.finditer(paragraph)):
        begin = mark.replace("</", "<")
        if begin in opened:
            del opened[begin]
        elif "`" not in "".join(opened) and begin == mark:  # inside code, no other mark opens
            opened[mark] = mark.replace("<", "</")
    yield from opened.values()


def first_in_json(reply: str) -> str:
    """Return the first message's text so far; "" if there is none, or if a task that ends the preview precedes it."""
    for settled, so_far in _tasks_so_far(reply):
        traits, text = traits_of(kind_of(settled)), so_far.get("text")
        if traits.ends_preview:
            break
        if traits.is_text and isinstance(text, str) and text:
            return well_formed(text)
    return ""


_Fields = dict[str, object]


def _tasks_so_far(reply: str) -> Iterator[tuple[_Fields, _Fields]]:
    """Yield each task so far in two forms: without the string that is cut off at the reply's end, and with that string.

    A kind that is cut off may still become another kind, so kinds are read from the first form, and texts from the
    second. A value that is cut off is read only if it is strict JSON so far.
    """
    position = 0
    while (start := next_value(reply, position)) >= 0:
        read = read_value(reply, start)
        position = read.end
        if isinstance(read, JsonError):
            if read.fault is JsonFault.CUT_OFF:
                yield from _tasks_of_cut_value(reply[start:])
            break  # the text after a broken value may be a part of that value
        yield from ((fields, fields) for fields in _fields_of(read.content))


#: a JSON string, which may be cut off; and characters that must be escaped in one
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_CONTROL: Final = re.compile(r"(?<!\\)[\x00-\x1f]")


def _tasks_of_cut_value(beginning: str) -> Iterator[tuple[_Fields, _Fields]]:
    """Yield the tasks of a cut-off value, each in the two forms of `_tasks_so_far`. Strings may have raw line ends."""
    beginning = escape_tex(beginning)
    beginning = _STRING.sub(lambda string: _CONTROL.sub(lambda one: f"\\u{ord(one[0]):04x}", string[0]), beginning)
    try:
        settled = from_json(beginning, allow_partial=True)
        so_far = from_json(beginning, allow_partial="trailing-strings")
    except ValueError:
        return
    yield from zip(_fields_of(settled), _fields_of(so_far), strict=False)


def _fields_of(content: object) -> list[_Fields]:
    """Return the fields of each task of a plan, or of a single task."""
    items = plan_items(content)
    return [named_fields(item) if isinstance(item, dict) else {} for item in ([content] if items is None else items)]


def first_in_markdown(reply: str) -> str:
    """Return the first message's text so far; "" if there is none, or if a task that ends the preview precedes it."""
    spoken = without_thought(reply)
    if spoken is None:
        return ""
    lines = spoken.split("\n")
    wrapper = wrapper_line(lines)
    for block in blocks_in(_settled_lines(lines[wrapper + 1 :], is_wrapped=wrapper >= 0)):
        traits = traits_of(kind_of({"kind": block.heading.kind}))
        if traits.is_text or traits.ends_preview:
            return "" if traits.ends_preview else str(item_in(block)["text"])
    return ""


def _settled_lines(lines: Sequence[str], *, is_wrapped: bool) -> Sequence[str]:
    """Return the lines, except for lines at the end that may still become something else.

    These are a last line that begins like a heading or a fence, and a code block that is still empty. If a fence
    surrounds the whole plan, an open code block is left out too, since its fence may be the end of the plan.
    """
    if (is_wrapped or not fences_of(lines[:-1]).is_open) and may_become_a_mark(lines[-1]):
        lines = lines[:-1]
    fences = fences_of(lines)
    if fences.is_open and (is_wrapped or not any(line.strip() for line in lines[fences.openings[-1] + 1 :])):
        return lines[: fences.openings[-1]]
    return lines


_READERS: Final[Mapping[Codec, Callable[[str], str]]] = MappingProxyType(
    {Codec.JSON: first_in_json, Codec.MARKDOWN: first_in_markdown, Codec.TEXT: str.strip}
)


def first_text(reply: str, codec: Codec = Codec.JSON) -> str:
    """Return the markdown of the plan's first message, as far as it is written; empty if there is nothing to show.

    Never raises, and takes time linear in the length of the reply. Never shows a thought, another task, the syntax of
    the plan, half an escape, half a surrogate pair, or a message after a wait. (The text may end between a letter and
    its accent.)
    """
    if len(reply) > MAX_REPLY_CHARS:
        return ""
    ends_in_half = reply[-1:] and "\ud800" <= reply[-1] <= "\udbff"
    return _READERS[codec](well_formed(reply[:-1] if ends_in_half else reply))


#: an ending that may still become a mark of the chat template, a part of the plan's syntax, or a variable
_BEGUN = re.compile(
    r"<[^<>\n]*\Z"
    r'|[\[{]\s*\Z|\{\s*(?:"[^"\n]*\Z|"(?:tasks|kind)"|[a-z_]*\Z)|^[ \t]*#+[ \t]*(?:«[^\n]*)?\Z',
    re.IGNORECASE | re.MULTILINE,
)
#: the maximum number of cuts; if a model repeats a bracket for ever, more would be needed, and nothing is shown
MOST_ENDS = 40


def safe_preview(text: str, guard: LeakGuard) -> str:
    """Return the streamed text without leaks, and without an ending that may still become a leak.

    Returns "" if the review would send the reply back. An ending is shown once it is clearly no leak, usually as soon
    as its line is complete. Code is not checked.
    """
    text = well_formed(text)
    written = mask_code(text[: unfinished_block(text)])
    seen = inspect_text(written.restore(_settled_prose(written.prose, guard)), guard)
    return "" if seen.verdict is TextVerdict.SEND_BACK or may_be_own_name(seen.text, guard.own_name) else seen.text


def _settled_prose(prose: str, guard: LeakGuard) -> str:
    """Return the prose without endings that may still become a leak: after a cut, the new ending is checked too."""
    for _ in range(MOST_ENDS):
        end = min(_safe_ends(prose, guard))
        if end == len(prose):
            return prose
        prose = prose[:end]
    return ""


def _safe_ends(prose: str, guard: LeakGuard) -> Iterator[int]:
    """Yield, for each kind of leak, where the prose must be cut so that its ending cannot become such a leak."""
    begun = _BEGUN.search(prose)
    yield begun.start() if begun else len(prose)
    yield may_become_header(prose, guard.ids)
    yield may_become_id(prose, guard.ids)
    yield may_become_speaker(prose, guard.authors, guard.own_name)
    yield may_become_call(prose, guard.tools)
    yield from (len(prose) - _overlap(prose, one) for one in (*guard.lines, *guard.authors))


def _overlap(prose: str, line: str) -> int:
    """Return how many characters at the end of the prose are the beginning of `line`, one of lull's own lines."""
    longest = min(len(prose), len(line))
    return next((length for length in range(longest, 0, -1) if prose.endswith(line[:length])), 0)
