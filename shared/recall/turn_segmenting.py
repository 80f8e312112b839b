"""Segmenting: a chat's newest entries as the segments by which they are found, from the open one on."""

from collections.abc import Sequence
from functools import partial

from shared.base.logs import log
from shared.chat.terms import Segmenting
from shared.planning.prompt.origins import of_entry
from shared.recall.documents.segments import SegmentState
from shared.recall.matching.segmenting import SegmentedConversation, segments_from
from shared.values.chat import Chat
from shared.values.described import seen_files
from shared.values.evolve import evolve
from shared.values.message import AnyEntry
from shared.values.place import place_of
from shared.values.segment import Segment


def segmented(chat: Chat, entries: Sequence[AnyEntry]) -> tuple[Chat, Sequence[Segment]]:
    """The chat with where its open segment begins now, and the segments from the one that was open.

    `entries`: the conversation's newest. If they begin after the open segment, what lies between is found again only
    when the segments are rebuilt: so it is where an older version wrote it.
    """
    start = chat.recall.segment
    if entries and entries[0].seq > start.seq:
        log("some of a conversation is in no segment", conversation=chat.conversation)
        # the open one stays as it is written: it cannot be made again from here
        start = evolve(start, number=start.number + 1, seq=entries[0].seq, part=0)
    about = SegmentedConversation(
        conversation=chat.conversation,
        agent=chat.key.agent,
        place=place_of(chat.key),
        chat=chat.key.id,
        language=chat.locale.last_language,
    )
    segments = segments_from(entries, start, about, partial(of_entry, seen=seen_files(entries)))
    if not segments and not entries:
        return chat, ()
    after = segments[-1].start if segments else evolve(start, seq=entries[-1].seq + 1, part=0)
    return chat.with_part(evolve(chat.recall, segment=after)), segments


SEGMENTING = Segmenting(cut=segmented, record=SegmentState)
