"""Erasing words in one conversation, in one stage; the last one makes again what is made of the conversation."""

from collections import Counter
from dataclasses import replace
from functools import partial

from shared.erasing.entries import without as entry_without
from shared.erasing.forgotten import Forgotten
from shared.erasing.heard import Stage
from shared.flows.erase_beside import key_of
from shared.flows.erase_run import Run
from shared.flows.erase_transcript import MadeAgain, erase_entries, made_again
from shared.models.chat import Chat
from shared.models.erasure import ERASED
from shared.ports.erasing import Outline
from shared.records import Window
from shared.session.session import Session


class OneConversation:
    """What is erased of one person in one conversation, in one stage."""

    def __init__(self, run: Run, who: Forgotten, stage: Stage) -> None:
        """`who`: with what was heard in all conversations."""
        self._run, self._who, self._stage = run, who, stage

    async def erase(self, outline: Outline) -> None:
        """Erase what a conversation tells of them; in the last stage, have it made again what was made of it."""
        key = key_of(outline)
        assert key is not None
        is_last = self._stage is max(Stage)
        if not is_last and self._stage not in self._who.begin(outline.conversation).stages:
            return

        async def work(session: Session) -> Counter[str]:
            is_current = session.chat.conversation == outline.conversation
            counts = await self._erase(outline, session if is_current else None)
            if is_last and self._is_changed(outline):
                again = await self._made_again(session.chat, outline)
                if is_current:
                    session.note_chat(segment=again.start)
                    session.note(Window(tuple(again.newest)))
            return counts

        if await self._run.holding(key, work) is None:  # nobody writes to it
            counts = await self._erase(outline, None)
            if is_last and self._is_changed(outline):
                await self._made_again(Chat(key=key), outline)
            await self._run.note(counts)

    async def _erase(self, outline: Outline, session: Session | None) -> Counter[str]:
        hide = partial(self._hide, outline.conversation, session)
        counts = await erase_entries(self._run, self._who, outline.conversation, self._stage, hide)
        if self._stage is Stage.MADE:
            await self._erase_titles(outline)
        return counts

    def _is_changed(self, outline: Outline) -> bool:
        """Return whether something of a conversation was erased in any stage."""
        return outline.conversation in self._run.erasure.changed

    async def _hide(self, conversation: str, session: Session | None) -> None:
        """Have models shown nothing any more of what is about to go. `session`: of the chat that is in it, if any."""
        await self._run.by.erasing.made_of(conversation)
        if session is not None:
            newest = await self._run.by.chats.window(session.chat, self._run.by.window_entries)
            session.note(Window(tuple(entry_without(entry, self._who) for entry in newest)))
            await session.commit()

    async def _erase_titles(self, outline: Outline) -> None:
        """Erase titles in their words from a conversation's document, and what models noted of it with their name."""
        said, kept = self._who.said, outline
        if outline.is_named_by_hand and said.has(outline.title):
            kept = replace(kept, title="")
        if outline.chat_title and said.has(outline.chat_title):  # they gave their group that name
            kept = replace(kept, chat_title="")
        made = (*outline.notes, "" if outline.is_named_by_hand else outline.title)
        is_named = any(said.without_names(one, ERASED) != one for one in made)
        if kept is not outline or is_named:
            await self._run.note(changed=[outline.conversation])
        if kept is not outline:
            await self._run.by.erasing.retitle(kept)
        if is_named:
            await self._run.by.erasing.made_of(outline.conversation)

    async def _made_again(self, chat: Chat, outline: Outline) -> MadeAgain:
        """Have made again what was made of a conversation."""
        kept = await self._run.by.finding.outline(outline.conversation) or outline
        if not kept.is_named_by_hand:
            kept = replace(kept, title="")
        return await made_again(self._run, chat, kept, self._who.person)
