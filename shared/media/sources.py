"""The sources of descriptions behind one interface; in a chain the first answer wins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Protocol

from shared.values.curated import ByName, curated_of
from shared.values.media import Description, DescriptionOutcome
from shared.values.reference import FileReference

if TYPE_CHECKING:
    from shared.media.store.media import FirestoreMedia

_EXHAUSTED: Final = Description(outcome=DescriptionOutcome.BUDGET_EXHAUSTED, why="It waits to be looked at.")
_TAKEN: Final = Description(outcome=DescriptionOutcome.TEMPORARY_FAILURE, why="It is being looked at just now.")


class MediaSource(Protocol):
    """One of the places that a description may come from."""

    async def describe(self, reference: FileReference) -> Description | None:
        """What it knows of a file; none: it knows nothing, and the next one is asked.

        Raises StoreUnavailable, StoreRefused, or Contended while another run describes the file.
        """


@dataclass(frozen=True)
class SourceChain:
    """Several sources, asked one after the other."""

    sources: Sequence[MediaSource]

    async def describe(self, reference: FileReference) -> Description | None:
        """The first answer."""
        for source in self.sources:
            found = await source.describe(reference)
            if found is not None:
                return found
        return None


@dataclass(frozen=True)
class CuratedSource:
    """What somebody wrote into files, by agent."""

    by_agent: Mapping[str, ByName]

    async def describe(self, reference: FileReference) -> Description | None:
        """What is written of a file for the agent that met it."""
        return curated_of(reference.ref, self.by_agent.get(reference.agent, {}))


@dataclass(frozen=True, kw_only=True)
class StoredSource:
    """What came of earlier runs. It answers for a file that waits or is being described, too: nobody else is asked."""

    store: FirestoreMedia
    clock: Callable[[], datetime]

    async def describe(self, reference: FileReference) -> Description | None:
        """What is kept of a file; none: it may be described now."""
        kept = await self.store.find(reference.ref.unique_id)
        if kept is None or kept.is_due(self.clock(), reference.person):
            return None
        return kept.description or _TAKEN


@dataclass
class RunLimitSource:
    """A gate before what costs: so many files may pass it in one run."""

    left: int

    async def describe(self, reference: FileReference) -> Description | None:
        """None, which lets a file pass, until the budget is used up."""
        if self.left <= 0:
            return _EXHAUSTED
        self.left -= 1
        return None


@dataclass(frozen=True)
class EmptySource:
    """What stands at the end where no model describes anything."""

    async def describe(self, reference: FileReference) -> Description | None:
        """It knows nothing."""
        return None
