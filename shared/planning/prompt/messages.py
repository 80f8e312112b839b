"""Messages in the form in which the model reads them, in each format, with quotes of the messages they reply to.

People's texts cannot be mistaken for a header of any format.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo

from shared.base.text import EntityType, level
from shared.planning.prompt.escaping import clean_name, escape, in_brackets, quote_text, to_markdown, without_markers
from shared.planning.prompt.history import BY_LULL, HistoryEvent, HistoryItem, HistoryMessage, said_by_lull
from shared.planning.prompt.meta import QUOTED_CHARACTERS, SHOWN_CHARACTERS, PromptKnowledge, full_header, meta_header
from shared.values.agent import Codec
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.message import Author, Message, QuotedMessage
from shared.values.prompt_format import PromptFormat

SHORTEST = 60  #: characters that remain at least if a text is shortened
#: the text that replaces an untrusted text (text from outside the chat)
LEFT_OUT = "[text from outside, left out]"


@dataclass(frozen=True, slots=True)
class WrittenMessage:
    """A message as it is written for the model. The quote is empty if the header contains it."""

    header: str
    body: str
    quote: str = ""

    @property
    def length(self) -> int:
        """Number of characters, including the line ends between and after the texts."""
        return len(self.header) + self.text_length + 2

    @property
    def text_length(self) -> int:
        """Number of characters without the header."""
        return len(self.body) + (len(self.quote) + 1 if self.quote else 0)

    @property
    def line(self) -> str:
        """The whole message as one text."""
        between = "\n" if "\n" in self.quote else " "
        text = indent(f"{self.quote}{between if self.quote else ''}{self.body}")
        return f"{self.header} {text}".strip()

    def shorten(self, longest: int) -> "WrittenMessage":
        """Cut the quote and the body to `longest` characters together. The longer one of the two is cut first."""
        if self.text_length <= longest:
            return self
        most = level([len(self.quote), len(self.body)], longest - 1 if self.quote else longest)
        title, _, text = self.quote.partition("\n")
        left = most - len(title) - 1  # the title must stay complete, or else it is not recognized as lull's text
        quote = f"{title}\n{shorten(text, left)}" if text and left >= SHORTEST else shorten(self.quote, most)
        return replace(self, quote=quote, body=shorten(self.body, most))


@dataclass(frozen=True, kw_only=True)
class TranscriptStyle:
    """The style in which a conversation is written: format, chat, time zone, and codec of plans."""

    format: PromptFormat
    key: ChatKey
    zone: tzinfo = UTC
    codec: Codec = Codec.JSON
    #: the agent's name; anybody else with the same name gets a number
    own_name: str = ""
    #: the ids of the messages to be answered. If one of these, or an earlier message that was answered, is a reply, its
    #: quote is complete. If None, no quotes are complete
    targets: frozenset[int] | None = None

    def initial_knowledge(self) -> PromptKnowledge:
        """Return what the reader of the prompt knows before the first line."""
        return PromptKnowledge(clean_name(self.own_name) if self.own_name else "")

    def write(self, said: HistoryMessage, known: PromptKnowledge | None = None) -> WrittenMessage:
        """Return a person's message as text. Its header leaves out what the reader knows (`known`, if given)."""
        header, quote = self.heading(said.message, known or self.initial_knowledge())
        body = body_of(said)
        return WrittenMessage(header, _without_bots(body) if self.format is PromptFormat.PLAIN else body, quote)

    def heading(self, message: Message, known: PromptKnowledge) -> tuple[str, str]:
        """Return the header of a person's message, and the quote; the quote is empty if the header contains it.

        `known` is updated with what the header and the quote tell the reader.
        """
        is_meant = self._is_meant(message)
        block = whole_quote(message.reply, known) if message.reply is not None and is_meant else ""
        excerpt = SHOWN_CHARACTERS if block else QUOTED_CHARACTERS
        if self.format is PromptFormat.PLAIN:
            block = block or few_words(message, known, is_meant=is_meant)
            header = "" if self.key.is_private else f"{clean_name(message.author.name)}:"
        elif self.format is PromptFormat.COMPACT:
            block = block or few_words(message, known, is_meant=is_meant)
            header = compact_header(message, known)
        elif self.format is PromptFormat.META:
            header = meta_header(message, known, self.zone, excerpt)
        else:
            header = full_header(message, self.key, self.zone, excerpt)
        known.show(message.message_id, message.text or message.media)
        return header, block

    def _is_meant(self, message: Message) -> bool:
        was_answered = message.decision is not None and message.decision.respond
        return self.targets is not None and (was_answered or message.message_id in self.targets)

    def parts(self, written: WrittenMessage) -> tuple[str, ...]:
        """Return the texts that a message becomes in a turn."""
        if self.format.is_of_lines:
            return (written.line,)
        return (written.header, *filter(None, (written.quote, written.body)))


#: every bot's username ends in `bot` (core.telegram.org/bots/features#botfather)
_BOT_MENTION = re.compile(r"@\w+bot\b[,:]?\s*", re.IGNORECASE | re.ASCII)


def _without_bots(text: str) -> str:
    """Return the text without mentions of bots, since these only call the bot; unchanged if no text remains."""
    return _BOT_MENTION.sub("", text).strip() or text


def compact_header(message: Message, known: PromptKnowledge | None = None) -> str:
    """Return `Ann#123456 → Bob#654321:` or `Ann#123456 forwards Cy#345678:`; people introduced above have no number."""
    known = known or PromptKnowledge()
    speaker = _compact_name(message.author, known)
    origin = message.forwarded_from
    forwards = f" forwards {_compact_name(origin, known)}" if origin is not None else ""
    target = message.reply.author if message.reply is not None else None
    arrow = f" → {_compact_name(target, known)}" if target is not None else ""
    return f"{speaker}{forwards}{arrow}:"


def _compact_name(author: Author, known: PromptKnowledge) -> str:
    if author.is_agent or known.meet(author):
        return short_name(author)
    name, is_clear = known.name_of(author)
    return name if is_clear else short_name(author)


def body_of(said: HistoryMessage) -> str:
    """Return the content of a message: media in brackets, the text, and marks for an edit and for reactions."""
    if said.message.is_service:
        return f"[event: {in_brackets(said.text)}]"
    if said.message.reminder is not None:
        return f"[reminder: it is due now; do what it says] {escape(said.text)}"
    media = f"[media: {in_brackets(said.media)}]" if said.media else ""
    text, edited = "\n".join(filter(None, (media, escape(said.text)))), " [edited]" if said.is_edited else ""
    reactions = f" [reactions: {'; '.join(said.reactions)}]" if said.reactions else ""
    return f"{text}{edited}{reactions}"


def writer_of(item: HistoryItem) -> int:
    """Return the id of the person who wrote an item, or whom the agent answers with the item; 0 if unknown."""
    if not isinstance(item, HistoryMessage):
        return 0
    answered = item.message.reply.author if item.message.reply is not None else None
    author = answered if item.is_own else item.message.author
    return author.id if author is not None and not author.is_agent else 0


def event_line(note: str) -> str:
    """Return an event as one line of a user's turn."""
    return f"[event: {in_brackets(note)}]"


def notes_of(message: Message, said: str = "") -> str:
    """Return the lines below a message of the agent: lull's text `said`, and the sources that the agent looked up."""
    found = (f"you had looked up: {one}" for one in message.looked_up)
    return "\n".join(map(event_line, (*([said_by_lull(BY_LULL, said)] if said else []), *found)))


def indent(text: str) -> str:
    """Return the text with all lines but the first indented, so that no line looks like the start of another item."""
    return text.replace("\n", "\n  ")


def shorten(text: str, longest: int) -> str:
    """Return the text; if it is longer than `longest` (at least `SHORTEST`) characters, its middle is cut out."""
    if len(text) <= longest:
        return text
    mark = f" [cut: {len(text):,} characters, its middle left out] "
    kept = max(0, longest - len(mark))
    end = text[-(kept // 2) :].lstrip() if kept > 1 else ""
    return f"{without_markers(text[: kept - kept // 2].rstrip())}{mark}{end}"


def without_outside(item: HistoryItem) -> HistoryItem:
    """Return the item; if its text is untrusted, return an item that only says that a text was left out.

    So data made from a conversation (its compression, notes and summaries) contains no untrusted text, and need not be
    treated as untrusted forever.
    """
    if not item.outside:
        return item
    if isinstance(item, HistoryEvent):
        return replace(item, note=LEFT_OUT, outside="")
    return replace(
        item,
        message=evolve(
            item.message, text=LEFT_OUT, media="", media_refs=(), reply=None, forwarded_from=None, looked_up=()
        ),
        text=LEFT_OUT,
        media="",
        did=None,
        outside="",
    )


#: the days in English, independent of the machine's locale
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def day_name(at: datetime) -> str:
    """Return a date with its weekday, so that the reader can work out which day "tomorrow" meant."""
    return f"{_WEEKDAYS[at.weekday()]} {at:%Y-%m-%d}"


def day_heading(at: datetime) -> str:
    """Return the line that stands above the messages of a day."""
    return f"== {day_name(at)} ==\n"


#: the distances in message ids up to which a reply in the compact format needs no quote, since the arrow names the
#: author. A message to be answered needs a quote unless it replies to the message directly before, since the author may
#: have written several
NEAR_MESSAGES = 8
NEAR_MEANT = 1
NEAR_CHARACTERS = 60


def whole_quote(reply: QuotedMessage, known: PromptKnowledge) -> str:
    """Return the complete quote of a reply, or the part not shown above; empty if a short quote or none is enough."""
    if known.holds(reply) or not reply.excerpt:
        return ""
    is_above = known.shows(reply.message_id, reply.around)
    if _is_short(reply) and (is_above or not reply.around):
        return ""
    return "\n".join(_blocks(reply, is_above=is_above))


def few_words(message: Message, known: PromptKnowledge, *, is_meant: bool) -> str:
    """Return the short quote for a line of the compact format; empty if the quoted message is only a few lines above.

    The distance is measured by ids alone, so the quote does not depend on how much of the conversation is shown. There
    is one exception: a message to be answered (`is_meant`) gets its quote at any distance if the quoted message is not
    shown completely.
    """
    reply = message.reply
    if reply is None or not reply.excerpt:
        return ""
    is_unknown = is_meant and not known.holds(reply)
    near = NEAR_MEANT if is_meant else NEAR_MESSAGES
    is_near = reply.message_id and abs(message.message_id) - abs(reply.message_id) <= near
    if is_near and not is_unknown:
        return ""
    where = "" if reply.message_id else ", in another chat,"
    words = f"{short_name(reply.forwarded_from)}'s words " if reply.forwarded_from is not None else ""
    return f"[quoting{where} {words}{quote_text(reply.excerpt, QUOTED_CHARACTERS if is_unknown else NEAR_CHARACTERS)}]"


def _is_short(reply: QuotedMessage) -> bool:
    """Return whether the quote fits unchanged into a header."""
    is_linked = any(one.type == EntityType.TEXT_LINK for one in reply.entities) and not reply.around
    is_line = "\n" not in reply.excerpt.strip() and len(reply.excerpt) <= QUOTED_CHARACTERS
    return is_line and not is_linked and not reply.media


def _blocks(reply: QuotedMessage, *, is_above: bool) -> Iterator[str]:
    where = "" if reply.message_id else ", from another chat,"
    whose = f", the words of {short_name(reply.forwarded_from)}" if reply.forwarded_from is not None else ""
    media = f"[media: {in_brackets(reply.media)}]" if reply.media else ""
    if not is_above:
        cut = f": its first {len(reply.whole):,} characters" if reply.is_cut else ""
        words = "\n".join(filter(None, (media, escape(to_markdown(reply.whole, reply.entities)))))
        yield _block(f"quoting{where} what this replies to{whose}{cut}", words)
    if reply.around:
        which = f"a part of what this replies to{whose}" if is_above else "the part of it that is meant"
        yield _block(f"quoting {which}", escape(reply.excerpt))


def _block(title: str, text: str) -> str:
    return f"[{title}]\n{text.strip()}".replace("\n", "\n  ")


def short_name(author: Author) -> str:
    """Return the name with the last six digits of the id. The agent's own name has no digits."""
    return clean_name(author.name) if author.is_agent else f"{clean_name(author.name)}#{abs(author.id) % 1_000_000:06d}"
