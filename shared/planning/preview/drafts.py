"""Drafts: an answer is shown while it is written. The message itself never waits for its draft."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from shared.base.errors import ChannelError, NotDelivered
from shared.base.logs import log
from shared.base.text import FormattedText
from shared.chat.flood import DraftPace, FloodGate
from shared.llm.ports.world import Channel
from shared.telegram.markdown.cutting import is_boundary
from shared.telegram.markdown.render import render
from shared.values.channel import Recipient

#: how long the end of an answer waits for a draft that is being sent, so that it does not arrive after the message
LAST_SECONDS = 0.5


async def always() -> bool:
    """The rule of a draft that is wanted as long as it is written."""
    return True


@dataclass(frozen=True)
class Drafting:
    """Shows the drafts of one bot. Each instance has one, which remembers when the next draft may be sent."""

    channel: Channel
    pace: DraftPace = field(default_factory=DraftPace)
    last_s: float = LAST_SECONDS
    #: the flood waits of all instances, as far as this one has read them
    gate: FloodGate | None = None

    @asynccontextmanager
    async def answer(
        self,
        to: Recipient,
        draft_id: int,
        read: Callable[[str], str],
        is_wanted: Callable[[], Awaitable[bool]] = always,
    ) -> "AsyncIterator[Draft]":
        """A draft that shows the texts given to its `offer` while the block runs. Nothing of it outlives the block.

        `read` makes markdown of an offered text. `draft_id` is not 0, and the same for one answer. Telegram has drafts
        in private chats only. `is_wanted` is asked before each draft; after it said no there is none.
        """
        draft = Draft(self, to, draft_id, read)
        draft.is_wanted = is_wanted
        showing = asyncio.create_task(draft.show())
        try:
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
    """One answer that is being written."""

    def __init__(self, drafting: Drafting, to: Recipient, draft_id: int, read: Callable[[str], str]) -> None:
        """Made by `Drafting.answer`."""
        self._channel, self._pace, self._gate = drafting.channel, drafting.pace, drafting.gate
        self._to, self._id, self._read = to, draft_id, read
        self._told = ""
        self._news = asyncio.Event()
        #: whether anybody has seen something of it
        self.is_shown = False
        self.is_leaving = False
        self.is_over = False
        self.is_wanted: Callable[[], Awaitable[bool]] = always

    def offer(self, text: str) -> None:
        """All that is written so far; it returns at once."""
        self._told = text
        self._news.set()

    async def show(self) -> None:
        """Show the offered texts until the answer is over, its first message is full, or a draft fails."""
        shown: FormattedText | None = None
        is_full = False
        await self._news.wait()
        await asyncio.sleep(self._pace.first_s)
        while not (is_full or self.is_over):
            await self._news.wait()
            if self._gate is not None and self._gate.known_until(self._to.chat_id) is not None:
                log("no drafts of this answer: the chat, or the bot as a whole, was told to wait")
                return
            if wait_s := self._pace.wait_s(self._to):
                await asyncio.sleep(wait_s)
                continue
            self._news.clear()
            parts = visible_parts(self._read(self._told))
            if parts and parts[0] != shown:
                if not await self.is_wanted():
                    log("no more drafts of this answer: nobody waits for it any more")
                    return
                if self.is_over:  # meanwhile; what was written whole is sent next
                    return
                if not await self._leaves(parts[0]):
                    return
                shown, is_full = parts[0], len(parts) > 1

    async def _leaves(self, part: FormattedText) -> bool:
        """Send one draft. Returns whether another may be sent."""
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


#: fewer letters are not worth a draft: most short answers arrive before it would
FIRST_LETTERS = 20

_FENCE = re.compile(r"^[ ]{0,3}(?:```|~~~)", re.MULTILINE)
#: text without marks of emphasis: characters with a backslash before them, and spans of code
_LITERAL = re.compile(r"\\.|(?P<marks>`+)(?!`).*?(?<!`)(?P=marks)(?!`)", re.DOTALL)
#: marks of emphasis. A star before a blank is an item of a list, or a sign; a tag before a blank is talked about
_MARK = re.compile(
    r"\*\*|~~|(?<!\|)\|\|(?![|\s]|$)|(?<=[^\s|])\|\|(?!\|)|\*(?![\s*]|$)|(?<=\S)\*|`+"
    r"|<(?:b|strong|i|em|u|ins|s|del|code|kbd|mark|su[bp]|tg-spoiler)>(?!\s|$)|</[a-z-]{1,10}>"
)
#: code and formulas that are whole
_WHOLE = re.compile(
    r"(?P<marks>`+)(?!`).*?(?<!`)(?P=marks)(?!`)|\\\(.*?\\\)|\\\[.*?\\\]|\$\$.+?\$\$|(?<!\\)\$(?=\S)[^$\n]+(?<!\s)\$(?!\w)",
    re.DOTALL,
)
#: a formula that has begun: it is shown when it is whole. A price, or a variable of a program, is none
_BEGUN_FORMULA = re.compile(
    r"(?:(?<!\\)\\[(\[]|\$\$|(?<![\w$\\])\$"
    r"(?:(?=[\\(|]|[A-Z](?!\w)|[a-z](?![a-z_]{2})|\d+[a-z]?[=+*^_\\])[^$\n]{0,120}|\Z))[^$]*\Z"
)


def visible_parts(markdown: str) -> tuple[FormattedText, ...]:
    """The messages that show an unfinished text; a draft shows the first. None if there is too little text yet.

    The last letter is left out, because its accent or the rest of an emoji may follow. Emphasis that is not closed yet
    is shown without its marks, and a formula when it is whole.
    """
    end = len(markdown) - 1
    while end > 0 and not is_boundary(markdown, end):
        end -= 1
    return render(with_closed_marks(markdown[:end])) if end >= FIRST_LETTERS else ()


def with_closed_marks(markdown: str) -> str:
    """The text with closing marks for the emphasis that is open at its end. Code blocks need none."""
    if len(_FENCE.findall(markdown)) % 2:
        return markdown
    start = markdown.rfind("\n\n") + 1
    begun = _BEGUN_FORMULA.search(_WHOLE.sub(lambda whole: "x" * len(whole[0]), markdown[start:]))
    text = markdown[: start + begun.start()] if begun else markdown
    text = text.rstrip(" \n").rstrip("*~`|").rstrip(" \n")
    paragraph = text[text.rfind("\n\n") + 1 :]
    return text + "".join(reversed(list(_open_marks(_LITERAL.sub("", paragraph)))))


def _open_marks(paragraph: str) -> Iterator[str]:
    """The closing marks for those that are opened and not closed, in the order of these."""
    opened: dict[str, str] = {}
    for mark in (found.group() for found in _MARK.finditer(paragraph)):
        begin = mark.replace("</", "<")
        if begin in opened:
            del opened[begin]
        elif "`" not in "".join(opened) and begin == mark:  # in code nothing else begins
            opened[mark] = mark.replace("<", "</")
    yield from opened.values()
