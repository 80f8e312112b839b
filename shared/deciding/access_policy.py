"""Access: whether who writes may have an answer. Pure: the access list, where they write, and how open the agent is."""

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
    """Who may have an answer in one chat.

    An agent that is not open answers its owner and whom the owner let in, in groups that were let in whoever writes.
    """

    #: none: nobody is turned away, and nobody is known
    access_list: AccessList | None = None
    #: Telegram's id of the chat, or of whose direct messages it holds; below 0: a group; 0: nobody's is known
    chat_id: int = 0
    #: whether strangers are answered here
    is_open: bool = False
    #: whether the person of a private chat is a member of a group that was let in
    is_fellow: bool = False
    #: whether the owner has what waits here answered
    is_admitted: bool = False
    #: whether that counts for one answer, and for nothing after it
    is_once: bool = False

    @property
    def owner(self) -> int:
        """The id of whose the agent is; 0: nobody's."""
        return self.access_list.owner if self.access_list is not None else 0

    def tier_of(self, person: int) -> TrustTier:
        """How far the agent trusts somebody who writes here."""
        if self.access_list is None:
            return TrustTier.STRANGER
        return self.access_list.tier_of(person, self.chat_id, is_fellow=self.is_fellow)

    @property
    def turns_away(self) -> bool:
        """Whether the person of the private chat, or whoever is in the group, has no answer."""
        return bool(self.refusal(max(self.chat_id, 0)))

    def refusal(self, person: int) -> str:
        """Why somebody has no answer here, in a few words of ours; empty: they may have one."""
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


#: where nobody is turned away
OPEN: Final = AccessPolicy()
