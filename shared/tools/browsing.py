"""The browsing state of a plan: addresses that were written or found, and pages that were read."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from shared.values.links import addresses_in, normal_address
from shared.values.page import PageResult

#: the most pages of one call; the most model replies of a plan that may read pages; and the most pages of a plan
MOST_PAGES: Final = 3
MOST_ROUNDS: Final = 8
MOST_READ: Final = MOST_PAGES * MOST_ROUNDS


@dataclass
class Browsing:
    """The browsing state of one plan. It grows with each answer of a tool."""

    #: addresses that a person wrote or a tool found, and those that a person wrote; in normal form
    known: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    #: by the requested address, in normal form
    pages: dict[str, PageResult] = field(default_factory=dict)
    #: the addresses, in normal form, of pages that the model has read
    told: set[str] = field(default_factory=set)
    #: the model replies that read pages, and the pages read; whether the current reply is counted
    rounds: int = 0
    read_count: int = 0
    is_counted: bool = False
    #: one lock for each address, so that two calls of a reply read a page once
    locks: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))

    def begin_round(self) -> None:
        """Begin another reply of the model."""
        self.is_counted = False

    def count_page(self) -> bool:
        """Count one more page. Return whether it may be read."""
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
        """Add the addresses in a tool's text."""
        self.learn(addresses_in(text))

    def is_written(self, address: str) -> bool:
        """Return whether a person wrote the address, so that it is read on their behalf."""
        return normal_address(address) in self.written

    def knows(self, address: str) -> bool:
        """Return whether the address was written by a person or found by a tool."""
        return normal_address(address) in self.known
