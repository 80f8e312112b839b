"""Trust tiers, and the access list of an agent: the people and groups that its owner admitted or blocked."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator, Field

from shared.values.agent import FrontMatter, GroupPolicy, StrangerPolicy
from shared.values.evolve import FrozenModel, evolve
from shared.values.money import OwnerLimits

#: the maximum age of a cached access list, and therefore the longest time until a block takes effect
FRESH = timedelta(seconds=60)
#: a maximum age of zero, which forces a fresh read
NOW = timedelta(0)
#: an agent's access list is one document: this many entries of each sort stay well below the limit of 1 MiB
MOST_PEOPLE = 2_000
MOST_GROUPS = 500
MOST_BLOCKED = 2_000
#: bytes of UTF-8 that are kept of a person's name or a group's title: a full access list of names in any script then
#: has 900 kB, so that somebody can always be blocked
NAME_BYTES = 60


class TrustTier(StrEnum):
    """The tiers of an agent's trust in a person."""

    OWNER = "owner"  #: the person who claimed it
    KNOWN = "known"  #: admitted by the owner, or a member of an admitted group
    STRANGER = "stranger"
    BLOCKED = "blocked"


class AdmissionSource(StrEnum):
    """The way in which a person was admitted."""

    OWNER = "owner"  #: by the owner's command or button
    INVITATION = "invitation"  #: by opening the owner's invitation link


def cut_name(name: object) -> str:
    """Return the beginning of a name, cut to the length that access lists keep."""
    return str(name).encode(errors="replace")[:NAME_BYTES].decode(errors="ignore")


#: a name as Telegram shows it; its owner chose the words
Name = Annotated[str, BeforeValidator(cut_name)]


class AdmittedPerson(FrozenModel):
    """A person who was admitted. `by` is the id of the person who admitted them."""

    id: int
    name: Name = ""
    since: datetime
    by: int
    via: AdmissionSource = AdmissionSource.OWNER
    #: the invitation that they opened; empty if none
    invitation: str = ""


class AdmittedGroup(FrozenModel):
    """A group that the owner admitted. All of its members count as known."""

    chat_id: int
    title: Name = ""
    since: datetime
    by: int


class BlockedPerson(FrozenModel):
    """A person whom the agent answers nowhere. A channel that writes in groups may be blocked as well."""

    id: int
    name: Name = ""
    since: datetime
    #: the person who blocked them; 0 if the agent did, in a plan
    by: int = 0
    why: Name = ""


class AgentSilence(FrozenModel):
    """A record of who silenced the agent, and since when. A silenced agent answers only its owner's commands."""

    since: datetime
    by: int = 0


class AccessRules(FrozenModel):
    """The owner's rules for known people, strangers and groups. If a rule is None, the persona's applies."""

    #: whether strangers are answered in private chats; and what they get if they are not
    open: bool | None = None
    strangers: StrangerPolicy | None = None
    #: the behavior in groups that the owner has not admitted
    groups: GroupPolicy | None = None
    #: whether the members of admitted groups are known in their private chats, too; otherwise they are strangers there
    fellows: bool = True

    def in_front(self, front: FrontMatter) -> FrontMatter:
        """Return a persona's front matter with these rules in place of its own."""
        return evolve(
            front,
            open=front.open if self.open is None else self.open,
            strangers=self.strangers or front.strangers,
            groups=self.groups or front.groups,
        )


class KeepingTerms(FrozenModel):
    """The time until which exchanges with models are kept word for word, and the owner who switched this on."""

    until: datetime
    by: int = 0


class AccessList(FrozenModel):
    """The access list of an agent: its owner, the admitted people and groups, and the blocked people, by id.

    A block takes precedence over an admission. Once the block is lifted, the person has the same tier as before.
    """

    agent: str
    #: the id of the person who claimed the agent; 0 if nobody did
    owner: int = 0
    people: Mapping[int, AdmittedPerson] = Field(default_factory=dict)
    groups: Mapping[int, AdmittedGroup] = Field(default_factory=dict)
    blocked: Mapping[int, BlockedPerson] = Field(default_factory=dict)
    silenced: AgentSilence | None = None
    #: the owner's rules and limits, which override the persona's
    rules: AccessRules = AccessRules()
    limits: OwnerLimits = OwnerLimits()
    #: until when exchanges with models are kept word for word; None if the owner has not switched that on
    keeping: KeepingTerms | None = None

    @property
    def is_claimed(self) -> bool:
        """True if the agent has an owner."""
        return self.owner != 0

    def tier_of(self, person: int, chat_id: int = 0, *, is_fellow: bool = False) -> TrustTier:
        """Return the trust tier of a person who writes in a chat; `chat_id` 0 stands for no chat in particular.

        `is_fellow` is true if the person is known to be a member of an admitted group. If the chat is itself an
        admitted group, `is_fellow` does not matter. The owner cannot be blocked.
        """
        if person == self.owner and self.is_claimed:
            return TrustTier.OWNER
        if person in self.blocked:
            return TrustTier.BLOCKED
        if person in self.people or chat_id in self.groups or is_fellow:
            return TrustTier.KNOWN
        return TrustTier.STRANGER
