"""Talks: who came how, what they send, in what order, and what they ask for, by chance; each kind comes up as often."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from benchmarks.talks.deeds import DEEDS, Came, Deed
from benchmarks.talks.sayings import SAYINGS, Saying
from benchmarks.talks.things import THINGS, WITH_TEXT

T = TypeVar("T")
#: things of one talk
FEWEST: Final = 1
MOST: Final = 4
#: everybody's every so manieth talk has somebody who is rude
RUDE: Final = 3


class Way(StrEnum):
    """How something is asked to be remembered."""

    WORDS = "in words"
    CAPTION = "below a photo"
    VOICE = "by a voice note"
    REPLY = "as a reply"


class Reach(StrEnum):
    """For whom it is remembered."""

    PERSON = "person"
    GROUPS = "groups"
    CHAT = "chat"
    AGENT = "agent"


@dataclass(frozen=True)
class Talk:
    """One."""

    number: int
    came: Came
    things: tuple[str, ...]
    saying: Saying
    way: Way
    reach: Reach
    #: none: nothing else is asked for
    deed: Deed | None
    #: whether the deed is asked for before something is to be remembered
    is_deed_first: bool
    #: whether somebody else is rude after they sent something, so that the agent blocks them
    has_abuser: bool
    #: for chances of no matter
    seed: int
    #: whether words of a stranger's are passed on in it: then it is no ordinary talk
    has_forward: bool = False

    @property
    def is_group(self) -> bool:
        """Whether others are there."""
        return self.came in {Came.GROUP, Came.OWNERS_GROUP}

    @property
    def is_owners(self) -> bool:
        """Whether it is the owner who asks."""
        return self.came in {Came.OWNER, Came.OWNERS_GROUP}

    @property
    def name(self) -> str:
        """For whoever reads what came of it."""
        sent = ", ".join((*self.things, *(["a forward"] if self.has_forward else [])))
        asked = f"{self.way} in {self.saying.language} for the {self.reach}"
        return f"{self.number} {self.came}: {sent}; {asked}; {self.deed.name if self.deed else 'nothing else'}"


def talks(most: int, seed: int = 1) -> list[Talk]:
    """So many; always the same for a seed."""
    dice = random.Random(seed)
    came, things = _dealt(tuple(Came), dice), _dealt(tuple(THINGS), dice)
    sayings, ways = _dealt(SAYINGS, dice), _dealt(tuple(Way), dice)
    own = _dealt([one for one in SAYINGS if not one.bends], dice)
    deeds = {one: _dealt([deed for deed in DEEDS if one in deed.came], dice) for one in Came}
    reaches = {one: _dealt(_reaches(one), dice) for one in Came}
    made = []
    for number, how in zip(range(most), came, strict=False):
        sent = tuple(next(things) for _ in range(dice.randint(FEWEST, MOST)))
        deed = next(deeds[how]) if WITH_TEXT.isdisjoint(sent) else None
        talk = Talk(
            number=number,
            came=how,
            things=sent,
            saying=next(sayings if deed else own),
            way=next(ways),
            reach=next(reaches[how]) if deed else Reach.PERSON,
            deed=deed,
            is_deed_first=deed is not None and not deed.is_last and dice.random() < 0.5,
            has_abuser=deed is not None and dice.randrange(RUDE) == 0,
            seed=dice.randrange(10**9),
        )
        made.append(talk)
    return made


def _reaches(came: Came) -> Sequence[Reach]:
    """For whom those who came so may have something remembered."""
    if came is Came.OWNER:
        return (Reach.PERSON, Reach.GROUPS, Reach.AGENT)
    return (Reach.PERSON, Reach.CHAT) if came in {Came.GROUP, Came.OWNERS_GROUP} else (Reach.PERSON, Reach.GROUPS)


def _dealt(cards: Sequence[T], dice: random.Random) -> Iterator[T]:
    """Cards without end: all of them in some order, then all of them in another."""
    while True:
        yield from dice.sample(cards, len(cards))
