"""The browsing state of a plan: the addresses that people wrote or tools found, and the pages that were read."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from shared.values.links import addresses_in, normal_address
from shared.values.page import PageResult

#: the maximum number of pages that one call reads; and below, of model replies in a plan that may read pages, and of
#: pages that a plan reads
MOST_PAGES: Final = 3
MOST_ROUNDS: Final = 8
MOST_READ: Final = MOST_PAGES * MOST_ROUNDS


@dataclass
class Browsing:
    """The browsing state of one plan. Each answer of a tool adds to it."""

    #: addresses in normal form: those that a person wrote or a tool found; and below, only those that a person wrote
    known: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    #: the pages that were read, by the requested address in normal form
    pages: dict[str, PageResult] = field(default_factory=dict)
    #: the addresses, in normal form, of pages that the model has already been shown
    told: set[str] = field(default_factory=set)
    #: the model replies that read pages; below, the pages read, and whether the current reply is counted
    rounds: int = 0
    read_count: int = 0
    is_counted: bool = False
    #: a lock for each address, so that two calls in one reply read a page only once
    locks: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))

    def begin_round(self) -> None:
        """Begin another reply of the model. A reply counts in `rounds` only if a page is read for it."""
        self.is_counted = False

    def count_page(self) -> bool:
        """Count one more page as read. Return False, without counting the page, if no more pages may be read."""
        rounds = self.rounds + (not self.is_counted)
        if rounds > MOST_ROUNDS or self.read_count >= MOST_READ:
            return False
        self.rounds, self.is_counted, self.read_count = rounds, True, self.read_count + 1
        return True

    def learn_written(self, addresses: Iterable[str]) -> None:
        """Add addresses that people wrote."""
        forms = {form for form in map(normal_address, addresses) if form}
        self.written |= forms
        self.known |= forms

    def learn(self, addresses: Iterable[str]) -> None:
        """Add addresses that a tool found."""
        self.known |= {form for form in map(normal_address, addresses) if form}

    def learn_from(self, text: str) -> None:
        """Add the addresses in a text that a tool returned."""
        self.learn(addresses_in(text))

    def is_written(self, address: str) -> bool:
        """Return whether a person wrote the address. If so, the person asks for the page, not the model."""
        return normal_address(address) in self.written

    def knows(self, address: str) -> bool:
        """Return whether a person wrote the address or a tool found it."""
        return normal_address(address) in self.known
