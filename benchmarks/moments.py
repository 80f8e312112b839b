"""Moments of a chat, each with criteria for a sensible answer. The criteria are checked by rules, without a model."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from benchmarks.parroting import is_parroting
from shared.reminders.times.proposal import ResolvedTime, TimeProposal, resolve_time
from shared.tasks.registry import traits_of

MOMENTS = Path(__file__).parent / "data" / "small_moments.jsonl"

#: an answer that is at least this similar to the message counts as a repetition of it
ECHO = 0.85
#: the same limit for a reminder, which is higher because a reminder has to repeat the thing to be done
REMINDER_ECHO = 0.9
#: a text with fewer characters counts as repeated only if the repetition is exact
SHORTEST_ECHO = 12
MOST_MESSAGES = 2
#: the fields of a task that define its time
WHEN = ("at", "after", "every", "until", "count", "zone")
#: the present time of all moments, from which durations are counted
ANY_DAY = datetime(2026, 11, 20, 10, tzinfo=UTC)

#: frequent words by which the language of a short text is recognized
WORDS = {
    "en": "the a is are you i it to and of in what how can for my your that have with would be or will me not do this",
    "de": "der die das ist sind du ich es zu und von in was wie kann für mein dein dass habe mit wäre ein eine nicht",
    "es": "el la los es son tú yo un una y de en qué cómo puede para mi tu que tengo con no te se por más muy lo está",
}
#: letters that Russian has and Ukrainian lacks
RUSSIAN = frozenset("ыэъё")


@dataclass(frozen=True, kw_only=True)
class Moment:
    """Some messages with their authors, the last of which is addressed to lull; and the criteria for its answer.

    `says` is a pattern that the answer must match, `later` one for the text of a reminder. `names` are people whom the
    answer may name besides the asking person.
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
    """Yield all moments."""
    for line in MOMENTS.read_text().splitlines():
        yield Moment(**json.loads(line))


def faults_of(moment: Moment, tasks: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the faults of a plan for a moment; empty if the plan is sensible."""
    texts = [str(task["text"]) for task in tasks if task.get("text") and not is_thought(task)]
    if moment.silent:
        return ["speaks"] if texts else []
    if not texts:
        return ["silent"]
    most = REMINDER_ECHO if moment.wait_s else ECHO
    found = {
        "too much": len(texts) > MOST_MESSAGES,
        "echo": any(_repeats(text, words, most) for text in texts for _, words in moment.said),
        "parroting": not moment.wait_s and _parrots(moment, texts),
        "a task nobody asked for": not moment.wait_s and any(map(is_for_later, tasks)),
        "wrong language": not is_in(moment.language, " ".join(texts)),
        "wrong person": any(_names_another(moment, text) for text in texts),
        "wrong answer": not re.search(moment.says, " ".join(texts), re.IGNORECASE),
        "wrong time": bool(moment.wait_s) and not _waits_right(moment, tasks),
    }
    return [fault for fault, is_so in found.items() if is_so]


def is_in(language: str, text: str) -> bool:
    """Return whether a text is in this language, as far as simple rules can tell."""
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


def _parrots(moment: Moment, texts: Sequence[str]) -> bool:
    """Return whether the texts mostly repeat the question without answering it."""
    is_answered = bool(moment.says) and re.search(moment.says, " ".join(texts), re.IGNORECASE) is not None
    return not is_answered and is_parroting(" ".join(texts), moment.said[-1][1])


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", re.sub(r"@\w+", "", text.lower())))


def _names_another(moment: Moment, text: str) -> bool:
    asker = moment.said[-1][0]
    others = {name for name, _ in moment.said} - {asker, *moment.names}
    return any(re.search(rf"\b{name}\b", text, re.IGNORECASE) for name in others)


def _waits_right(moment: Moment, tasks: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether exactly one task is scheduled, at the right time and with the requested text."""
    places = [place for place, task in enumerate(tasks) if is_for_later(task)]
    if len(places) != 1:
        return False
    told = " ".join(str(task.get("text", "")) for task in tasks[places[0] :])
    return _seconds(tasks[places[0]]) == moment.wait_s and bool(re.search(moment.later, told, re.IGNORECASE))


def is_for_later(task: Mapping[str, Any]) -> bool:
    """Return whether a task has a later effect: a pause, or a reminder."""
    return "seconds" in task or any(name in task for name in WHEN)


def is_thought(task: Mapping[str, Any]) -> bool:
    """Return whether a task is only a thought of the model, whose text people do not see."""
    return not traits_of(str(task.get("kind"))).is_kept


def _seconds(task: Mapping[str, Any]) -> float | None:
    """Return the seconds until a task is due; None if unknown."""
    if "seconds" in task:
        return float(task["seconds"])
    asked = TimeProposal(**{name: task.get(name) for name in WHEN})
    when = resolve_time(asked, ANY_DAY, "UTC")
    return (
        (when.first - ANY_DAY).total_seconds() if isinstance(when, ResolvedTime) and when.recurrence is None else None
    )
