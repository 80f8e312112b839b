"""What one plan knows of the web: addresses that somebody wrote or that were found, and pages that were read."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from shared.values.links import addresses_in, same
from shared.values.page import PageResult

#: of one call; how many replies of the model one plan may have read pages for, and how many pages in all
MOST_PAGES: Final = 3
MOST_ROUNDS: Final = 8
MOST_READ: Final = MOST_PAGES * MOST_ROUNDS


@dataclass
class Browsing:
    """It lives as long as a plan is made, and grows with each answer of a tool."""

    #: addresses that somebody wrote or a tool found, and those of them that a person wrote; in the form in which two
    #: spellings are the same
    known: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    #: by the address that was asked for, in that form
    pages: dict[str, PageResult] = field(default_factory=dict)
    #: the addresses, in that form, whose pages the model was told of
    told: set[str] = field(default_factory=set)
    #: for how many replies of the model pages were read, and how many; whether the present reply is counted
    rounds: int = 0
    read_count: int = 0
    is_counted: bool = False
    #: so that a page that two calls of one reply ask for is read once
    locks: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))

    def begin_round(self) -> None:
        """Note that what is read from now on is for another reply of the model."""
        self.is_counted = False

    def reads_one_more(self) -> bool:
        """Whether one more page may be read; if so, it counts."""
        rounds = self.rounds + (not self.is_counted)
        if rounds > MOST_ROUNDS or self.read_count >= MOST_READ:
            return False
        self.rounds, self.is_counted, self.read_count = rounds, True, self.read_count + 1
        return True

    def learn_written(self, addresses: Iterable[str]) -> None:
        """Note addresses that people wrote."""
        forms = {form for form in map(same, addresses) if form}
        self.written |= forms
        self.known |= forms

    def learn(self, addresses: Iterable[str]) -> None:
        """Note addresses that a tool found."""
        self.known |= {form for form in map(same, addresses) if form}

    def learn_from(self, text: str) -> None:
        """Note the addresses that stand in a text from a tool."""
        self.learn(addresses_in(text))

    def is_written(self, address: str) -> bool:
        """Whether a person wrote an address: then it is read on their behalf."""
        return same(address) in self.written

    def knows(self, address: str) -> bool:
        """Whether an address stands word for word in what people wrote, or in what was found."""
        return same(address) in self.known
