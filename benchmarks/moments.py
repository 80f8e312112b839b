"""Moments of a chat, and what a sensible answer to each is, checked without a judge."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from shared.reminders.times.proposal import ResolvedTime, TimeProposal, resolve_time
from shared.tasks.registry import traits_of

MOMENTS = Path(__file__).parent / "data" / "small_moments.jsonl"

#: an answer that is so much like what was said repeats it
ECHO = 0.85
#: a reminder says again what is to be done, so more of it is like what was said
REMINDER_ECHO = 0.9
#: fewer letters are no sentence that one could repeat
SHORTEST_ECHO = 12
MOST_MESSAGES = 2
#: the fields of a task that say when it happens
WHEN = ("at", "after", "every", "until", "count", "zone")
#: spans are counted from some moment
ANY_DAY = datetime(2026, 11, 20, 10, tzinfo=UTC)

#: the words by which a short text shows its language
WORDS = {
    "en": "the a is are you i it to and of in what how can for my your that have with would be or will me not do this",
    "de": "der die das ist sind du ich es zu und von in was wie kann für mein dein dass habe mit wäre ein eine nicht",
    "es": "el la los es son tú yo un una y de en qué cómo puede para mi tu que tengo con no te se por más muy lo está",
}
#: letters that Russian has and Ukrainian lacks
RUSSIAN = frozenset("ыэъё")


@dataclass(frozen=True, kw_only=True)
class Moment:
    """What was said by whom, the last of it to lull; and what is wanted.

    `says` and `later` are patterns for the answer and for a reminder; `names` are the people who may be named.
    """

    id: str
    language: str
    group: bool
    said: Sequence[tuple[str, str]]
    says: str = ""
    wait_s: int = 0
    later: str = ""
    silent: bool = False
    names: Sequence[str] = ()


def moments() -> Iterator[Moment]:
    """All of them."""
    for line in MOMENTS.read_text().splitlines():
        yield Moment(**json.loads(line))


def faults_of(moment: Moment, tasks: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is wrong with a plan for a moment; nothing: it is sensible."""
    texts = [str(task["text"]) for task in tasks if task.get("text") and not is_thought(task)]
    if moment.silent:
        return ["speaks"] if texts else []
    if not texts:
        return ["silent"]
    most = REMINDER_ECHO if moment.wait_s else ECHO
    found = {
        "too much": len(texts) > MOST_MESSAGES,
        "echo": any(_repeats(text, words, most) for text in texts for _, words in moment.said),
        "a task nobody asked for": not moment.wait_s and any(map(is_for_later, tasks)),
        "wrong language": not is_in(moment.language, " ".join(texts)),
        "wrong person": any(_names_another(moment, text) for text in texts),
        "wrong answer": not re.search(moment.says, " ".join(texts), re.IGNORECASE),
        "wrong time": bool(moment.wait_s) and not _waits_right(moment, tasks),
    }
    return [fault for fault, is_so in found.items() if is_so]


def is_in(language: str, text: str) -> bool:
    """Whether a text is in a language, as far as it shows."""
    letters = Counter("cyrillic" if "а" <= letter.lower() <= "ґ" else "latin" for letter in text if letter.isalpha())
    if language == "uk":
        return letters["cyrillic"] > letters["latin"] and not RUSSIAN & set(text.lower())
    if letters["cyrillic"]:
        return False
    words = Counter(re.findall(r"\w+", text.lower()))
    score = {name: sum(words[word] for word in known.split()) for name, known in WORDS.items()}
    return score[language] >= max(score.values())


def _repeats(text: str, words: str, most: float) -> bool:
    one, other = _plain(text), _plain(words)
    if len(other) < SHORTEST_ECHO:
        return one == other
    return other in one or SequenceMatcher(None, one, other).ratio() >= most


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", re.sub(r"@\w+", "", text.lower())))


def _names_another(moment: Moment, text: str) -> bool:
    asker = moment.said[-1][0]
    others = {name for name, _ in moment.said} - {asker, *moment.names}
    return any(re.search(rf"\b{name}\b", text, re.IGNORECASE) for name in others)


def _waits_right(moment: Moment, tasks: Sequence[Mapping[str, Any]]) -> bool:
    """Whether one task is for later, in time, and what is said then is what was asked for."""
    places = [place for place, task in enumerate(tasks) if is_for_later(task)]
    if len(places) != 1:
        return False
    told = " ".join(str(task.get("text", "")) for task in tasks[places[0] :])
    return _seconds(tasks[places[0]]) == moment.wait_s and bool(re.search(moment.later, told, re.IGNORECASE))


def is_for_later(task: Mapping[str, Any]) -> bool:
    """Whether a task lets something happen later: a pause, or a reminder."""
    return "seconds" in task or any(name in task for name in WHEN)


def is_thought(task: Mapping[str, Any]) -> bool:
    """Whether nobody is to read the text of a task."""
    return not traits_of(str(task.get("kind"))).is_kept


def _seconds(task: Mapping[str, Any]) -> float | None:
    """How long after now a task is to be done; none: that cannot be told."""
    if "seconds" in task:
        return float(task["seconds"])
    asked = TimeProposal(**{name: task.get(name) for name in WHEN})
    when = resolve_time(asked, ANY_DAY, "UTC")
    return (
        (when.first - ANY_DAY).total_seconds() if isinstance(when, ResolvedTime) and when.recurrence is None else None
    )
