"""Progress: how far a takeout is, in words for whose it is."""

from collections.abc import Iterator

from shared.base.wording.words import Phrase, Words, joined
from shared.reminders.times.saying import moment_said
from shared.values.button_data import button_data
from shared.values.channel import Button
from shared.values.takeout import PartOutcome, Takeout, TakeoutState

#: bytes that are shown as one
_MEGABYTE = 1_000_000


def told(takeout: Takeout, words: Words, zone: str) -> Phrase:
    """How far it is; `zone` is the name of that of the moments in it."""
    if takeout.is_received:
        return words.say("takeout.wait", time=moment_said(words, takeout.again_at, zone))
    match takeout.state:
        case TakeoutState.GATHERING if not takeout.parts:
            return words.say("takeout.begun")
        case TakeoutState.GATHERING:
            return joined(
                words.say("takeout.gathering", total=takeout.total, done=takeout.done),
                words.say("takeout.so_far", parts=len(takeout.parts), size=_megabytes(takeout)),
            )
        case TakeoutState.READY:
            return words.say("takeout.ready")
        case TakeoutState.FAILED:
            return words.say("takeout.failed")
        case TakeoutState.CLEARED if takeout.arrived:
            return words.say("takeout.wait", time=moment_said(words, takeout.again_at, zone))
        case TakeoutState.CLEARED:
            return joined(*lost(takeout, words))


def buttons_of(takeout: Takeout, words: Words, conversation: str) -> tuple[Button, ...]:
    """The button by which somebody asks how far it is, while it is being gathered: its message changes rarely."""
    if takeout.state is not TakeoutState.GATHERING:
        return ()
    return (Button(words.say("takeout.how_far"), button_data("export", conversation, "p")),)


def lost(takeout: Takeout, words: Words) -> Iterator[Phrase]:
    """Which of its parts could not be sent, and of which nobody knows whether they arrived."""
    total = len(takeout.parts)
    if parts := _numbers(takeout, PartOutcome.FAILED):
        yield words.say("takeout.not_sent", parts=parts, total=total)
    if parts := _numbers(takeout, PartOutcome.UNKNOWN):
        yield words.say("takeout.in_doubt", parts=parts, total=total)


def _numbers(takeout: Takeout, outcome: PartOutcome) -> str:
    """The numbers of the parts of which this became; empty: of none."""
    return ", ".join(str(one.number) for one in takeout.parts if takeout.outcomes.get(str(one.number)) is outcome)


def _megabytes(takeout: Takeout) -> int:
    """At least one: what is ready is something."""
    return max(1, round(sum(part.size for part in takeout.parts) / _MEGABYTE))
