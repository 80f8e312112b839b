"""Notices to the owner of an agent: messages with buttons in the owner's private chat, outside of the conversation.

A notice goes through the outbox, so a tick of the owner's chat sends it once, and the sweep finds it if that tick is
lost. A notice costs a write, and a tick of the owner's chat.
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

    `text` is markdown, with people's text in `verbatim()` or `quoted()`. Two notices with the same `of` are sent once.
    """

    agent: str
    #: the owner's id
    owner: int
    of: tuple[str, ...]
    text: Phrase
    #: buttons. Each calls a command's `press` in the owner's chat with the argument; the handler needs
    #: `is_for_any_conversation=True`, and must answer with `is_apart=True`
    offers: tuple[NoticeButton, ...] = ()
    #: the person whom the notice is about; it is deleted with this person's data; 0: nobody
    about: int = 0
    #: the owner's language, an IETF tag: `last_language` of their chat; "" if unknown
    language: str = ""

    def to_outbox(self, now: datetime) -> OutboxNotice:
        """Return the outbox notice, due now.

        In a tick of any chat: `session.note(StoredNotice(notice.to_outbox(now)))`; its wake follows when that chat is
        released. In a command: `CommandResponse(notices=(notice.to_outbox(now),))`.
        """
        return OutboxNotice(
            id=owner_notice_id(self.agent, *self.of),
            agent=self.agent,
            chat=ChatKey(agent=self.agent, chat_id=self.owner).id,  # the private chat has the person's id
            person=self.about or self.owner,
            text=self.text,
            next_at=now,
            language=self.language,
            set_at=now,
            is_apart=True,
            offers=self.offers,
        )


def owner_notice_id(agent: str, *of: str) -> str:
    """Return the id of the outbox notice with this name."""
    return reminder_id("word", agent, *of)


@dataclass(frozen=True, kw_only=True)
class LimitNotices:
    """Makes notices about limits: an agent's go to its owner, the deployment's to the owner of any agent."""

    owners: FirestoreOwners
    #: the deployment's agents
    agents: Collection[str]

    async def about(self, crossed: CrossedThreshold, label: str, now: datetime) -> Sequence[OutboxNotice]:
        """Return the notice for each owner; `label` is the day or the month. Costs a read per agent and owner."""
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
