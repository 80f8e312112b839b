"""Cuts a transcript into segments: consecutive messages of at most 150 words.

Cutting again from the start of any segment gives the same segments. A turn that fits into one segment is never split,
so that a new turn changes only one segment.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Final

from shared.base.language.terms import parts_of, terms_of, words_in
from shared.base.logs import log
from shared.base.text import starts_with_command
from shared.chat.terms import Segmenter
from shared.planning.prompt.origins import outside_of_entry
from shared.recall.store.segments import SegmentRecord
from shared.values.chat import Chat
from shared.values.decision import DecisionTier
from shared.values.described import textless_files
from shared.values.evolve import evolve
from shared.values.media import MediaRef
from shared.values.message import AnyEntry, Author, Edit, MediaDescribed, Message
from shared.values.place import place_of
from shared.values.segment import Segment, SegmentMessage, SegmentStart

#: the largest number of words in a segment
MOST_WORDS: Final = 150
#: so many bytes of a text and its terms count as at least one word, since text without words takes room too
WORD_BYTES: Final = 100


@dataclass(frozen=True, kw_only=True)
class SegmentedConversation:
    """Data of a conversation. Each segment of the conversation has a copy of this data."""

    conversation: str
    agent: str
    place: str
    chat: str
    #: IETF language tag of the chat; "" if unknown
    language: str = ""


def segments_from(
    entries: Iterable[AnyEntry], at: SegmentStart, about: SegmentedConversation, outside_of: Callable[[AnyEntry], str]
) -> tuple[Segment, ...]:
    """Return the segments from `at` on. The last one is open: entries may still be added to it. Return () if there is
    no searchable text.

    `entries` are the transcript's entries from `at.seq` to the end, in order; earlier ones are ignored. `outside_of`
    returns which kind of untrusted text an entry contains, or "" (`shared/planning/prompt/origins.py`).
    """
    later = (entry for entry in entries if entry.seq >= at.seq)
    parts = [part for entry in later for part in _parts(entry, about, outside_of)]
    groups = _group([part for part in parts if (part.seq, part.part) >= (at.seq, at.part)])
    found: list[Segment] = []
    before = at.terms_before
    for number, messages in enumerate(groups, at.number):
        found.append(
            Segment(
                conversation=about.conversation,
                number=number,
                agent=about.agent,
                place=about.place,
                chat=about.chat,
                messages=tuple(messages),
                terms_before=before,
            )
        )
        before += sum(terms_count(one.terms) for one in messages)
    return tuple(found)


def terms_count(terms: str) -> int:
    """Return the number of search terms of a message, which are stored as one text with spaces."""
    return terms.count(" ") + 1 if terms else 0


def _group(parts: Sequence[SegmentMessage]) -> list[list[SegmentMessage]]:
    groups: list[list[SegmentMessage]] = []
    words = 0
    for turn in _turns(parts):
        lengths = [_length(part) for part in turn]
        # a segment begins within a turn only if the turn is longer than a segment, and then the turn begins a segment
        is_next = not groups or words + sum(lengths) > MOST_WORDS
        for part, length in zip(turn, lengths, strict=True):
            # each further part of a long message begins a segment, so that cutting from such a part gives the same
            # segments
            if is_next or words + length > MOST_WORDS or part.part:
                groups.append([])
                words = 0
            is_next = False
            groups[-1].append(part)
            words += length
    return groups


def _length(part: SegmentMessage) -> int:
    """Return the number of words that this part of a message adds to the length of a segment."""
    size = len(part.text.encode(errors="replace")) + len(part.terms.encode(errors="replace"))
    return max(words_in(part.text), -(-size // WORD_BYTES))


def _turns(parts: Sequence[SegmentMessage]) -> Iterator[Sequence[SegmentMessage]]:
    """Yield the parts of each turn together. A part that belongs to no turn is yielded alone."""
    for _, turn in groupby(parts, lambda part: part.turn or (part.seq, part.part)):
        yield tuple(turn)


def _parts(
    entry: AnyEntry, about: SegmentedConversation, outside_of: Callable[[AnyEntry], str]
) -> Iterator[SegmentMessage]:
    said = searched_text(entry)
    if said is None:
        return
    for number, text in enumerate(parts_of(said.text, MOST_WORDS)):
        yield SegmentMessage(
            seq=entry.seq,
            part=number,
            message_id=said.message_id,
            turn=said.turn,
            at=entry.at,
            author=said.author.id,
            name=said.author.name,
            is_agent=said.author.is_agent,
            text=text,
            terms=" ".join(terms_of(text, about.language)),
            outside=outside_of(entry),
        )


@dataclass(frozen=True, kw_only=True)
class SearchedText:
    """The text of an entry that search can find."""

    author: Author
    message_id: int
    text: str
    turn: int = 0


#: the author that the description of a file gets
_FILE: Final = Author(id=0, name="a file")


def searched_text(entry: AnyEntry) -> SearchedText | None:
    """Return the text of an entry that search can find; None if there is none. For an edit it is the new text, for a
    file the description.
    """
    match entry:
        case Message() | Edit() if entry.decision is not None and entry.decision.tier is DecisionTier.ACCESS:
            return None  # the author gets no answers here, so search does not find the text
        case Message() if not (entry.is_command or entry.is_service or entry.is_by_lull or entry.reminder):
            text = _join(entry.text, _media(entry.media, entry.media_refs))
            said = SearchedText(author=entry.author, message_id=entry.message_id, turn=entry.turn, text=text)
        case Edit() if not starts_with_command(entry.entities):
            text = _join(entry.text, _media(entry.media, entry.media_refs))
            said = SearchedText(author=entry.author, message_id=entry.message_id, text=text)
        case MediaDescribed() if entry.message_ids:
            text = _join(entry.description.visible_content, entry.description.says)
            said = SearchedText(author=_FILE, message_id=entry.message_ids[-1], text=text)
        case _:
            return None
    return said if said.text else None


def _media(words: str, refs: Sequence[MediaRef]) -> str:
    """Return a text that lists the files of a message with their descriptions."""
    known = [one.description for one in refs if one.description is not None]
    told = (text for one in known for text in (one.visible_content, one.says) if text)
    inside = _join(words, *told, by=": ")
    return f"[{inside}]" if inside else ""


def _join(*texts: str, by: str = " ") -> str:
    return by.join(text.strip() for text in texts if text.strip())


def segment_chat(chat: Chat, entries: Sequence[AnyEntry]) -> tuple[Chat, Sequence[Segment]]:
    """Divide the entries into segments, beginning at the start of the chat's open segment. Return the chat with the new
    open segment, and all new segments.

    `entries` are the newest ones of the conversation. If they begin after the start of the open segment, the entries in
    between are in no segment until segments are rebuilt.
    """
    start = chat.recall.segment
    if entries and entries[0].seq > start.seq:
        log("a part of a conversation is in no segment", conversation=chat.conversation)
        # keep the stored open segment, since it cannot be made again from these entries
        start = evolve(start, number=start.number + 1, seq=entries[0].seq, part=0)
    about = SegmentedConversation(
        conversation=chat.conversation,
        agent=chat.key.agent,
        place=place_of(chat.key),
        chat=chat.key.id,
        language=chat.locale.last_language,
    )
    segments = segments_from(entries, start, about, partial(outside_of_entry, seen=textless_files(entries)))
    if not segments and not entries:
        return chat, ()
    after = segments[-1].start if segments else evolve(start, seq=entries[-1].seq + 1, part=0)
    return chat.with_part(evolve(chat.recall, segment=after)), segments


SEGMENTING = Segmenter(cut=segment_chat, record=SegmentRecord)
