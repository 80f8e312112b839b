"""A decision: whether the agent answers a message, and why."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class Tier(StrEnum):
    """What decided: the kind of chat, an explicit sign, or that nothing called for an answer."""

    CHAT = "chat"
    EXPLICIT = "explicit"
    NONE = "none"


class Decision(BaseModel):
    """Respond or not, with its reason in a few words of ours (never a person's)."""

    model_config = ConfigDict(frozen=True)

    respond: bool
    reason: str
    tier: Tier
