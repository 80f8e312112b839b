"""Judging a play: what was lost or doubled, what is unknown, and whether anything is stuck. Values in, values out."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.crash.stories import Answer, Story


@dataclass(frozen=True)
class KeptFaults:
    """What is wrong with what is kept of something, such as files that were sent or notes, in words."""

    lost: tuple[str, ...] = ()
    doubled: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What a play left behind, from Telegram's side and from Firestore's documents.

    `doubtful` and `unknown` name deliveries as (text of the `send`, part): those that were `attempted` when the process
    was killed, and those that the plan calls unknown in the end. `incidents` counts what was kept of unknown ones.
    """

    #: the message ids of what people wrote, and of the updates in the inbox
    written: Sequence[int]
    stored: Sequence[int]
    #: the update ids in the inbox, and those that the transcript's entries came from
    updates: Sequence[int]
    transcript: Sequence[int]
    #: what the agent has said in the chat
    said: Sequence[str]
    doubtful: frozenset[tuple[str, int]] = frozenset()
    unknown: frozenset[tuple[str, int]] = frozenset()
    incidents: int = 0
    #: what of the conversation the archive lacks, or holds as it never was: "conv-… is not in the archive"
    unarchived: Sequence[str] = ()
    files: KeptFaults = KeptFaults()
    notes: KeptFaults = KeptFaults()
    export: KeptFaults = KeptFaults()
    #: why the chat is not at rest though nothing goes on any more: "it is held"
    unrest: Sequence[str] = ()


@dataclass(frozen=True)
class Verdict:
    """What a play came to; each fault is told in words."""

    lost: tuple[str, ...] = ()
    doubled: tuple[str, ...] = ()
    stuck: tuple[str, ...] = ()
    #: deliveries marked unknown, as they may be
    unknown: int = 0
    #: of these, those whose message did arrive
    arrived: int = 0
    #: answers to what came late, given by themselves
    late: int = field(default=0)

    @property
    def faults(self) -> tuple[str, ...]:
        """Everything that lull promises not to happen."""
        return (
            *(f"lost: {what}" for what in self.lost),
            *(f"doubled: {what}" for what in self.doubled),
            *(f"stuck: {what}" for what in self.stuck),
        )


def judge(story: Story, facts: Facts) -> Verdict:
    """The verdict. An unknown delivery that the kill does not explain counts as lost: it could have been known."""
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
    if facts.incidents != len(facts.doubtful):  # the plan itself may have been replaced since; incidents stay
        found.append(f"{len(facts.doubtful)} deliveries were in doubt, {facts.incidents} are incidents")
    return found


def _doubled_answers(story: Story, said: Counter[str]) -> list[str]:
    expected = {answer.shown for answer in story.answers} | set(story.may_say)
    return [
        *(f"{short(text)} was said {count} times" for text, count in said.items() if count > 1),
        *(f"{short(text)} was said, which nobody expected" for text in said if text not in expected),
    ]


def short(text: str) -> str:
    """The beginning of a text, to know it again."""
    return repr(text[:40])
