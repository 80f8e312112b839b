"""Quotes: what a message replies to, in a few words within its line, or whole in a block of its own."""

from collections.abc import Iterator

from shared.base.text import EntityType
from shared.planning.prompt.escaping import bracketed, clean_name, escaped, marked, quoted
from shared.planning.prompt.meta import QUOTED_CHARACTERS, Known
from shared.values.message import Author, Message, Quote

#: in the compact format a reply to one of the last few messages needs no quote: the arrow says to whom. One that is
#: meant quotes all but the last, since whoever is named may have written several
NEAR_MESSAGES = 8
NEAR_MEANT = 1
NEAR_CHARACTERS = 60


def whole_quote(reply: Quote, known: Known) -> str:
    """Return all of what a message replies to, or what of it is not shown above; empty if few words tell it."""
    if known.holds(reply) or not reply.excerpt:
        return ""
    is_above = known.shows(reply.message_id, reply.around)
    if _is_short(reply) and (is_above or not reply.around):
        return ""
    return "\n".join(_blocks(reply, is_above=is_above))


def few_words(message: Message, known: Known, *, is_meant: bool) -> str:
    """Return what a compact line quotes of what it replies to; nothing, where that stands a few lines above.

    Only the ids tell the distance, so a message reads the same however much of the conversation is shown. One that is
    meant may reply to what nobody told the agent.
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
    return f"[quoting{where} {words}{quoted(reply.excerpt, QUOTED_CHARACTERS if is_unknown else NEAR_CHARACTERS)}]"


def _is_short(reply: Quote) -> bool:
    """Whether what is quoted fits into a header as it is."""
    is_linked = any(one.type == EntityType.TEXT_LINK for one in reply.entities) and not reply.around
    is_line = "\n" not in reply.excerpt.strip() and len(reply.excerpt) <= QUOTED_CHARACTERS
    return is_line and not is_linked and not reply.media


def _blocks(reply: Quote, *, is_above: bool) -> Iterator[str]:
    where = "" if reply.message_id else ", from another chat,"
    whose = f", the words of {short_name(reply.forwarded_from)}" if reply.forwarded_from is not None else ""
    media = f"[media: {bracketed(reply.media)}]" if reply.media else ""
    if not is_above:
        cut = f": its first {len(reply.whole):,} characters" if reply.is_cut else ""
        words = "\n".join(filter(None, (media, escaped(marked(reply.whole, reply.entities)))))
        yield _block(f"quoting{where} what this replies to{whose}{cut}", words)
    if reply.around:
        which = f"a part of what this replies to{whose}" if is_above else "the part of it that is meant"
        yield _block(f"quoting {which}", escaped(reply.excerpt))


def _block(title: str, text: str) -> str:
    return f"[{title}]\n{text.strip()}".replace("\n", "\n  ")


def short_name(author: Author) -> str:
    """The name with the last six digits of the id; the agent's own name alone."""
    return clean_name(author.name) if author.is_agent else f"{clean_name(author.name)}#{abs(author.id) % 1_000_000:06d}"
