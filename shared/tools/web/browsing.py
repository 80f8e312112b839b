"""What one plan knows of the web: addresses that somebody wrote or that were found, and pages that were read."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from shared.models.links import addresses_in, same
from shared.models.page import PageRead


@dataclass
class Browsing:
    """It lives as long as a plan is made, and grows with each answer of a tool."""

    #: addresses that somebody wrote or a tool found, and those of them that a person wrote; in the form in which two
    #: spellings are the same
    known: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    #: by the address that was asked for, in that form
    pages: dict[str, PageRead] = field(default_factory=dict)
    #: how often pages were asked for
    rounds: int = 0

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
