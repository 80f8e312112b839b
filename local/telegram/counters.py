"""Numbers that only grow and outlive the process: message ids, update ids, event numbers."""

from local.telegram.store import DocumentKind, WorldStore


class Counters:
    """Lasting counters by name, each starting at 0."""

    def __init__(self, store: WorldStore) -> None:
        self._shelf: DocumentKind[int] = DocumentKind(store, "counter", int)

    def reached(self, name: str) -> int:
        """The last number given out."""
        return self._shelf.get(name) or 0

    def next(self, name: str) -> int:
        """The next number."""
        return self._shelf.put(name, self.reached(name) + 1)

    def raise_to(self, name: str, number: int) -> None:
        """Let the next number be above this one."""
        if number > self.reached(name):
            self._shelf.put(name, number)
