"""A line: the connection from one function to one server, on which requests are counted."""

from dataclasses import dataclass

from benchmarks.relay.ledger import Ledger, Request
from benchmarks.relay.naming import Naming


@dataclass(frozen=True)
class Line:
    """The function that makes the requests, the ledger that counts them, and the `Naming` that gives them their
    names.
    """

    ledger: Ledger
    maker: str
    naming: Naming

    def enter(self, method: str, body: bytes) -> Request:
        """Count a request, and return it with its number. `method` is gRPC's method, or the path of a URL."""
        return self.ledger.enter(self.maker, self.naming(method, body))
