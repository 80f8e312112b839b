"""A membership: that a person was seen in a group with an agent."""

from datetime import datetime, timedelta
from typing import Final

from pydantic import BaseModel, ConfigDict

from shared.values.chat_key import ChatKey
from shared.values.place import chat_of

#: what Telegram said of a membership is as good as new for so long
FRESH: Final = timedelta(minutes=5)


class Membership(BaseModel):
    """That a person was seen in a group, and what is known of whether they still are."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    agent: str
    chat_id: int
    person: int
    #: of the group: the one that it is, and the one that it was before it became a supergroup
    places: tuple[str, ...]
    seen_at: datetime
    is_member: bool = True
    #: until when Telegram's word on it is as good as new; none: it was not asked
    fresh_until: datetime | None = None
    #: each time that they left or were removed, and each that they were told to have come
    left_at: tuple[datetime, ...] = ()
    joined_at: tuple[datetime, ...] = ()

    @property
    def key(self) -> ChatKey:
        """The key of the group without its topics, or of the topic of direct messages."""
        direct = next((key for key in map(chat_of, self.places) if key.is_direct), None)
        return direct or ChatKey(agent=self.agent, chat_id=self.chat_id)

    @property
    def checked_at(self) -> datetime | None:
        """When Telegram was asked whether they are in the group; none: it was not."""
        return self.fresh_until - FRESH if self.fresh_until is not None else None

    def is_sure(self, at: datetime) -> bool:
        """Return whether Telegram's word that they are in the group still counted at a moment."""
        return self.is_member and self.fresh_until is not None and self.fresh_until >= at
