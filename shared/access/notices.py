"""Telling the owner: a word in their private chat with the agent, apart from their conversation, with buttons.

It is kept in the outbox, so it comes once, by a tick of the owner's own chat, and the sweep finds
one whose tick was lost. It costs a write where it is noted, and a tick of the owner's chat.
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
    """What the owner of an agent is told.

    `text` is markdown, with what people wrote in it `verbatim()` or `quoted()`. `of` names it: two of one name are one.
    """

    agent: str
    #: the id of whose the agent is
    owner: int
    of: tuple[str, ...]
    text: Phrase
    #: buttons. The command's `press` is asked in the owner's chat with the argument; it needs
    #: `is_for_any_conversation=True` in it, and answers with `is_apart=True`
    offers: tuple[NoticeButton, ...] = ()
    #: the id of the person whom it is about, with whom it is erased; 0: it is about nobody
    about: int = 0
    #: the owner's, an IETF tag: `last_language` of their chat; empty: not known
    language: str = ""

    def kept(self, now: datetime) -> OutboxNotice:
        """The notice that tells it now.

        From a tick of any chat: `session.note(KeptNotice(word.kept(now)))`, and the wake follows once that chat is
        released. From a command: `CommandResponse(notices=(word.kept(now),))`.
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
    """The id of the notice that tells a word, of what the word is named by."""
    return reminder_id("word", agent, *of)


@dataclass(frozen=True, kw_only=True)
class LimitNotices:
    """What is said, and to whom: of an agent's limits to its owner, of those of all to each who owns one of them."""

    owners: FirestoreOwners
    #: those of the deployment
    agents: Collection[str]

    async def about(self, crossed: CrossedThreshold, label: str, now: datetime) -> Sequence[OutboxNotice]:
        """The word to each; `label` is the day or the month. It costs a read for each agent and each owner."""
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
            words.append(OwnerNotice(agent=agent, owner=owner, of=of, text=text, language=language).kept(now))
        return words
