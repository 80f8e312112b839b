"""Ports by their types: what a tool or a command declares that it needs is what it is given, and nothing else."""

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from shared.errors import PortMissing

PortT = TypeVar("PortT")


class Ports:
    """Some ports, each under the type by which it is asked for: `ports[ChatStore]`."""

    def __init__(self, by_type: Mapping[type, object] | None = None) -> None:
        """`by_type`: each value serves the type that it stands under."""
        self._by_type = dict(by_type or {})

    def __getitem__(self, port: type[PortT]) -> PortT:
        """What serves a type. Raises PortMissing if it was not given."""
        if port not in self._by_type:
            raise PortMissing(f"there is no {port.__name__} here: `needs` must name it; {self!r}")
        return self._by_type[port]  # type: ignore[return-value]  # a value stands under its own type

    def only(self, needs: Iterable[type], whose: str) -> "Ports":
        """Those that something needs. `whose` names it; raises PortMissing if one of them is not here."""
        wanted = tuple(needs)
        missing = [port.__name__ for port in wanted if port not in self._by_type]
        if missing:
            raise PortMissing(f"{whose} needs {', '.join(missing)}, which it is not given; {self!r}")
        return Ports({port: self._by_type[port] for port in wanted})

    def __repr__(self) -> str:
        """The types alone: what stands behind them may hold a secret."""
        return f"given: {', '.join(sorted(port.__name__ for port in self._by_type)) or 'nothing'}"


NO_PORTS: Final = Ports()
