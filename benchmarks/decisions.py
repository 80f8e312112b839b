"""The accuracy of the rules that decide whether a message is for the agent, on labelled group chats.

The data are lines of IRC channels. Each line has the 15 lines before it, one participant as "the agent", and a label:
whether the line replies to that participant. Lines are converted to Telegram messages at a steady pace: a nick in a
line becomes a mention, the agent's nick becomes the agent's name, and the channels' bots become bots.
"""

import gzip
import json
import os
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeAlias

from shared.base.text import Entity, EntityType
from shared.deciding.circumstances import DecisionContext, DecisionSettings, OwnIdentity
from shared.deciding.rules import decide_in
from shared.values.chat_key import ChatKind
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.message import Author, Message

Row: TypeAlias = Mapping[str, Any]

SAMPLE = Path(__file__).parent / "data" / "decisions_sample.jsonl.gz"
START = datetime(2026, 1, 1, tzinfo=UTC)
#: time between two lines. The data have no times, so this is the median of those channels whose pace is known
PACE = timedelta(seconds=8.7)
#: the nicks of the bots in Ubuntu's channels. Telegram marks bots, so their messages must be marked too
BOTS = re.compile(r"ubot(u|tu|\d)\W*", re.IGNORECASE)
WORD = re.compile(r"[^\s,;:<>()\"?!]+")
RESAMPLES = 500

#: the participants of a channel, by nick in lower case
People: TypeAlias = Mapping[str, Author]


@dataclass(frozen=True)
class Outcome:
    """The label of a row, and the rules' decisions on it."""

    file: str
    is_reply: bool
    #: the decision on the line alone
    alone: Decision
    #: the decision with the lines before it
    within: Decision
    #: the decision with the lines before it, if a model may be asked
    judged: Decision


def decide(row: Row, people: People) -> Outcome:
    """Return the rules' decisions on a row."""
    message, judged = _message_and_circumstances(row, people)
    within = replace(judged, decision_settings=DecisionSettings())
    alone = replace(within, earlier=())
    return Outcome(row["file"], row["label_reply"], *(decide_in(message, s) for s in (alone, within, judged)))


def _message_and_circumstances(row: Row, people: People) -> tuple[Message, DecisionContext]:
    agent = people[row["bot"].casefold()]
    me = OwnIdentity(agent.id, agent.name, (agent.name,))
    lines = [*row["context"], (row["sender"], row["text"])]
    *earlier, message = (message_of(line, place, people, agent) for place, line in enumerate(lines))
    decision_settings = DecisionSettings(asks_judge=True)
    return message, DecisionContext(
        kind=ChatKind.SUPERGROUP, me=me, decision_settings=decision_settings, earlier=earlier
    )


def message_of(line: Sequence[str], place: int, people: People, agent: Author) -> Message:
    """Return a line as a Telegram message."""
    nick, text = line
    author = people[nick.casefold()]
    return Message(
        at=START + place * PACE,
        message_id=place + 1,
        author=evolve(author, is_agent=True) if author.id == agent.id else author,
        text=text,
        entities=tuple(mentions_in(text, people)),
    )


def mentions_in(text: str, people: People) -> Iterator[Entity]:
    """Yield a mention for each nick at the start of a line. Elsewhere in the line, only nicks that are not plain words
    count.
    """
    for place, word in enumerate(WORD.finditer(text)):
        shown = word.group() if word.group().casefold() in people else word.group().strip("@[].'*-")
        author = people.get(shown.casefold())
        if author is None:
            continue
        is_first = place == 0 and (len(shown) > 2 or text[word.end() : word.end() + 1] in {":", ",", ">"})
        if is_first or (len(shown) > 3 and shown == author.name and not re.fullmatch("[a-z]+", shown)):
            start = word.start() + word.group().index(shown)
            offset, length = (len(piece.encode("utf-16-le")) // 2 for piece in (text[:start], shown))
            yield Entity(EntityType.TEXT_MENTION, offset, length, user_id=author.id)


def people_of(rows: Iterable[Row]) -> dict[str, People]:
    """Return the participants of each channel, by the name of the channel's file in the rows."""
    found: dict[str, dict[str, Author]] = defaultdict(dict)
    for row in rows:
        people = found[row["file"]]
        for nick in (row["bot"], row["sender"], *(nick for nick, _ in row["context"])):
            author = Author(id=len(people) + 1, name=nick, is_bot=BOTS.fullmatch(nick) is not None)
            people.setdefault(nick.casefold(), author)
    return dict(found)


async def measure() -> dict[str, Any]:
    """Return precision, recall and F1 of the decisions by the line alone, and of the decisions with the lines before
    it. No model is asked.
    """
    file = Path(os.environ.get("DATA") or SAMPLE)
    rows = rows_of(file)
    people = people_of(rows)
    outcomes = [decide(row, people[row["file"]]) for row in rows]
    unclear = [outcome.is_reply for outcome in outcomes if outcome.judged.tier is DecisionTier.JUDGE]
    return {
        "data": file.name,
        "n": len(outcomes),
        "replies": sum(outcome.is_reply for outcome in outcomes),
        "mention_or_reply": score((outcome.alone.respond, outcome.is_reply) for outcome in outcomes),
        "rules": score((outcome.within.respond, outcome.is_reply) for outcome in outcomes),
        "rules_f1_90": _interval(outcomes),
        "unclear": {"n": len(unclear), "replies": sum(unclear)},
    }


def rows_of(file: Path) -> list[Row]:
    """Return the rows of a JSONL file, gzipped or not. Exits with a message if there are none."""
    if not file.is_file():
        sys.exit(f"there is no {file}; say which file of labelled lines to read: make bench NAME=… DATA=file")
    raw = file.read_bytes()
    text = (gzip.decompress(raw) if raw.startswith(b"\x1f\x8b") else raw).decode()
    rows = [json.loads(line) for line in text.split("\n") if line.strip()]
    return rows or sys.exit(f"{file} has no lines")


def score(pairs: Iterable[tuple[bool, bool]]) -> dict[str, float]:
    """Return precision, recall and F1 of pairs: whether the rules decided to answer, and whether the label says that
    the line was meant for the agent.
    """
    counts = Counter(pairs)
    hits, missed = counts[True, True], counts[False, True]
    precision = hits / max(1, hits + counts[True, False])
    recall = hits / max(1, hits + missed)
    return {"precision": round(precision, 3), "recall": round(recall, 3), "f1": round(_f1(counts), 3)}


def _f1(counts: Mapping[tuple[bool, bool], float]) -> float:
    wrong = counts[True, False] + counts[False, True]
    return 2 * counts[True, True] / max(1, 2 * counts[True, True] + wrong)


def _interval(outcomes: Sequence[Outcome]) -> list[float]:
    """Return the lower and upper bound between which F1 lies in nine of ten random resamplings of the channels."""
    by_file: dict[str, Counter[tuple[bool, bool]]] = defaultdict(Counter)
    for outcome in outcomes:
        by_file[outcome.file][outcome.within.respond, outcome.is_reply] += 1
    files, draw = list(by_file.values()), random.Random(1)
    f1 = sorted(_f1(_sum(draw.choices(files, k=len(files)))) for _ in range(RESAMPLES))
    return [round(f1[RESAMPLES // 20], 3), round(f1[-RESAMPLES // 20], 3)]


def _sum(counters: Iterable[Counter[tuple[bool, bool]]]) -> Counter[tuple[bool, bool]]:
    total: Counter[tuple[bool, bool]] = Counter()
    for counter in counters:
        total.update(counter)
    return total
