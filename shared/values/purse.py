"""A purse: what a chat was lent, as the chat's document has it. Only who holds the chat spends from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from shared.base.model_call import ModelCall
from shared.values.account import PERSON, Sums, month_of
from shared.values.money import NOTHING, Amount, Limits, total

#: answers of one allowance, at most: after so many what was spent stands in a document of its own
TURNS: Final = 20


class Used(BaseModel):
    """What calls of one purpose took."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    nano_usd: int = 0

    def __add__(self, other: Used) -> Used:
        """Both together."""
        return Used(**{name: getattr(self, name) + getattr(other, name) for name in Used.model_fields})


def used_by(call: ModelCall, nano_usd: int) -> Used:
    """What one call took."""
    return Used(
        calls=1,
        prompt_tokens=call.prompt_tokens,
        cached_tokens=call.cached_tokens,
        output_tokens=call.output_tokens + call.thought_tokens,
        nano_usd=nano_usd,
    )


class Allowance(BaseModel):
    """A slice of a day's money and messages, lent to a chat for one person. What is reserved may be spent already."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    #: whose limits it is lent from; 0: nobody's, only the agent's
    person: int = 0
    #: by the agent's zone, as 2026-11-25
    day: str
    until: datetime
    #: none: nothing limits it, and no account knows of it
    lent: Amount | None = None
    #: which of the deployment's documents lent it
    shard: int = 0
    reserved: Amount = NOTHING
    used: Amount = NOTHING
    #: of what is used, what ticks had reserved that died: nobody knows whether they spent it
    expired: Amount = NOTHING
    by: Mapping[str, Used] = Field(default_factory=dict)
    #: whether so little is left of what many share that it is given back as soon as the chat rests
    is_tight: bool = False

    @property
    def rest(self) -> Amount | None:
        """What may still be reserved; none: as much as is wanted."""
        return None if self.lent is None else self.lent - self.used - self.reserved


class Refusal(BaseModel):
    """That a limit is reached: who was not answered, and of which day or month it is (2026-11-25, 2026-11)."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    person: int
    label: str
    #: whose limit it is, by whose days it ends (`SpendingTerms.days`)
    scope: str = PERSON
    #: whether something is left of it, which other chats have and did not give back in time
    is_lent: bool = False
    #: before that the accounts are not asked again
    again_at: datetime


class Purse(BaseModel):
    """What a chat was lent: what is open, what is over and not yet settled in the accounts, and its own sums."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    open: tuple[Allowance, ...] = ()
    closed: tuple[Allowance, ...] = ()
    #: the chat's own sums, by the agent's zone
    sums: Sums = Sums()
    #: what a tick that answers needs, by those before: so much is reserved with the claim
    usual: Amount = NOTHING
    #: the newest refusal; none since something was lent
    refused: Refusal | None = None
    #: person, by their id in digits → the day, or the month, whose limit they were told of; of the soft one with `~`
    told: Mapping[str, str] = Field(default_factory=dict)
    #: when the first of what is open has to be given back; none: nothing is lent
    until: datetime | None = None
    #: the month of what is open or closed and in no usage document yet; empty: there is nothing
    month: str = ""
    #: until when the cheaper model answers everybody here: a limit that they share is passed so far
    soft_until: datetime | None = None
    #: until when it answers one person, by their id in digits: a limit of their own is
    soft_for: Mapping[str, datetime] = Field(default_factory=dict)

    @property
    def reserved(self) -> Amount:
        """What is reserved: once its tick is dead, all of it is charged."""
        return total(one.reserved for one in self.open)

    def is_soft(self, person: int, now: datetime) -> bool:
        """Whether the cheaper model answers somebody here; 0: nobody, as a summary does."""
        untils = (self.soft_until, self.soft_for.get(str(person)))
        return any(until is not None and until > now for until in untils)


class Usage(BaseModel):
    """What one allowance was used for, or one job: `usage/{id}`. Sums over these are what /usage tells."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    #: empty: no agent's, such as of a file's description for all
    agent: str = ""
    #: the id of the chat's document; empty: no chat's
    chat: str = ""
    person: int = 0
    #: by the agent's zone, as 2026-11-25 and 2026-11
    day: str
    month: str
    at: datetime
    used: Amount = NOTHING
    expired: Amount = NOTHING
    by: Mapping[str, Used] = Field(default_factory=dict)


def usage_of(allowance: Allowance, agent: str, chat: str, at: datetime) -> Usage:
    """What an allowance was used for."""
    return Usage(
        id=allowance.id,
        agent=agent,
        chat=chat,
        person=allowance.person,
        day=allowance.day,
        month=month_of(allowance.day),
        at=at,
        used=allowance.used,
        expired=allowance.expired,
        by=allowance.by,
    )


@dataclass(frozen=True, kw_only=True)
class Part:
    """What one of several people pays for a call, and what limits that person."""

    amount: Amount
    limits: Limits


def part_id(whole: str, number: int) -> str:
    """The name of one person's part, by its number, of what is lent for a call."""
    return f"{whole}-{number}"
