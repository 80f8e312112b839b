"""Reads long conversations in LoCoMo's format: sessions of turns, and questions with the turns that contain the answer.

A file is a list of `{conversation: {speaker_a, speaker_b, session_1, session_1_date_time, …}, qa: [{question, evidence,
…}], observation}` (github.com/snap-research/locomo). `evidence` lists the ids of turns, such as "D3:5", and is
malformed in places.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import Author, Message

_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_DATE = "%I:%M %p on %d %B, %Y"
#: the time between two turns of a session. The data have only the time when a session starts
PACE = timedelta(seconds=40)


@dataclass(frozen=True, kw_only=True)
class Session:
    """One session. `messages` has the message of each turn, by the turn's id."""

    number: int
    messages: Mapping[str, Message]
    #: the observations that the file contains, each with the id of its turn
    observations: Sequence[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question, and the ids of the turns that contain the answer."""

    question: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class LongConversation:
    """All sessions of two people, oldest first, and the questions about the sessions."""

    sessions: Sequence[Session]
    questions: Sequence[Asked]

    @property
    def ends_at(self) -> datetime:
        """The time of the last message."""
        return max(message.at for session in self.sessions for message in session.messages.values())


def read(file: Path) -> list[LongConversation]:
    """Return the conversations of a file."""
    return [_conversation(one) for one in json.loads(file.read_text())]


def _conversation(stored: Mapping[str, Any]) -> LongConversation:
    talk = stored["conversation"]
    people = {talk[key]: Author(id=n, name=talk[key]) for n, key in enumerate(("speaker_a", "speaker_b"), 501)}
    numbers = sorted(int(key[8:]) for key in talk if re.fullmatch(r"session_\d+", key) and talk[key])
    sessions = [_session(n, stored, people) for n in numbers]
    turns = {turn for session in sessions for turn in session.messages}
    questions = [
        Asked(question=q["question"], evidence=tuple(_turns(q.get("evidence", ()), turns))) for q in stored["qa"]
    ]
    return LongConversation(sessions=sessions, questions=[one for one in questions if one.evidence])


def _session(number: int, stored: Mapping[str, Any], people: Mapping[str, Author]) -> Session:
    talk = stored["conversation"]
    began = datetime.strptime(talk[f"session_{number}_date_time"], _DATE).replace(tzinfo=UTC)
    turns = talk[f"session_{number}"]
    messages = {
        turn["dia_id"]: _message(turn, place, people[turn["speaker"]], began + place * PACE)
        for place, turn in enumerate(turns)
    }
    noted = stored.get("observation", {}).get(f"session_{number}_observation", {})
    observations = [(str(text), str(turn)) for notes in noted.values() for text, turn in notes]
    return Session(number=number, messages=messages, observations=observations)


def _message(turn: Mapping[str, Any], place: int, author: Author, at: datetime) -> Message:
    caption = turn.get("blip_caption") or ""
    shown = Description(outcome=DescriptionOutcome.DESCRIBED, shows=caption)
    photo = MediaRef(kind=MediaKind.PHOTO, file_id=turn["dia_id"], words="a photo", description=shown)
    return Message(
        at=at,
        message_id=place + 1,
        author=author,
        text=turn["text"],
        media="a photo" if caption else "",
        media_refs=(photo,) if caption else (),
    )


def _turns(evidence: Sequence[str], known: set[str]) -> Iterator[str]:
    named = (f"D{int(n)}:{int(turn)}" for one in evidence for n, turn in _EVIDENCE.findall(one))
    yield from dict.fromkeys(turn for turn in named if turn in known)
