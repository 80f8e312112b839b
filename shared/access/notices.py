"""Notices to the owner of an agent: messages with buttons in the owner's private chat, outside of the conversation.

A notice goes through the outbox: a tick of the owner's chat sends it once. If that tick is lost, the next run of the
job `sweep` finds the notice. A notice costs a write, and a tick of the owner's chat.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from shared.base.wording.verbatim import verbatim
from shared.base.wording.words import Phrase, words_in
from shared.values.account import DEPLOYMENT, CrossedThreshold, agent_of
from shared.values.chat_key import ChatKey
from shared.values.outbox import NoticeButton, OutboxNotice
from shared.values.reminder import reminder_id

if TYPE_CHECKING:
    from shared.chat.store.bots import FirestoreOwners


@dataclass(frozen=True, kw_only=True)
class OwnerNotice:
    """A notice to the owner of an agent.

    `text` is markdown, with people's text in `verbatim()` or `quoted()`. `of` identifies the notice: if several notices
    have the same `of`, only one is sent.
    """

    agent: str
    #: the owner's id
    owner: int
    of: tuple[str, ...]
    text: Phrase
    #: buttons. Each calls the `press` of a command in the owner's chat, with the button's argument. That command needs
    #: `is_for_any_conversation=True`, and must answer with `is_apart=True`
    offers: tuple[NoticeButton, ...] = ()
    #: the id of the person whom the notice is about: the notice is deleted with this person's data. 0 if it is about
    #: nobody
    about: int = 0
    #: the owner's language, an IETF tag: `last_language` of their chat; "" if unknown
    language: str = ""

    def to_outbox(self, now: datetime) -> OutboxNotice:
        """Return the notice as it is stored in the outbox, due now.

        To store it in a tick of any chat, call `session.note(StoredNotice(notice.to_outbox(now)))`; when the tick
        releases its chat, it starts a tick of the owner's chat. A command returns
        `CommandResponse(notices=(notice.to_outbox(now),))`.
        """
        return OutboxNotice(
            id=owner_notice_id(self.agent, *self.of),
            agent=self.agent,
            chat=ChatKey(agent=self.agent, chat_id=self.owner).id,  # the id of a private chat is the person's id
            person=self.about or self.owner,
            text=self.text,
            next_at=now,
            language=self.language,
            set_at=now,
            is_apart=True,
            offers=self.offers,
        )


def owner_notice_id(agent: str, *of: str) -> str:
    """Return the id of an outbox notice. It is computed from the agent and the parts in `OwnerNotice.of`, so that the
    same notice always gets the same id.
    """
    return reminder_id("word", agent, *of)


@dataclass(frozen=True, kw_only=True)
class LimitNotices:
    """Makes notices that tell owners how much of a spending limit is used up.

    Notices about an agent's limits go to its owner; those about the deployment's limits go to the owners of all agents.
    """

    owners: FirestoreOwners
    #: the deployment's agents
    agents: Collection[str]

    async def about(self, crossed: CrossedThreshold, label: str, now: datetime) -> Sequence[OutboxNotice]:
        """Return the notices about a crossed threshold, one for each owner who is to be notified.

        `label` is the day or the month of the limit. Costs a read for each agent and for each owner.
        """
        owners = dict[int, str]()
        for agent in sorted(self.agents) if crossed.scope == DEPLOYMENT else [agent_of(crossed.scope)]:
            owner = await self.owners.owner(agent)
            if owner:
                owners.setdefault(owner, agent)
        words = list[OutboxNotice]()
        for owner, agent in owners.items():
            language = await self.owners.language(agent, owner)
            text = words_in(language).say(f"limit.told_{crossed.span.value}", percent=verbatim(str(crossed.percent)))
            of = ("limit", crossed.scope, crossed.span.value, str(crossed.percent), label, str(owner))
            words.append(OwnerNotice(agent=agent, owner=owner, of=of, text=text, language=language).to_outbox(now))
        return words
