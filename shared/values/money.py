"""Amounts of money and messages, and limits on them by day and by month.

Money is counted in whole nano-dollars (billionths of a dollar), so that sums are exact. `cost_of` rounds to
nano-dollars, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, field_validator

from shared.values.evolve import FrozenModel

#: nano-dollars in a dollar
NANO: Final = 1_000_000_000
#: above any limit, and still within Firestore's integers
ENDLESS: Final = 2**60


def usd_to_nanos(usd: float) -> int:
    """Convert dollars to nano-dollars. Rounds up, so that no spending is lost."""
    return -int(-usd * NANO // 1)


class Amount(FrozenModel):
    """An amount of money and of answered messages."""

    nano_usd: int = 0
    messages: int = 0

    def __add__(self, other: Amount) -> Amount:
        return Amount(nano_usd=self.nano_usd + other.nano_usd, messages=self.messages + other.messages)

    def __sub__(self, other: Amount) -> Amount:
        return Amount(nano_usd=self.nano_usd - other.nano_usd, messages=self.messages - other.messages)

    def covers(self, other: Amount) -> bool:
        """Return whether `other` is no larger than this amount, in money and in messages."""
        return other.nano_usd <= self.nano_usd and other.messages <= self.messages

    def at_most(self, other: Amount) -> Amount:
        """Return the smaller sum of money and the smaller number of messages of the two amounts."""
        return Amount(nano_usd=min(self.nano_usd, other.nano_usd), messages=min(self.messages, other.messages))

    def at_least(self, other: Amount) -> Amount:
        """Return the larger sum of money and the larger number of messages of the two amounts."""
        return Amount(nano_usd=max(self.nano_usd, other.nano_usd), messages=max(self.messages, other.messages))

    @property
    def usd(self) -> float:
        return self.nano_usd / NANO


ZERO: Final = Amount()
ENDLESS_AMOUNT: Final = Amount(nano_usd=ENDLESS, messages=ENDLESS)


def sum_amounts(amounts: Iterable[Amount]) -> Amount:
    return sum(amounts, ZERO)


class SpendingLimits(BaseModel):
    """The most that may be spent, in dollars and in answered messages. None means unlimited."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    day_usd: float | None = Field(default=None, ge=0, le=1_000_000, description="Dollars a day.")
    month_usd: float | None = Field(default=None, ge=0, le=1_000_000, description="Dollars a month.")
    day_messages: int | None = Field(default=None, ge=0, le=10_000_000, description="Answered messages a day.")
    month_messages: int | None = Field(default=None, ge=0, le=10_000_000, description="Answered messages a month.")

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_booleans(cls, given: Any) -> Any:
        """Refuse booleans: YAML reads a bare `no` as false, which would become a limit of 0."""
        if isinstance(given, bool):
            raise ValueError("write a number, or leave the field out for no limit")
        return given

    @property
    def day(self) -> Amount:
        """The limit of a day, as an amount of money and messages."""
        return _amount(self.day_usd, self.day_messages)

    @property
    def month(self) -> Amount:
        """The limit of a month, as an amount of money and messages."""
        return _amount(self.month_usd, self.month_messages)

    def at_most(self, other: SpendingLimits) -> SpendingLimits:
        """Return the lower of each pair of limits. If only one of the two has a limit, that one applies."""
        pairs = ((name, getattr(self, name), getattr(other, name)) for name in SpendingLimits.model_fields)
        lower = {name: min(here, there, key=_or_endless) for name, here, there in pairs}
        return SpendingLimits.model_validate(lower)

    @property
    def limits_money(self) -> bool:
        return self.day_usd is not None or self.month_usd is not None

    @property
    def limits_messages(self) -> bool:
        return self.day_messages is not None or self.month_messages is not None


UNLIMITED: Final = SpendingLimits()


def _or_endless(limit: float | None) -> float:
    return ENDLESS if limit is None else limit


def _amount(usd: float | None, messages: int | None) -> Amount:
    return Amount(
        nano_usd=ENDLESS if usd is None else int(usd * NANO), messages=ENDLESS if messages is None else messages
    )


class AgentLimits(BaseModel):
    """The limits that a persona sets: for the agent as a whole, for each person by their tier, and for each chat.

    For the owner only the limits of the agent and of the deployment apply.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    agent: SpendingLimits = Field(default=UNLIMITED, description="Of all chats with it together.")
    known: SpendingLimits = Field(
        default=SpendingLimits(day_usd=0.50, day_messages=300), description="Of each person whom the owner let in."
    )
    stranger: SpendingLimits = Field(
        default=SpendingLimits(day_usd=0.10, day_messages=30), description="Of each other person."
    )
    chat: SpendingLimits = Field(default=UNLIMITED, description="Of each chat.")

    def at_most(self, own: OwnerLimits) -> AgentLimits:
        """Return the limits, lowered to the limits that the owner set."""
        parts = {name: getattr(self, name).at_most(getattr(own, name)) for name in AgentLimits.model_fields}
        return AgentLimits(**parts)


class OwnerLimits(FrozenModel):
    """The limits that an agent's owner set in the console. They can only lower those of the settings and the persona.

    Where a field has no limit, the limit of the settings or of the persona applies.
    """

    #: of all agents together; the owner of all agents sets it, for each agent alike
    deployment: SpendingLimits = UNLIMITED
    #: of the agent, and of each person or chat with it
    agent: SpendingLimits = UNLIMITED
    known: SpendingLimits = UNLIMITED
    stranger: SpendingLimits = UNLIMITED
    chat: SpendingLimits = UNLIMITED
    #: the share of a limit above which the cheaper model answers; None if the setting applies
    soft_share: float | None = Field(default=None, ge=0.1, le=1)


#: the limits of an owner who set none
NO_OWNER_LIMITS: Final = OwnerLimits()
