"""Helpers of the tools that search earlier conversations: they parse the model's arguments and format the results."""

import re
from calendar import monthrange
from collections.abc import Iterable
from datetime import date, datetime, tzinfo
from typing import Final

from shared.base.errors import ToolFailed
from shared.tools.tool import ToolContext
from shared.values.chat_key import ChatKey
from shared.values.links import message_link
from shared.values.place import Asker
from shared.values.recalled import RecalledTurns, RecallHit, RecallHits
from shared.values.segment import SegmentNote

_DATE: Final = re.compile(r"\s*(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:[T ].*)?\s*", re.DOTALL)
#: the upper bound of the numbers of turns and results that are accepted
_LARGEST: Final = 10**9
_NO_DATE: Final = "Give dates as 2026-05-08, 2026-05 or 2026."
_NAME: Final = re.compile(r"[\w'’.-]+")
#: the phrase for the origin of a text that was said in another chat
ELSEWHERE: Final = "what others said in another chat"
#: the number of results that are shown completely; of the others, an excerpt is shown
WHOLE: Final = 5
NOTHING: Final = "Nothing of that was found in what may be shown here."


def asker_of(context: ToolContext) -> Asker:
    """Return the person who asks, and their chat.

    The request is explicit only if a person asks now, and the model saw no untrusted text that may have caused it.
    """
    person = context.asker.id if context.asker is not None else 0
    is_explicit = context.is_asked and not context.saw_outside
    return Asker(chat=context.chat, places=context.places, person=person, is_explicit=is_explicit)


def parse_day(said: object, *, is_end: bool) -> date | None:
    """Parse a date. A month or year becomes its first day (`is_end`: its last). None if empty. Raises ToolFailed."""
    if said is None or said == "":
        return None
    found = _DATE.fullmatch(said) if isinstance(said, str) else None
    if found is None:
        raise ToolFailed(_NO_DATE)
    year, month, day = (int(part) if part else 0 for part in found.groups())
    try:
        month = month or (12 if is_end else 1)
        return date(year, month, day or (monthrange(year, month)[1] if is_end else 1))
    except ValueError as wrong:
        raise ToolFailed(_NO_DATE) from wrong


def parse_number(said: object) -> int | None:
    """Return the whole part of a number that the model gave; None if it gave no number, or one that is too large."""
    is_number = isinstance(said, int | float) and not isinstance(said, bool) and abs(said) < _LARGEST
    return int(said) if is_number and isinstance(said, int | float) else None


def parse_text(said: object) -> str:
    """Return a text that the model gave, without invalid characters; empty if it gave no text."""
    return said.encode(errors="ignore").decode().strip() if isinstance(said, str) else ""


def describe_findings(findings: RecallHits, zone: tzinfo) -> tuple[str, ...]:
    """Return a numbered text for each finding, and notes on the search; a single note if nothing was found."""
    lines = tuple(_finding(n, one, zone) for n, one in enumerate(findings.found, 1))
    if not lines:
        return (" ".join(filter(None, (NOTHING, findings.trouble))),)
    count = f"{findings.total} matches; the best {len(lines)} are shown." if findings.total > len(lines) else ""
    return (*lines, *filter(None, (count, findings.trouble)))


def outside_origins(findings: Iterable[RecallHit], places: Iterable[str]) -> str:
    """Return the origins of untrusted text in the findings: strangers' words, and all text from outside `places`."""
    here = frozenset(places)
    return merge_marks(
        mark
        for one in findings
        for mark in (
            *one.outside,
            *(note.outside for note in one.notes),
            one.source.title_outside,
            "" if one.source.place in here else ELSEWHERE,
        )
    )


def merge_marks(marks: Iterable[str]) -> str:
    """Return the origins as one text, joined by commas, without repetitions and empty ones."""
    return ", ".join(dict.fromkeys(filter(None, marks)))


def _finding(number: int, one: RecallHit, zone: tzinfo) -> str:
    where = f' in "{_line(one.source.chat_title)}"' if one.source.chat_title else ""
    first, last = one.stretch.first_turn, one.stretch.last_turn
    turns = f"turn {first}" if first == last else f"turns {first}-{last}"
    topics = f"; topics: {', '.join(map(_line, one.topics))}" if one.topics else ""
    title, said_on = _quoted_title(one.source.title), format_day(one.at, zone)
    head = f"{number}. {one.source.conversation}: {title}{where}; {turns}; {said_on}"
    said = _indent(one.text if one.text and number <= WHOLE else one.snippet)
    notes = (_note_line(note) for note in one.notes)
    link = message_link(ChatKey.from_id(one.source.chat), one.message_id)
    return "\n".join(filter(None, (f"{head}; score {one.score:.2f}{topics}", said, *notes, link)))


def _note_line(note: SegmentNote) -> str:
    happened = f" ({note.happened})" if note.happened else ""
    over = f" [no longer so since {note.superseded_on:%Y-%m-%d}]" if note.superseded_on else ""
    return f"noted: {_line(note.text)}{happened}{over}"


def describe_turns(spoken: RecalledTurns, zone: tzinfo) -> tuple[str, ...]:
    """Return a heading that names the conversation, and a text for each message."""
    where = f' in "{_line(spoken.source.chat_title)}"' if spoken.source.chat_title else ""
    head = f"{spoken.source.conversation}: {_quoted_title(spoken.source.title)}{where}; {spoken.total} turns in all"
    said = (
        f"turn {one.turn}, {one.at.astimezone(zone):%a %Y-%m-%d %H:%M}, {_plain(one.name)}"
        f"{' (you)' if one.is_agent else ''}{f' [{one.outside}]' if one.outside else ''}: {_indent(one.text)}"
        for one in spoken.messages
    )
    return (head, *said)


def format_day(at: datetime, zone: tzinfo) -> str:
    """Return the date at this time in `zone`, with the weekday."""
    return f"{at.astimezone(zone):%a %Y-%m-%d}"


def _plain(name: str) -> str:
    """Return a name without characters that have a meaning in these texts, such as brackets and colons."""
    return " ".join(_NAME.findall(name)) or "someone"


def _indent(text: str) -> str:
    """Return a text with all lines but the first indented, so that none looks like a line that lull wrote."""
    return "\n    ".join(text.splitlines())


def _quoted_title(title: str) -> str:
    return f'"{_line(title)}"' if title else "untitled"


def _line(text: str) -> str:
    return " ".join(text.split())
