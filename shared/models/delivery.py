"""A delivery: one outgoing call to Telegram and its state."""

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class DeliveryState(StrEnum):
    """planned → attempted → confirmed, refused or unknown; attempted is written before the call leaves."""

    PLANNED = "planned"
    ATTEMPTED = "attempted"
    CONFIRMED = "confirmed"
    REFUSED = "refused"
    UNKNOWN = "unknown"


class Delivery(BaseModel):
    """One call: which part of its task it carries, and what became of it.

    Telegram has no idempotency key: an attempted delivery without an answer is `unknown` and is never sent again.
    """

    model_config = ConfigDict(frozen=True)

    #: 0 for the first part of a text that is longer than one message
    part: int
    #: the Bot API's method
    method: str
    state: DeliveryState = DeliveryState.PLANNED
    message_ids: tuple[int, ...] = ()
    #: why it was refused or is unknown; never a text of a person or a token
    why: str = ""
    attempted_at: datetime | None = None
