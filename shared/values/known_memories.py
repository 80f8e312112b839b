"""The memories that are shown in one place."""

from dataclasses import dataclass

from shared.values.agent import CuratedMemory
from shared.values.memory import Memory


@dataclass(frozen=True, kw_only=True)
class Known:
    """What is shown in one place: first what changes least."""

    curated: tuple[CuratedMemory, ...] = ()
    #: the agent's and the chat's, oldest first; and those of whoever is answered
    common: tuple[Memory, ...] = ()
    personal: tuple[Memory, ...] = ()
    #: of those people, what words from outside asked to remember: prompts tell only how many they are
    quoted: tuple[Memory, ...] = ()
    #: marks of what these had forgotten
    forgotten: tuple[Memory, ...] = ()

    @property
    def listed(self) -> tuple[Memory, ...]:
        """Those that a prompt shows."""
        return (*self.common, *self.personal)
