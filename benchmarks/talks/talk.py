"""Random talks. A talk defines how the person came to the agent, which things people send, what they ask for, and in
which order. All kinds of each are equally frequent.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from benchmarks.talks.deeds import DEEDS, Came, Deed
from benchmarks.talks.sayings import SAYINGS, Saying
from benchmarks.talks.things import THINGS, WITH_TEXT

T = TypeVar("T")
#: the fewest and the most things that are sent in one talk
FEWEST: Final = 1
MOST: Final = 4
#: among the talks of one way of coming to the agent, one in this many has a rude person
RUDE: Final = 3


class Way(StrEnum):
    """The way in which somebody asks to have a fact remembered."""

    WORDS = "in words"
    CAPTION = "below a photo"
    VOICE = "by a voice note"
    REPLY = "as a reply"


class Reach(StrEnum):
    """The people for whom a fact is remembered."""

    PERSON = "person"
    GROUPS = "groups"
    CHAT = "chat"
    AGENT = "agent"


@dataclass(frozen=True)
class Talk:
    """One talk."""

    number: int
    came: Came
    things: tuple[str, ...]
    saying: Saying
    way: Way
    reach: Reach
    #: the further request; None if nothing else is asked for
    deed: Deed | None
    #: whether the deed is requested before the request to remember
    is_deed_first: bool
    #: whether another person sends something and is then rude, so that the agent blocks that person
    has_abuser: bool
    #: the seed for random choices that should make no difference
    seed: int
    #: whether somebody forwards a stranger's words. Such a talk is not an ordinary talk
    has_forward: bool = False

    @property
    def is_group(self) -> bool:
        """Whether the talk is in a group."""
        return self.came in {Came.GROUP, Came.OWNERS_GROUP}

    @property
    def is_owners(self) -> bool:
        """Whether the person who asks is the agent's owner."""
        return self.came in {Came.OWNER, Came.OWNERS_GROUP}

    @property
    def name(self) -> str:
        """The name of the talk in reports."""
        sent = ", ".join((*self.things, *(["a forward"] if self.has_forward else [])))
        asked = f"{self.way} in {self.saying.language} for the {self.reach}"
        return f"{self.number} {self.came}: {sent}; {asked}; {self.deed.name if self.deed else 'nothing else'}"


def talks(most: int, seed: int = 1) -> list[Talk]:
    """Return this many talks; the same seed gives the same talks."""
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
    """Return the groups of people for whom a person who came in this way may have a fact remembered."""
    if came is Came.OWNER:
        return (Reach.PERSON, Reach.GROUPS, Reach.AGENT)
    return (Reach.PERSON, Reach.CHAT) if came in {Came.GROUP, Came.OWNERS_GROUP} else (Reach.PERSON, Reach.GROUPS)


def _dealt(cards: Sequence[T], dice: random.Random) -> Iterator[T]:
    """Yield cards without end: all in a random order, then all in another random order, and so on."""
    while True:
        yield from dice.sample(cards, len(cards))
