"""The engine's memory: the prompt that it holds, and the states of those that it held before.

An engine holds one prompt, and reads of the next one only what differs. When another chat's prompt comes, the state of
the one that it holds is put away first, so that coming back to it costs a copy and not the reading.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Protocol

from local.gemini.engine import SavedState

#: bytes of the states that are put away; those longest unused go
MOST_BYTES = 512 * 1024 * 1024

#: so many tokens are read again sooner than a state is moved for them
FEW_TOKENS = 16

Tokens = tuple[int, ...]


class SavesStates(Protocol):
    """What a slot needs of an engine; names are those of files in the engine's own folder."""

    async def save(self, name: str) -> SavedState | None:
        """Write the state of the prompt that is held."""

    async def restore(self, name: str) -> bool:
        """Hold the prompt of a state instead; False: it could not be."""

    def take(self, name: str) -> bytes:
        """The bytes of a state."""

    def give(self, name: str, state: bytes) -> None:
        """A state from elsewhere."""

    def discard(self, name: str) -> None:
        """Delete a state."""


@dataclass(frozen=True, kw_only=True)
class _PutAway:
    name: str
    tokens: Tokens
    size: int


class Slot:
    """What one engine holds; for one caller at a time."""

    def __init__(self, engine: SavesStates, max_bytes: int = MOST_BYTES) -> None:
        """The engine is new, and holds nothing."""
        self._engine, self._max_bytes = engine, max_bytes
        self._held: Tokens = ()
        self._is_sure = True
        self._put_away: list[_PutAway] = []  # the longest unused first
        self._numbers = count(1)

    def known(self, tokens: Sequence[int]) -> int:
        """How many of these tokens, from the first, need not be read."""
        return max(common(tokens, self._held), *(common(tokens, state.tokens) for state in self._put_away), 0)

    async def begin(self, tokens: Tokens) -> int:
        """Make the engine ready to read these; how many of them it need not read. `finish` follows when it has."""
        if not self._is_sure:
            await self._put_held_away()
        here = common(tokens, self._held)
        best = max(self._put_away, key=lambda state: common(tokens, state.tokens), default=None)
        is_better = best is not None and common(tokens, best.tokens) > here + FEW_TOKENS
        if is_better or len(self._held) > here + FEW_TOKENS:
            await self._put_held_away()
        if is_better and best in self._put_away and await self._bring_back(best):
            here = common(tokens, best.tokens)
        self._held, self._is_sure = tokens, False
        return here

    def finish(self) -> None:
        """The prompt that was begun is read to its end."""
        self._is_sure = True

    async def state(self) -> bytes | None:
        """The state of the prompt that is held whole; None: it cannot be had."""
        name = self._name()
        saved = await self._engine.save(name)
        if saved is None:
            return None
        try:
            return self._engine.take(name) if saved.tokens >= len(self._held) else None
        finally:
            self._engine.discard(name)

    def adopt(self, tokens: Tokens, state: bytes) -> None:
        """Take up a state that was kept elsewhere."""
        name = self._name()
        self._engine.give(name, state)
        self._note(_PutAway(name=name, tokens=tokens, size=len(state)))

    async def _put_held_away(self) -> None:
        """Save the prompt that is held, as far as it has been read, unless it is saved already."""
        if self._held and not any(self._is_sure and state.tokens == self._held for state in self._put_away):
            name = self._name()
            saved = await self._engine.save(name)
            self._held = self._held[: saved.tokens if saved else 0]
            if saved:
                self._note(_PutAway(name=name, tokens=self._held, size=saved.size))
        self._is_sure = True

    async def _bring_back(self, state: _PutAway) -> bool:
        self._put_away.remove(state)
        if not await self._engine.restore(state.name):
            self._engine.discard(state.name)
            self._held = ()
            return False
        self._put_away.append(state)
        return True

    def _note(self, new: _PutAway) -> None:
        """Add a state; those that it holds the whole of go, and the longest unused ones."""
        contained = [old for old in self._put_away if common(old.tokens, new.tokens) == len(old.tokens)]
        for old in contained:
            self._drop(old)
        self._put_away.append(new)
        while sum(state.size for state in self._put_away) > self._max_bytes:
            self._drop(self._put_away[0])

    def _drop(self, state: _PutAway) -> None:
        self._put_away.remove(state)
        self._engine.discard(state.name)

    def _name(self) -> str:
        return f"{next(self._numbers)}.state"


def common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens two prompts have in common from their first."""
    same = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        same += 1
    return same
