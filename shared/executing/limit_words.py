"""Limit words: what owners are told in private of how much of a limit is spent, once for each share of each limit."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.executing.telling import Word
from shared.models.account import DEPLOYMENT, agent_of
from shared.models.reminder import Reminder
from shared.ports.chats import Owners
from shared.ports.spending import Crossed
from shared.wording.verbatim import verbatim
from shared.wording.words import words_in


@dataclass(frozen=True, kw_only=True)
class LimitWords:
    """What is said, and to whom: of an agent's limits to its owner, of those of all to each who owns one of them."""

    owners: Owners
    #: those of the deployment
    agents: Collection[str]

    async def about(self, crossed: Crossed, label: str, now: datetime) -> Sequence[Reminder]:
        """The word to each; `label` is the day or the month. It costs a read for each agent and each owner."""
        owners = dict[int, str]()
        for agent in sorted(self.agents) if crossed.scope == DEPLOYMENT else [agent_of(crossed.scope)]:
            owner = await self.owners.owner(agent)
            if owner:
                owners.setdefault(owner, agent)
        words = list[Reminder]()
        for owner, agent in owners.items():
            language = await self.owners.language(agent, owner)
            text = words_in(language).say(f"limit.told_{crossed.span.value}", percent=verbatim(str(crossed.percent)))
            of = ("limit", crossed.scope, crossed.span.value, str(crossed.percent), label, str(owner))
            words.append(Word(agent=agent, owner=owner, of=of, text=text, language=language).kept(now))
        return words
