"""Judges a play: lost, doubled and unknown messages, and stuck work. Pure functions."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.crash.stories import Answer, Story


@dataclass(frozen=True)
class KeptFaults:
    """The faults of stored data, such as files or notes, in words."""

    lost: tuple[str, ...] = ()
    doubled: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Facts:
    """The results of a play, from Telegram and from Firestore's documents.

    `doubtful` and `unknown` name deliveries as (text of the `send`, part): those that were `attempted` when the process
    was killed, and those that are unknown in the final plan. `incidents` counts the stored incidents of unknown ones.
    """

    #: the ids of people's messages, and those in the updates of the inbox
    written: Sequence[int]
    stored: Sequence[int]
    #: the update ids in the inbox, and those that the transcript's entries came from
    updates: Sequence[int]
    transcript: Sequence[int]
    #: the agent's messages in the chat
    said: Sequence[str]
    doubtful: frozenset[tuple[str, int]] = frozenset()
    unknown: frozenset[tuple[str, int]] = frozenset()
    incidents: int = 0
    #: differences between the archive and the conversation: "conv-… is not in the archive"
    unarchived: Sequence[str] = ()
    files: KeptFaults = KeptFaults()
    notes: KeptFaults = KeptFaults()
    export: KeptFaults = KeptFaults()
    #: why the chat is not at rest although no work runs: "it is held"
    unrest: Sequence[str] = ()


@dataclass(frozen=True)
class Verdict:
    """The verdict on a play; each fault is in words."""

    lost: tuple[str, ...] = ()
    doubled: tuple[str, ...] = ()
    stuck: tuple[str, ...] = ()
    #: deliveries that are unknown for a valid reason
    unknown: int = 0
    #: the number of these whose message did arrive
    arrived: int = 0
    #: separate answers to messages that arrived late
    late: int = field(default=0)

    @property
    def faults(self) -> tuple[str, ...]:
        """All faults, which lull promises to prevent."""
        return (
            *(f"lost: {what}" for what in self.lost),
            *(f"doubled: {what}" for what in self.doubled),
            *(f"stuck: {what}" for what in self.stuck),
        )


def judge(story: Story, facts: Facts) -> Verdict:
    """Return the verdict. An unknown delivery that the kill does not explain counts as lost."""
    said = Counter(facts.said)
    missing = [answer for answer in story.answers if not said[answer.shown]]
    excused = [answer for answer in story.answers if (answer.send, answer.part) in facts.doubtful and facts.incidents]
    return Verdict(
        lost=(*_lost_updates(facts), *_lost_answers(missing, excused), *_unexplained(facts), *_kept_badly(facts)),
        doubled=(
            *_doubled_updates(facts),
            *_doubled_answers(story, said),
            *(what for kept in (facts.files, facts.notes, facts.export) for what in kept.doubled),
        ),
        stuck=tuple(facts.unrest),
        unknown=facts.incidents,
        arrived=sum(1 for answer in excused if answer not in missing),
        late=sum(said[text] for text in story.may_say),
    )


def _kept_badly(facts: Facts) -> list[str]:
    return [*facts.unarchived, *(what for kept in (facts.files, facts.notes, facts.export) for what in kept.lost)]


def _lost_updates(facts: Facts) -> list[str]:
    not_stored = set(facts.written) - set(facts.stored)
    not_read = set(facts.updates) - set(facts.transcript)
    return [
        *(f"message {one} is not in the inbox" for one in sorted(not_stored)),
        *(f"update {one} is not in the transcript" for one in sorted(not_read)),
    ]


def _doubled_updates(facts: Facts) -> list[str]:
    times = {"the inbox": Counter(facts.stored), "the transcript": Counter(facts.transcript)}
    return [
        f"{one} is {count} times in {where}"
        for where, counts in times.items()
        for one, count in counts.items()
        if count > 1
    ]


def _lost_answers(missing: Sequence[Answer], excused: Sequence[Answer]) -> list[str]:
    return [f"the answer {short(answer.shown)} never came" for answer in missing if answer not in excused]


def _unexplained(facts: Facts) -> list[str]:
    found = [
        f"{short(text)}, part {part}, is unknown without a reason" for text, part in facts.unknown - facts.doubtful
    ]
    if facts.incidents != len(facts.doubtful):  # the plan may have been replaced since, but incidents stay
        found.append(f"{len(facts.doubtful)} deliveries were in doubt, {facts.incidents} are incidents")
    return found


def _doubled_answers(story: Story, said: Counter[str]) -> list[str]:
    expected = {answer.shown for answer in story.answers} | set(story.may_say)
    return [
        *(f"{short(text)} was said {count} times" for text, count in said.items() if count > 1),
        *(f"{short(text)} was said, which nobody expected" for text in said if text not in expected),
    ]


def short(text: str) -> str:
    """Return the beginning of a text, by which it is recognized."""
    return repr(text[:40])
