"""Money and messages: amounts of them, and limits of what may be spent by day and by month.

Money is counted in billionths of a dollar, as whole numbers: their sums are exact, and `cost_of` is no finer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, field_validator

#: billionths in a dollar
NANO: Final = 1_000_000_000
#: more than any limit allows, and still a whole number in Firestore
ENDLESS: Final = 2**60


def usd_to_nanos(usd: float) -> int:
    """Dollars in billionths, rounded up: what is not counted was spent all the same."""
    return -int(-usd * NANO // 1)


class Amount(BaseModel):
    """Money and answered messages."""

    model_config = ConfigDict(frozen=True)

    nano_usd: int = 0
    messages: int = 0

    def __add__(self, other: Amount) -> Amount:
        """Both together."""
        return Amount(nano_usd=self.nano_usd + other.nano_usd, messages=self.messages + other.messages)

    def __sub__(self, other: Amount) -> Amount:
        """What is left without the other."""
        return Amount(nano_usd=self.nano_usd - other.nano_usd, messages=self.messages - other.messages)

    def covers(self, other: Amount) -> bool:
        """Whether the other is no more than this, in both."""
        return other.nano_usd <= self.nano_usd and other.messages <= self.messages

    def least(self, other: Amount) -> Amount:
        """Of both, what is less."""
        return Amount(nano_usd=min(self.nano_usd, other.nano_usd), messages=min(self.messages, other.messages))

    def most(self, other: Amount) -> Amount:
        """Of both, what is more."""
        return Amount(nano_usd=max(self.nano_usd, other.nano_usd), messages=max(self.messages, other.messages))

    @property
    def usd(self) -> float:
        """The money in dollars."""
        return self.nano_usd / NANO


ZERO: Final = Amount()
ENDLESS_AMOUNT: Final = Amount(nano_usd=ENDLESS, messages=ENDLESS)


def sum_amounts(amounts: Iterable[Amount]) -> Amount:
    """All of them together."""
    return sum(amounts, ZERO)


class SpendingLimits(BaseModel):
    """What may be spent at most, in dollars and in answered messages; none: as much as somebody wants."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    day_usd: float | None = Field(default=None, ge=0, le=1_000_000, description="Dollars a day.")
    month_usd: float | None = Field(default=None, ge=0, le=1_000_000, description="Dollars a month.")
    day_messages: int | None = Field(default=None, ge=0, le=10_000_000, description="Answered messages a day.")
    month_messages: int | None = Field(default=None, ge=0, le=10_000_000, description="Answered messages a month.")

    @field_validator("*", mode="before")
    @classmethod
    def _is_no_word(cls, given: Any) -> Any:
        """In YAML `no` is no word, but false, which would be a limit of 0: then nobody is answered."""
        if isinstance(given, bool):
            raise ValueError("write a number, or leave it out where there is no limit")
        return given

    @property
    def day(self) -> Amount:
        """Of a day."""
        return _amount(self.day_usd, self.day_messages)

    @property
    def month(self) -> Amount:
        """Of a month."""
        return _amount(self.month_usd, self.month_messages)

    @property
    def limits_money(self) -> bool:
        """Whether money is limited."""
        return self.day_usd is not None or self.month_usd is not None

    @property
    def limits_messages(self) -> bool:
        """Whether messages are limited."""
        return self.day_messages is not None or self.month_messages is not None


UNLIMITED: Final = SpendingLimits()


def _amount(usd: float | None, messages: int | None) -> Amount:
    return Amount(
        nano_usd=ENDLESS if usd is None else int(usd * NANO), messages=ENDLESS if messages is None else messages
    )


class AgentLimits(BaseModel):
    """The limits that a persona sets: of the agent in all, of each person by their tier, and of each chat.

    Its owner is limited by the agent's and the deployment's alone.
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
