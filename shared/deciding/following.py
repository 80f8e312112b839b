"""Whether a message that is for nobody by name goes on with what the agent said: by who spoke when, and to whom.

What is said is not looked at, but for a question mark: so it holds in any language. The rules were found on labelled
group chat (`make bench NAME=decisions`); `docs/benchmarks.md` says how well each of them does there.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from shared.deciding.talk import Line

#: two who took turns so often talk to each other, also when they name nobody
ENOUGH_TURNS = 3
#: two who wrote as much, and nobody else, are alone
ALONE_MESSAGES = 6
#: in a talk of no more than so many, the agent included, a question to nobody is one to whoever spoke last
SMALL_TALK = 4
#: about ten words
LONGEST_SHORT = 80


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How the author of a message and the agent stand to each other just before it."""

    #: one of them addressed the other, or they took turns, or they are alone
    are_engaged: bool
    #: the author has not written since the agent did
    is_their_turn: bool
    #: the last who addressed the author was somebody else
    is_drawn_away: bool
    #: nobody has written since the agent did
    is_right_after: bool
    #: somebody else, who named nobody, wrote last and asked something
    is_after_a_question: bool
    #: how many people wrote, the agent and the author included
    speakers: int


def standing(lines: Sequence[Line], author: int, agent: int) -> Standing | None:
    """How the author of the next message and the agent stand to each other; none if the agent is not in the talk."""
    if all(line.author != agent for line in lines):
        return None
    since = [line.author for line in takewhile(lambda line: line.author != agent, reversed(lines))]
    addressed_by = [line.author for line in lines if author in line.to]
    return Standing(
        are_engaged=_are_engaged(lines, {author, agent}),
        is_their_turn=author not in since,
        is_drawn_away=bool(addressed_by) and addressed_by[-1] != agent,
        is_right_after=not since,
        is_after_a_question=lines[-1].author not in {author, agent} and not lines[-1].to and asks(lines[-1].words),
        speakers=len({author, *(line.author for line in lines)}),
    )


def _are_engaged(lines: Sequence[Line], two: set[int]) -> bool:
    have_addressed = any(line.author in two and line.to & (two - {line.author}) for line in lines)
    turns = sum({before.author, after.author} == two for before, after in pairwise(lines))
    are_alone = len(lines) >= ALONE_MESSAGES and {line.author for line in lines[-ALONE_MESSAGES:]} == two
    return have_addressed or turns >= ENOUGH_TURNS or are_alone


def is_follow_up(found: Standing) -> bool:
    """Whether it is the author's turn in what the two say to each other.

    Among few people a question that somebody else asked last may be what is answered, so it is not told; in a crowd,
    where most questions are for anybody, what comes after one was a follow-up all the same.
    """
    may_be_asked = found.is_after_a_question and found.speakers <= SMALL_TALK
    return found.are_engaged and found.is_their_turn and not found.is_drawn_away and not may_be_asked


def is_small_question(found: Standing, words: str) -> bool:
    """Whether a message of these words, among few people, asks right after the agent spoke: whoever it is that asks."""
    is_small = found.speakers <= SMALL_TALK and len(words) <= LONGEST_SHORT
    return found.is_right_after and is_small and asks(words) and not found.is_drawn_away


def is_unclear(found: Standing) -> bool:
    """Whether a message that does not look like a follow-up may be one all the same."""
    return not found.is_drawn_away and (found.are_engaged or found.is_right_after)


def asks(words: str) -> bool:
    """Whether there is a question mark, of any script."""
    return any("QUESTION MARK" in unicodedata.name(character, "") for character in words)
