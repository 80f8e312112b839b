"""Origins: where each text of a prompt comes from, and which texts are untrusted ("from outside").

The source of a shown text decides, not its wording. If the agent repeats an untrusted text, or a summary covers it, the
result is still untrusted.
"""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

from shared.values.described import holds_text
from shared.values.message import (
    Author,
    ButtonPress,
    Edit,
    MediaDescribed,
    Message,
    QuotedMessage,
    Reaction,
    TranscriptEntry,
)
from shared.values.origin import UNSEEN_BEFORE

FORWARD = "a forwarded message"
OTHER_BOT = "a message of another bot"
BY_PROGRAM = "what a bot or another program wrote for somebody"
SHOWN_BY_FILE = "what a picture or another file shows"
OWN_AFTER = "what the agent wrote after it had seen text from outside"
OFFERED_AFTER = "a choice or an instruction that the agent wrote after it had seen text from outside"
QUOTE = "a quote from elsewhere"
QUOTE_UNKNOWN = "a quote of what the agent wrote, perhaps after it had seen text from outside"
SUMMARY = "a summary that was made of text from outside, too"
ATTACHED = "a picture or file that the model is shown"
PLANNED_AFTER = "what was planned after text from outside was seen"
#: kinds of text that were derived from untrusted text. A plan that sees only these kinds is marked, but its messages
#: are not: otherwise the mark of a single sticker would be passed from answer to answer for ever
_DERIVED = frozenset({OWN_AFTER, OFFERED_AFTER, PLANNED_AFTER, SUMMARY, QUOTE_UNKNOWN, UNSEEN_BEFORE})


def is_derived(outside: Iterable[str]) -> bool:
    """Return whether all untrusted text that a plan saw was derived from other untrusted text."""
    return _DERIVED.issuperset(outside)


def outside_of_entry(entry: TranscriptEntry, unmarked: int = 0, seen: Mapping[str, bool] = MappingProxyType({})) -> str:
    """Return the kind of untrusted text in an entry, apart from the entry's quote; "" if there is none.

    Entries up to number `unmarked` count as trusted. `seen` maps the unique id of each described file to whether the
    file contains no text (`textless_files`).
    """
    if 0 < entry.seq <= unmarked:
        return ""
    if isinstance(entry, Message) and entry.is_of_others_words:
        return FORWARD
    author = entry.author if isinstance(entry, Message | Edit | Reaction | ButtonPress) else None
    if author is not None and author.is_bot and not author.is_agent:
        return OTHER_BOT
    if not entry.holds_outside:
        return ""
    if isinstance(entry, MediaDescribed):
        return SHOWN_BY_FILE
    if author is None or author.is_agent:
        return _outside_of_own(entry.unseen, seen) if isinstance(entry, Message) else OWN_AFTER
    if isinstance(entry, Message) and holds_text(entry):
        return SHOWN_BY_FILE
    return OFFERED_AFTER if isinstance(entry, Message) and entry.message_id < 0 else BY_PROGRAM


def _outside_of_own(unseen: Collection[str], seen: Mapping[str, bool]) -> str:
    """Return the kind of untrusted text in a message that the agent wrote after seeing such text; "" if there is none.

    `unseen`: the files because of which the message is untrusted, if they are the only reason. If `seen` says that all
    of them contain no text, the message can be trusted.
    """
    if not unseen or not all(seen.get(one, True) for one in unseen):
        return OWN_AFTER
    return "" if seen.keys() >= set(unseen) else UNSEEN_BEFORE


def outside_of_quote(quote: QuotedMessage, by: Author, *, is_known: bool) -> str:
    """Return the kind of untrusted text in a quote; "" if there is none.

    A person's own text from another chat is trusted. `is_known`: whether the quoted message is among the entries.
    """
    author = quote.author
    if not (quote.message_id or quote.holds_outside or by.is_bot) and author is not None and author.id == by.id != 0:
        return ""
    is_others = quote.forwarded_from is not None and (author is None or quote.forwarded_from.id != author.id)
    if not quote.message_id or is_others or quote.holds_outside:
        return QUOTE
    if author is not None and author.is_bot and not author.is_agent:
        return QUOTE
    is_agents = author is not None and author.is_agent
    return QUOTE_UNKNOWN if is_agents and not (is_known or quote.is_unmarked) and quote.excerpt else ""
