"""A membership: that a person was seen in a group with an agent."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict


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
