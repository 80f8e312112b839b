"""Erases a person's words in conversations with others: each text becomes "[erased]", and derived data is rebuilt.

Data that is recognised by the person's words is deleted before these words, in all conversations: first texts that
repeat them, then forwards by others, and finally the person's own messages. Conversations are processed from the newest
to the oldest. So if a run is killed, the next run still has the words by which it finds the rest.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from shared.chat.session import Session
from shared.chat.store.transcripts import Window
from shared.privacy.deletion.entries import without as entry_without
from shared.privacy.deletion.forgotten import NO_PERSON, ForgottenSubject
from shared.privacy.deletion.participation import DeletionStage
from shared.privacy.deletion.repeats import plain_name
from shared.privacy.jobs.erase_related import RelatedDataDeletion, key_of
from shared.privacy.jobs.erase_run import DeletionRun, with_moved
from shared.privacy.jobs.erase_transcript import (
    RebuiltConversation,
    erase_entries,
    learn_conversation,
    rebuild_conversation,
)
from shared.privacy.store.deletion_lookup import ConversationOutline
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.deletion import ERASED
from shared.values.evolve import evolve
from shared.values.message import Author

#: the chat id under which updates without a chat are stored
NO_CHAT: Final = 0


async def erase_words(run: DeletionRun) -> None:
    """Erase a person's words in groups, and texts in other chats that repeat these words. Raises a StoreError."""
    who = ForgottenSubject(run.deletion.person, files=frozenset(run.deletion.files), until=run.cut)
    await _learn_private_chats(run, who)
    groups = await _groups(run)
    await _erase(run, who, groups, await _outlines(run, groups, who))


async def names_of(run: DeletionRun) -> tuple[int, ...]:
    """Return hashes of the person's full names that nobody else had. Single words are left out, since many people share
    them.
    """
    person = run.deletion.person
    keys = [*await run.by.finding.chats_of(person), *await _groups(run)]
    found = await run.by.finding.conversations_in([key.id for key in keys])
    others = {plain_name(name) for one in found for someone, name in one.names.items() if someone != person}
    names = {one.names.get(person, "") for one in found}
    theirs = (one for one in names if len(one.split()) > 1 and plain_name(one) not in others)
    return tuple(sorted(Author(id=0, name=one).name_id for one in theirs))


async def _learn_private_chats(run: DeletionRun, who: ForgottenSubject) -> None:
    """Learn the person's names and words in private chats. Other people may have forwarded these messages."""
    keys = await run.by.finding.chats_of(run.deletion.person)
    for one in await run.by.finding.conversations_in([key.id for key in keys]):
        async for page in run.by.finding.pages(one.conversation):
            who.learn_private(entry for entry in page.entries if entry is not None)
            await run.check_time()


async def erase_repeated(run: DeletionRun, groups: Sequence[ChatKey]) -> None:
    """In other chats, erase the texts that are based on what was said in a group.

    `groups` are the keys of the group's own chats, under every id that it has had. They are left out here, since they
    are deleted as a whole elsewhere. Raises WriteConflict, LeaseLost or a StoreError.
    """
    own = frozenset(key.id for key in groups)
    for chat_id in dict.fromkeys(key.chat_id for key in groups):
        named = await run.by.finding.conversations_with(chat_id)
        elsewhere = [one for one in named if key_of(one) is not None and one.chat not in own]
        await _erase(run, ForgottenSubject(chat_id, until=run.cut), (), elsewhere)


async def erase_repeated_of(run: DeletionRun, keys: Sequence[ChatKey], conversation: str) -> None:
    """In other conversations, erase the texts that are based on what was said in this conversation.

    `keys`: the conversation's chat under each of its ids. Raises WriteConflict, LeaseLost or a StoreError.
    """
    for chat_id in dict.fromkeys(key.chat_id for key in keys):
        named = await run.by.finding.conversations_with(chat_id)
        elsewhere = [one for one in named if key_of(one) is not None and one.conversation != conversation]
        who = ForgottenSubject(NO_PERSON, until=run.cut, conversation=conversation, chat_id=chat_id)
        await _erase(run, who, (), elsewhere)


async def _erase(
    run: DeletionRun, who: ForgottenSubject, groups: Sequence[ChatKey], outlines: Sequence[ConversationOutline]
) -> None:
    """Erase a person's words in these groups and conversations. The conversations are processed in the order of
    `outlines`.
    """
    for one in outlines:
        await learn_conversation(run, who, one.conversation)
    who.settle()
    if run.deletion.stage == DeletionStage.MADE:
        await _erase_related_data(run, who, groups, outlines)
    for stage in DeletionStage:
        if stage < run.deletion.stage:
            continue
        for one in outlines:
            if one.conversation not in run.deletion.through:
                await ConversationDeletion(run, who, stage).erase(one)
                run.set_progress(through=(*run.deletion.through, one.conversation), within=None)
        run.set_progress(stage=stage + 1, through=())
    run.set_progress(stage=DeletionStage.MADE)


async def _erase_related_data(
    run: DeletionRun, who: ForgottenSubject, groups: Sequence[ChatKey], outlines: Sequence[ConversationOutline]
) -> None:
    """Erase data about the person that is stored outside of conversations, for these groups and for the chats of these
    conversations.
    """
    who.look_at(one.conversation for one in outlines)
    await RelatedDataDeletion(run, who).erase_memories_of_others(outlines, groups)
    for key in dict.fromkeys((*groups, *filter(None, map(key_of, outlines)))):
        who.look_at(one.conversation for one in outlines if one.chat == key.id)
        await RelatedDataDeletion(run, who).erase_from_chat(key)


async def _groups(run: DeletionRun) -> Sequence[ChatKey]:
    """Return the chats of the person's groups, with all topics and former ids, and the chats that store updates which
    name no chat.
    """
    groups = await run.by.finding.groups_of(run.deletion.person)
    found = [[one] if one.is_direct else await run.by.finding.chats_of(one.chat_id, one.agent) for one in groups]
    found.append(await run.by.finding.chats_of(NO_CHAT))
    return await with_moved(run, (key for keys in found for key in keys))


async def _outlines(
    run: DeletionRun, groups: Sequence[ChatKey], who: ForgottenSubject
) -> Sequence[ConversationOutline]:
    """Return three kinds of conversations: those of these groups, those of other chats with texts about the person, and
    those that this deletion has changed before.

    Conversations of other chats come first, then those of `groups`; in both parts the newest come first.
    """
    there = await run.by.finding.conversations_in([key.id for key in groups])
    names = {*who.said.names, *(one.names[who.person] for one in there if who.person in one.names)}
    ids = {who.person, *(Author(id=0, name=one).name_id for one in names)}
    named = [found for one in sorted(ids) for found in await run.by.finding.conversations_with(one)]
    changed = [await run.by.finding.outline(one) for one in run.deletion.changed]
    own = {one.conversation for one in there}
    found = {one.conversation: one for one in (*named, *filter(None, changed), *there)}
    others = [one for one in found.values() if key_of(one) is not None and not _is_own(one, run)]
    return sorted(others, key=lambda one: (one.conversation not in own, one.conversation), reverse=True)


def _is_own(outline: ConversationOutline, run: DeletionRun) -> bool:
    key = key_of(outline)
    return key is not None and key.chat_id == run.deletion.person


class ConversationDeletion:
    """Erases a person's data from one conversation, in one stage."""

    def __init__(self, run: DeletionRun, who: ForgottenSubject, stage: DeletionStage) -> None:
        """`who` must already know all conversations (`ForgottenSubject.learn`)."""
        self._run, self._who, self._stage = run, who, stage

    async def erase(self, outline: ConversationOutline) -> None:
        """Erase from a conversation the person's data of this stage. In the last stage, derived data is also
        rebuilt.
        """
        key = key_of(outline)
        assert key is not None
        is_last = self._stage is max(DeletionStage)
        if not is_last and self._stage not in self._who.begin(outline.conversation).stages:
            return

        async def work(session: Session) -> Counter[str]:
            is_current = session.chat.conversation == outline.conversation
            counts = await self._erase(outline, session if is_current else None)
            if is_last and self._is_changed(outline):
                again = await self._made_again(session.chat, outline)
                if is_current:
                    session.note_part(evolve(session.chat.recall, segment=again.start))
                    session.note(Window(tuple(again.newest)))
            return counts

        if await self._run.holding(key, work) is None:  # the chat does not exist, so no tick writes to it
            counts = await self._erase(outline, None)
            if is_last and self._is_changed(outline):
                await self._made_again(Chat(key=key), outline)
            await self._run.note(counts)

    async def _erase(self, outline: ConversationOutline, session: Session | None) -> Counter[str]:
        hide = partial(self._hide, outline.conversation, session)
        counts = await erase_entries(self._run, self._who, outline.conversation, self._stage, hide)
        if self._stage is DeletionStage.MADE:
            await self._erase_titles(outline)
        return counts

    def _is_changed(self, outline: ConversationOutline) -> bool:
        """Return whether something was erased in a conversation, in any stage."""
        return outline.conversation in self._run.deletion.changed

    async def _hide(self, conversation: str, session: Session | None) -> None:
        """Hide derived data from models before its source is erased. `session` is the session of the chat whose current
        conversation is `conversation`; None if there is no such chat.
        """
        await self._run.by.of_chats.delete_derived(conversation)
        if session is not None:
            newest = await self._run.by.chats.window(session.chat, self._run.by.holding.window_entries)
            session.note(Window(tuple(entry_without(entry, self._who) for entry in newest)))
            await session.commit()

    async def _erase_titles(self, outline: ConversationOutline) -> None:
        """Erase titles that contain the person's words, and notes by models that name the person."""
        said, kept = self._who.said, outline
        if outline.is_named_by_hand and said.has(outline.title):
            kept = replace(kept, title="")
        if outline.chat_title and said.has(outline.chat_title):  # the person gave the group this title
            kept = replace(kept, chat_title="")
        made = (*outline.notes, "" if outline.is_named_by_hand else outline.title)
        is_named = any(said.without_names(one, ERASED) != one for one in made)
        if kept is not outline or is_named:
            await self._run.note(changed=[outline.conversation])
        if kept is not outline:
            await self._run.by.of_chats.retitle(kept)
        if is_named:
            await self._run.by.of_chats.delete_derived(outline.conversation)

    async def _made_again(self, chat: Chat, outline: ConversationOutline) -> RebuiltConversation:
        """Rebuild the derived data of a conversation."""
        kept = await self._run.by.finding.outline(outline.conversation) or outline
        if not kept.is_named_by_hand:
            kept = replace(kept, title="")
        return await rebuild_conversation(self._run, chat, kept, self._who.person)
