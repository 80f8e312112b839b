"""Trust tiers, and the access list of an agent: the people and groups that its owner admitted or blocked."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

#: so old an access list may be that is acted on: as old as a block may be that is not heeded yet
FRESH = timedelta(seconds=60)
#: read anew, whatever is known
NOW = timedelta(0)
#: an agent's access list is one document: so many entries of each sort are well below the 1 MiB that one may have
MOST_PEOPLE = 2_000
MOST_GROUPS = 500
MOST_BLOCKED = 2_000
#: of a person's name or a group's title so many bytes of UTF-8 are kept: a full access list of names in any script has
#: 900 kB, so that somebody can always be blocked
NAME_BYTES = 60


class TrustTier(StrEnum):
    """How far an agent trusts a person."""

    OWNER = "owner"  #: who claimed it
    KNOWN = "known"  #: let in by the owner, or a member of a group that the owner let in
    STRANGER = "stranger"
    BLOCKED = "blocked"


class AdmissionSource(StrEnum):
    """How somebody came to be let in."""

    OWNER = "owner"  #: the owner did it: by a command or a button
    INVITATION = "invitation"  #: they opened a link of the owner's


def cut_name(name: object) -> str:
    """The beginning of a name, as much as an access list keeps of it."""
    return str(name).encode(errors="replace")[:NAME_BYTES].decode(errors="ignore")


#: as Telegram shows it: somebody else's words
Name = Annotated[str, BeforeValidator(cut_name)]


class AdmittedPerson(BaseModel):
    """A person whom the owner let in. `by`: the id of whose doing it was."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: int
    name: Name = ""
    since: datetime
    by: int
    via: AdmissionSource = AdmissionSource.OWNER
    #: the invitation that they opened; empty: none
    invitation: str = ""


class AdmittedGroup(BaseModel):
    """A group that the owner let in: whoever writes there is known."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    chat_id: int
    title: Name = ""
    since: datetime
    by: int


class BlockedPerson(BaseModel):
    """Somebody who is not answered anywhere. A channel in whose name people write in groups may be blocked as well."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: int
    name: Name = ""
    since: datetime
    #: whose doing it was; 0: the agent's own, by a plan
    by: int = 0
    why: Name = ""


class AgentSilence(BaseModel):
    """That the agent answers nobody but commands of its owner, anywhere, until somebody ends it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    since: datetime
    by: int = 0


class AccessList(BaseModel):
    """Whom an agent answers: its owner, the people and groups that were let in, and who is blocked, each by id.

    Whoever is blocked is so although they were let in; who is unblocked is again what they were before.
    """

    model_config = ConfigDict(frozen=True)

    agent: str
    #: the id of the person who claimed the agent; 0: nobody did
    owner: int = 0
    people: Mapping[int, AdmittedPerson] = Field(default_factory=dict)
    groups: Mapping[int, AdmittedGroup] = Field(default_factory=dict)
    blocked: Mapping[int, BlockedPerson] = Field(default_factory=dict)
    silenced: AgentSilence | None = None

    @property
    def is_claimed(self) -> bool:
        """Whether the agent has an owner."""
        return self.owner != 0

    def tier_of(self, person: int, chat_id: int = 0, *, is_fellow: bool = False) -> TrustTier:
        """How far a person is trusted who writes in a chat; 0: wherever it is.

        `is_fellow`: whether they are known to be a member of some group that was let in. Whoever writes in such a group
        needs no proof. The owner can be blocked by nobody.
        """
        if person == self.owner and self.is_claimed:
            return TrustTier.OWNER
        if person in self.blocked:
            return TrustTier.BLOCKED
        if person in self.people or chat_id in self.groups or is_fellow:
            return TrustTier.KNOWN
        return TrustTier.STRANGER
