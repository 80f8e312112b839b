"""Findings: what a segment that was found is told as, and whether the filters let it through."""

from datetime import UTC, datetime

from shared.models.recalled import TITLED_OUTSIDE, Finding, Wanted
from shared.models.segment import Segment, SegmentMessage, SegmentNote
from shared.ports.search import ConversationNotes
from shared.search.scoring import Question, Scored
from shared.search.snippets import snippet_of


def holds(segment: Segment, wanted: Wanted) -> bool:
    """Whether a segment is one that is wanted: of the conversation, the person and the days, and not shown already."""
    if wanted.conversation and segment.conversation != wanted.conversation:
        return False
    if wanted.person and not any(is_by(one, wanted.person) for one in segment.messages):
        return False
    shown = wanted.shown
    if shown is not None and segment.conversation == shown.conversation and segment.first_seq >= shown.from_seq:
        return False
    days = [one.at.astimezone(wanted.zone).date() for one in (segment.messages[0], segment.messages[-1])]
    is_early = wanted.since is not None and days[1] < wanted.since
    return not is_early and not (wanted.until is not None and days[0] > wanted.until)


def is_by(message: SegmentMessage, person: str) -> bool:
    """Whether somebody wrote a message: a person by their id, or by a part of their name."""
    return str(message.author) == person or person.casefold() in message.name.casefold()


def is_in(about: ConversationNotes | None, chat: str) -> bool:
    """Whether a conversation is of a chat that is called so, by a part of its name."""
    return not chat or (about is not None and chat.casefold() in about.chat_title.casefold())


def finding_of(one: Scored, question: Question, wanted: Wanted, about: ConversationNotes | None) -> Finding:
    """A segment as it is told, with what is known of its conversation."""
    segment = one.candidate.segment
    people = {one.author for one in segment.messages if wanted.person and is_by(one, wanted.person)}
    snippet = snippet_of(segment, question.terms, people)
    turns = [message.turn for message in segment.messages if message.turn] or [0]
    return Finding(
        conversation=segment.conversation,
        title=about.title if about else "",
        title_outside=TITLED_OUTSIDE if about and about.title_holds_outside else "",
        chat=segment.chat,
        place=segment.place,
        chat_title=about.chat_title if about else "",
        first_turn=min(turns),
        last_turn=max(turns),
        first_seq=segment.first_seq,
        last_seq=segment.last_seq,
        people=tuple(dict.fromkeys(one.author for one in segment.messages if not one.is_agent)),
        message_id=snippet.message.message_id,
        at=snippet.message.at,
        snippet=snippet.text,
        # a line for each message: none of them can pass for another's
        text="\n".join(f"{' '.join(m.name.split())}: {' '.join(m.text.split())}" for m in segment.messages),
        score=min(1.0, one.score),
        fit=one.fit,
        topics=about.topics if about else (),
        notes=newest_first(segment.notes),
        outside=segment.outside,
        messages=segment.messages,
        said=tuple((0 if m.is_agent else m.author, m.text) for m in segment.messages),
    )


def newest_first(notes: tuple[SegmentNote, ...]) -> tuple[SegmentNote, ...]:
    """Notes that hold before those that a newer one contradicted; among them those first that tell of later days."""
    beginning = datetime(1, 1, 1, tzinfo=UTC).date()
    later = sorted(notes, key=lambda one: one.happened, reverse=True)
    return tuple(
        sorted(later, key=lambda one: (one.superseded_on is not None, beginning - (one.superseded_on or beginning)))
    )
