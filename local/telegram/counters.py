"""Increasing numbers that are stored across restarts: message ids, update ids, event numbers."""

from local.telegram.store import DocumentKind, WorldStore


class Counters:
    """Named counters, stored across restarts. The first number of each is 1."""

    def __init__(self, store: WorldStore) -> None:
        self._shelf: DocumentKind[int] = DocumentKind(store, "counter", int)

    def last(self, name: str) -> int:
        """Return the counter's last number; 0 if there was none yet."""
        return self._shelf.get(name) or 0

    def next(self, name: str) -> int:
        """Increase the counter by one, and return the new number."""
        return self._shelf.put(name, self.last(name) + 1)

    def raise_to(self, name: str, number: int) -> None:
        """Make sure that the counter's next number is greater than `number`."""
        if number > self.last(name):
            self._shelf.put(name, number)
