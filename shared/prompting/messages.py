"""Messages as the model reads them, in each format. What people write cannot pass for a header of any format."""

from dataclasses import dataclass, replace
from datetime import UTC, tzinfo

from shared.models.agent import Codec
from shared.models.chat_key import ChatKey
from shared.models.message import Author, Message
from shared.models.prompt_format import PromptFormat
from shared.prompting.escaping import bracketed, clean_name, escaped, quoted, without_markers
from shared.prompting.history import HistoryEvent, HistoryItem, HistoryMessage
from shared.prompting.meta import Known, full_header, meta_header

#: in the compact format a reply to one of the last few messages needs no quote: the arrow says to whom
NEAR_MESSAGES = 8
NEAR_CHARACTERS = 60

#: stands in the place of a text from outside
LEFT_OUT = "[text from outside, left out]"


@dataclass(frozen=True, slots=True)
class Written:
    """A message written for the model: who and when, and what was said."""

    header: str
    body: str

    @property
    def length(self) -> int:
        """Characters, with those that join and end the two."""
        return len(self.header) + len(self.body) + 2

    def shortened(self, longest_body: int) -> "Written":
        """The same with a body of at most so many characters."""
        return self if len(self.body) <= longest_body else replace(self, body=shortened(self.body, longest_body))


@dataclass(frozen=True, kw_only=True)
class Style:
    """How a conversation is written: the format, the chat, the time zone of its times, and the codec of its plans."""

    format: PromptFormat
    key: ChatKey
    zone: tzinfo = UTC
    codec: Codec = Codec.JSON
    #: what the agent is called: nobody else is called so without a number
    own_name: str = ""

    def unknown(self) -> Known:
        """What is known before the first line."""
        return Known(clean_name(self.own_name) if self.own_name else "")

    def written(self, said: HistoryMessage, known: Known | None = None) -> Written:
        """One person's message, where this is known. If nothing is, its header is as long as it can be."""
        body = body_of(said)
        if self.format is PromptFormat.COMPACT:
            body = indented(f"{_near_quote(said.message)}{body}")
        return Written(self.header(said.message, known or self.unknown()), body)

    def header(self, message: Message, known: Known) -> str:
        """The header of a person's message, where this is known. What it tells is known from then on."""
        if self.format is PromptFormat.FULL:
            return full_header(message, self.key, self.zone)
        is_meta = self.format is PromptFormat.META
        header = meta_header(message, known, self.zone) if is_meta else compact_header(message, known)
        known.show(message.message_id, message.text or message.media)
        return header

    def parts(self, written: Written) -> tuple[str, ...]:
        """The texts of a message in a turn."""
        if self.format is PromptFormat.COMPACT:
            return (f"{written.header} {written.body}".rstrip(),)
        return (written.header, written.body) if written.body else (written.header,)


def compact_header(message: Message, known: Known | None = None) -> str:
    """`Ann#123456 → Bob#654321:`, or `Ann#123456 forwards Cy#345678:`; without the numbers of those who are known."""
    known = known or Known()
    speaker = _compact_name(message.author, known)
    origin = message.forwarded_from
    forwards = f" forwards {_compact_name(origin, known)}" if origin is not None else ""
    target = message.reply.author if message.reply is not None else None
    arrow = f" → {_compact_name(target, known)}" if target is not None else ""
    return f"{speaker}{forwards}{arrow}:"


def _compact_name(author: Author, known: Known) -> str:
    if author.is_agent or known.meet(author):
        return short_name(author)
    name, is_clear = known.name_of(author)
    return name if is_clear else short_name(author)


def _near_quote(message: Message) -> str:
    """What a reply quotes, unless that stands a few lines above.

    Only the ids tell the distance, so a message reads the same however much of the conversation is shown.
    """
    reply = message.reply
    if reply is None or not reply.excerpt:
        return ""
    if reply.message_id and abs(message.message_id) - abs(reply.message_id) <= NEAR_MESSAGES:
        return ""
    words = f"{short_name(reply.forwarded_from)}'s words " if reply.forwarded_from is not None else ""
    where = "" if reply.message_id else ", in another chat,"
    return f"[quoting{where} {words}{quoted(reply.excerpt, NEAR_CHARACTERS)}] "


def short_name(author: Author) -> str:
    """The name with the last six digits of the id; the agent's own name alone."""
    return clean_name(author.name) if author.is_agent else f"{clean_name(author.name)}#{abs(author.id) % 1_000_000:06d}"


def body_of(said: HistoryMessage) -> str:
    """What was said: the media in brackets, the text, and whether it was edited or reacted to."""
    if said.message.is_service:
        return f"[event: {bracketed(said.text)}]"
    if said.message.reminder is not None:
        return f"[reminder: it is due now; do what it says] {escaped(said.text)}"
    media = f"[media: {bracketed(said.media)}]" if said.media else ""
    text = "\n".join(part for part in (media, escaped(said.text)) if part)
    edited = " [edited]" if said.is_edited else ""
    reactions = f" [reactions: {'; '.join(said.reactions)}]" if said.reactions else ""
    return f"{text}{edited}{reactions}"


def writer_of(item: HistoryItem) -> int:
    """Whose words caused a line: its author, or whom the agent answers there; 0: nobody is known."""
    if not isinstance(item, HistoryMessage):
        return 0
    answered = item.message.reply.author if item.message.reply is not None else None
    author = answered if item.is_own else item.message.author
    return author.id if author is not None and not author.is_agent else 0


def event_line(note: str) -> str:
    """An event as one line in a user's turn."""
    return f"[event: {bracketed(note)}]"


def indented(text: str) -> str:
    """The text with all lines but the first indented, so that none can pass for the beginning of something else."""
    return text.replace("\n", "\n  ")


def shortened(text: str, longest: int) -> str:
    """The text, with its middle cut out if it is longer than so many characters (at least 60)."""
    if len(text) <= longest:
        return text
    mark = f" [cut: {len(text):,} characters, its middle left out] "
    kept = max(0, longest - len(mark))
    return (
        without_markers(text[: kept - kept // 2].rstrip()) + mark + (text[-(kept // 2) :].lstrip() if kept > 1 else "")
    )


def without_outside(item: HistoryItem) -> HistoryItem:
    """Return the item, or what tells that there was one whose text is from outside.

    What is made of a conversation (its compression, notes and summaries) holds no such text, so it needs no mark that
    would stand on all of it for good.
    """
    if not item.outside:
        return item
    if isinstance(item, HistoryEvent):
        return replace(item, note=LEFT_OUT, outside="")
    emptied = {"text": LEFT_OUT, "media": "", "media_refs": (), "reply": None, "forwarded_from": None}
    message = item.message.model_copy(update=emptied)
    return replace(item, message=message, text=LEFT_OUT, media="", did=None, outside="")
