"""Sources of descriptions: their interface, those that call no model, and one that tries several in turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Protocol

from shared.values.curated import ByName, curated_of
from shared.values.media import Description, DescriptionOutcome
from shared.values.reference import FileReference

if TYPE_CHECKING:
    from shared.media.store.curations import FirestoreCurations
    from shared.media.store.media import FirestoreMedia

_EXHAUSTED: Final = Description(outcome=DescriptionOutcome.BUDGET_EXHAUSTED, why="It waits to be looked at.")
_TAKEN: Final = Description(outcome=DescriptionOutcome.TEMPORARY_FAILURE, why="It is being looked at just now.")


class MediaSource(Protocol):
    """A source of descriptions, such as the deployment's files, the database or a model."""

    async def describe(self, reference: FileReference) -> Description | None:
        """Return the source's description of a file, or None if the next source should be asked.

        Raises StoreUnavailable, StoreRefused, or WriteConflict while another run describes the file.
        """


@dataclass(frozen=True)
class SourceChain:
    """Several sources of descriptions, asked in order until one of them answers."""

    sources: Sequence[MediaSource]

    async def describe(self, reference: FileReference) -> Description | None:
        """Return the first answer that is not None, or None if no source has one."""
        for source in self.sources:
            found = await source.describe(reference)
            if found is not None:
                return found
        return None


@dataclass(frozen=True)
class CuratedSource:
    """Descriptions written by hand in the deployment's files, by agent."""

    by_agent: Mapping[str, ByName]

    async def describe(self, reference: FileReference) -> Description | None:
        """Return the agent's curated description, or None."""
        return curated_of(reference.ref, self.by_agent.get(reference.agent, {}))


@dataclass(frozen=True)
class CuratedEditSource:
    """Descriptions that the agent's owner wrote in the console."""

    edits: FirestoreCurations

    async def describe(self, reference: FileReference) -> Description | None:
        """Return the description by the agent's owner, or None."""
        found = (await self.edits.of_agent(reference.agent)).get(reference.ref.unique_id)
        return found.as_description if found is not None else None


@dataclass(frozen=True, kw_only=True)
class StoredSource:
    """A source of descriptions that earlier runs stored. If a file is being described or waits for its next try, the
    returned description says so, and no further source is asked.
    """

    store: FirestoreMedia
    clock: Callable[[], datetime]

    async def describe(self, reference: FileReference) -> Description | None:
        """Return the stored description, or None if the file may be described now."""
        kept = await self.store.find(reference.ref.unique_id)
        if kept is None or kept.is_due(self.clock(), reference.person):
            return None
        return kept.description or _TAKEN


@dataclass
class RunLimitSource:
    """Stops the chain after `left` files in one run, since the sources that follow cost money."""

    left: int

    async def describe(self, reference: FileReference) -> Description | None:
        """Return None, so that the next source is asked; once the limit is reached, return BUDGET_EXHAUSTED."""
        if self.left <= 0:
            return _EXHAUSTED
        self.left -= 1
        return None


@dataclass(frozen=True)
class EmptySource:
    """The last source of a chain if no model describes files. It has no descriptions."""

    async def describe(self, reference: FileReference) -> Description | None:
        return None
