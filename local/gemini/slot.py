"""The engine's memory: its current prompt, and the saved states of earlier prompts.

An engine holds one prompt, and reads only the part of the next prompt that differs. Before it reads another chat's
prompt, the state of the current one is saved, so that returning to it costs a copy instead of reading again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Protocol

from local.gemini.engine import SavedState

#: limit in bytes of the saved states; the least recently used are deleted
MOST_BYTES = 512 * 1024 * 1024

#: reading this many tokens is faster than saving and loading a state
FEW_TOKENS = 16

Tokens = tuple[int, ...]


class SavesStates(Protocol):
    """The methods of an engine that a slot needs. Names are those of files in the engine's folder."""

    async def save(self, name: str) -> SavedState | None:
        """Save the state of the current prompt."""

    async def restore(self, name: str) -> bool:
        """Load a state in place of the current one; return whether that succeeded."""

    def take(self, name: str) -> bytes:
        """Return the bytes of a saved state."""

    def give(self, name: str, state: bytes) -> None:
        """Put a state into the engine's folder."""

    def discard(self, name: str) -> None:
        """Delete a state."""


@dataclass(frozen=True, kw_only=True)
class _PutAway:
    name: str
    tokens: Tokens
    size: int


class Slot:
    """The prompts of one engine. Not safe for several callers at a time."""

    def __init__(self, engine: SavesStates, max_bytes: int = MOST_BYTES) -> None:
        """Use a new engine, which holds no prompt."""
        self._engine, self._max_bytes = engine, max_bytes
        self._held: Tokens = ()
        self._is_sure = True
        self._put_away: list[_PutAway] = []  # least recently used first
        self._numbers = count(1)

    def known(self, tokens: Sequence[int]) -> int:
        """Return how many of these tokens, from the first, need not be read again."""
        return max(common(tokens, self._held), *(common(tokens, state.tokens) for state in self._put_away), 0)

    async def begin(self, tokens: Tokens) -> int:
        """Make the engine ready to read these tokens; return how many need not be read again. Call `finish` after
        the reading.
        """
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
        """Note that the prompt was read completely."""
        self._is_sure = True

    async def state(self) -> bytes | None:
        """Return the state of the complete current prompt, or None if it cannot be saved."""
        name = self._name()
        saved = await self._engine.save(name)
        if saved is None:
            return None
        try:
            return self._engine.take(name) if saved.tokens >= len(self._held) else None
        finally:
            self._engine.discard(name)

    def adopt(self, tokens: Tokens, state: bytes) -> None:
        """Load a state that was stored elsewhere."""
        name = self._name()
        self._engine.give(name, state)
        self._note(_PutAway(name=name, tokens=tokens, size=len(state)))

    async def _put_held_away(self) -> None:
        """Save the state of the current prompt, as far as it has been read, unless it is saved already."""
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
        """Add a saved state. Remove states that are a prefix of it, then the least recently used ones if there are
        too many bytes.
        """
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
    """Return the length of the common prefix of two prompts, in tokens."""
    same = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        same += 1
    return same
