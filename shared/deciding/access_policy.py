"""Decides whether the agent may answer the author of a message, from the access list, the chat and the settings."""

from dataclasses import dataclass
from typing import Final

from shared.values.trust import AccessList, TrustTier

#: the reasons of decisions
BLOCKED: Final = "blocked"
SILENCED: Final = "the owner has silenced the agent"
UNCLAIMED: Final = "nobody has claimed the agent"
STRANGER: Final = "a stranger, whom nobody let in"
GROUP: Final = "the group is not let in"


@dataclass(frozen=True, kw_only=True)
class AccessPolicy:
    """The people whom the agent may answer in one chat.

    An agent that is not open to strangers answers its owner and the people whom the owner admitted. In an admitted
    group, it answers everybody.
    """

    #: None if everybody may be answered; in that case nobody's trust tier is known
    access_list: AccessList | None = None
    #: Telegram's id of the chat, or of the person whose direct messages it contains; negative for a group; 0 if unknown
    chat_id: int = 0
    #: whether strangers are answered here
    is_open: bool = False
    #: whether the person of a private chat is a member of an admitted group
    is_fellow: bool = False
    #: whether the owner has allowed the waiting messages to be answered
    is_admitted: bool = False
    #: whether that permission is for one answer only
    is_once: bool = False

    @property
    def owner(self) -> int:
        """The id of the agent's owner; 0 if it has none."""
        return self.access_list.owner if self.access_list is not None else 0

    def tier_of(self, person: int) -> TrustTier:
        """Return the trust tier of a person who writes here."""
        if self.access_list is None:
            return TrustTier.STRANGER
        return self.access_list.tier_of(person, self.chat_id, is_fellow=self.is_fellow)

    @property
    def turns_away(self) -> bool:
        """True if the agent may not answer anybody here: neither the person of a private chat nor a group's members."""
        return bool(self.refusal(max(self.chat_id, 0)))

    def refusal(self, person: int) -> str:
        """Return the reason why the agent may not answer a person here, as an English phrase; empty if it may."""
        if self.access_list is None:
            return ""
        tier = self.tier_of(person)
        if tier is TrustTier.BLOCKED:
            return BLOCKED
        if self.access_list.silenced is not None:
            return SILENCED
        if self.is_open or self.is_admitted:
            return ""
        if not self.access_list.is_claimed:
            return UNCLAIMED
        if self.chat_id < 0:
            return "" if self.chat_id in self.access_list.groups else GROUP
        return STRANGER if tier is TrustTier.STRANGER else ""


#: the policy that refuses nobody
OPEN: Final = AccessPolicy()
