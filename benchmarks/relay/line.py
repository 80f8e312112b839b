"""A line: the way of one function's requests to one server."""

from dataclasses import dataclass

from benchmarks.relay.ledger import Ledger, Request
from benchmarks.relay.naming import Naming


@dataclass(frozen=True)
class Line:
    """Who makes the requests, where they are counted, and how they are named."""

    ledger: Ledger
    maker: str
    naming: Naming

    def enter(self, method: str, body: bytes) -> Request:
        """A request that came, with its number; `method` is gRPC's, or the path of a URL."""
        return self.ledger.enter(self.maker, self.naming(method, body))
