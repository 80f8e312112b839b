"""Deletes chats and conversations in Firestore, or only a person's data in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.transforms import DELETE_FIELD, SERVER_TIMESTAMP

from shared.base.errors import WriteConflict
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, FirestoreStore, translate_errors
from shared.chat.store.transcripts import TICK, encode_page
from shared.chat.store.writes import Write, WriteBatch, WriteMode
from shared.privacy.deletion.updates import repeats_what_is_told
from shared.privacy.store.deleting import collections_of, delete, delete_all, delete_below, delete_there
from shared.privacy.store.deletion_lookup import ConversationOutline, TranscriptPage, pages_of
from shared.recall.store.summaries import SummarySpan
from shared.values.chat_key import Channel, ChatKey
from shared.values.conversation_row import row_fields
from shared.values.message import AnyEntry
from shared.values.transcript import TranscriptScan

if TYPE_CHECKING:
    from shared.privacy.deletion.forgotten import ForgottenSubject

#: Fields of conversation documents that list the people of the conversation: today only the ids of those who wrote, in
#: older documents also names, and people who were named
_NAMED: Final = ("participants", "people")
#: number of updates that are read in one call
AT_ONCE: Final = 300


class FirestoreChatDeletion(FirestoreStore):
    """Deletes chats, conversations, and a person's data in them.

    `client` must have been made inside the running event loop. Each method returns the number of deleted things by
    kind, may be repeated, and may raise a StoreError.
    """

    async def delete_conversation(self, conversation: str) -> Counter[str]:
        """Delete a conversation and everything below it.

        Its own document is deleted last, since the rest is found through it.
        """
        document = self.client.document(paths.conversation_path(conversation))
        with translate_errors("read a conversation"):
            found = await document.get(["entries"], retry=RETRY, timeout=CALL_SECONDS)
        below = await delete_below(self.client, document)
        if found.exists:
            await delete(self.client, [document])
        counts = Counter(documents=below + found.exists, conversations=int(found.exists))
        return counts + Counter(entries=int((found.to_dict() or {}).get("entries") or 0))

    async def rewrite(self, pages: Sequence[tuple[TranscriptPage, Sequence[AnyEntry]]]) -> None:
        """Replace pages of a transcript in one commit. There may be at most MOST_PAGES.

        Raises WriteConflict if a page changed since it was read.
        """
        batch = WriteBatch(self.client)
        for page, entries in pages:
            document = encode_page(entries) | {TICK: DELETE_FIELD}
            batch.add(Write(path=page.path, document=document, mode=WriteMode.UPDATE, version=page.version))
        with translate_errors("erase words from a transcript"):
            try:
                await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED as cause:
                raise WriteConflict("a transcript changed while it was erased") from cause

    async def delete_derived(self, conversation: str) -> int:
        """Delete a conversation's derived data, which models are shown: segments, observations, notes and summaries."""
        document = self.client.document(paths.conversation_path(conversation))
        derived = (paths.compressions_path, paths.segments_path, paths.observations_path)
        count = 0
        for path in derived:
            count += await delete_all(self.client, self.client.collection(path(conversation)))
        notes: layout.Document = dict.fromkeys(("abbreviation", "embedding_model", "history", "opening"), "")
        notes |= {"topics": [], "embedding": DELETE_FIELD} | row_fields(())
        with translate_errors("erase the notes of a conversation"):
            await document.update(notes, retry=RETRY, timeout=CALL_SECONDS)
        return count

    async def retitle(self, outline: ConversationOutline) -> None:
        """Set the titles of the conversation and its chat to those of the outline."""
        document = self.client.document(paths.conversation_path(outline.conversation))
        with translate_errors("erase the titles of a conversation"):
            await document.update(_titles(outline), retry=RETRY, timeout=CALL_SECONDS)

    async def reduce_conversation(
        self, outline: ConversationOutline, telling: TranscriptScan, newest: Sequence[AnyEntry] = ()
    ) -> None:
        """Remove erased people and words from a conversation's document. `newest` are the newest entries that are left.

        `telling`: the people and the first words in all entries that are left. Summaries of the older part are deleted.
        """
        document = self.client.document(paths.conversation_path(outline.conversation))
        with translate_errors("read a conversation"):
            found = await document.get(list(_NAMED), retry=RETRY, timeout=CALL_SECONDS)
        fields: layout.Document = {
            **_titles(outline),
            **_people_left(found.to_dict() or {}, telling),
            **row_fields(newest),
            "opening": telling.opening,
            "erased_at": SERVER_TIMESTAMP,
            "changed_at": SERVER_TIMESTAMP,
        }
        with translate_errors("erase a person from a conversation's document"):
            await document.update(fields, retry=RETRY, timeout=CALL_SECONDS)
        await delete_all(self.client, self.client.collection(paths.compressions_path(outline.conversation)))

    async def delete_below_chat(self, key: ChatKey, cut: datetime) -> Counter[str]:
        """Delete everything below a chat's document, and documents about the chat elsewhere. Only unread updates from
        after the cut stay; others lose their content.
        """
        plan = self.client.document(paths.plan_path(key))
        counts = Counter(documents=await delete_below(self.client, plan))
        beside = [paths.entity_path(key), plan.path, *_summaries(key.id)]
        counts["documents"] += await delete_there(self.client, beside)
        async for collection in collections_of(self.client.document(paths.chat_path(key))):
            if collection.id != paths.INBOX:
                counts["documents"] += await delete_all(self.client, collection)
        counts["documents"] += await self.empty_inbox(key, cut)
        return counts

    async def delete_window_and_plans(self, key: ChatKey) -> int:
        """Delete a chat's window (newest entries), screen (what a browser shows), plans and recorded model calls."""
        plan = self.client.document(paths.plan_path(key))
        count = await delete_below(self.client, plan) + await self.delete_exchanges(key)
        return count + await delete_there(self.client, [plan.path, paths.window_path(key), paths.screen_path(key)])

    async def delete_exchanges(self, key: ChatKey) -> int:
        """Delete all recorded model calls of a chat, since each may contain words of everybody in the chat."""
        exchanges = self.client.document(paths.chat_path(key)).collection(paths.EXCHANGES)
        return await delete_all(self.client, exchanges)

    async def delete_other_window(self, key: ChatKey, conversation: str = "") -> int:
        """Delete a chat's window (the copy of its newest entries), unless the window is of `conversation`."""
        window = self.client.document(paths.window_path(key))
        with translate_errors("read a window"):
            found = await window.get(["conversation"], retry=RETRY, timeout=CALL_SECONDS)
        is_others = found.exists and (found.to_dict() or {}).get("conversation") != conversation
        return await delete(self.client, [window]) if is_others else 0

    async def delete_summaries(self, chats: Sequence[str], cut: datetime) -> int:
        """Delete the summaries of these chats from before the cut. They are made again later."""
        return await delete_there(self.client, [path for chat in chats for path in _summaries(chat)], cut)

    async def reduce_plans(self, key: ChatKey, rest: Callable[[layout.Document], layout.Document | None]) -> int:
        """Replace each plan of a chat by the part that `rest` returns. Return the number of changed or deleted plans.

        `rest` returns the same object if the whole plan stays, and None if nothing stays. A past plan that would change
        is deleted. A web conversation's screen is deleted too, since it repeats what plans sent.
        """
        plan = self.client.document(paths.plan_path(key))
        past = pages_of(plan.collection(paths.PAST), "read past plans")
        gone = [one.reference async for one in past if rest(old := one.to_dict() or {}) is not old]
        await delete(self.client, gone)
        if key.channel is Channel.WEB:
            await delete(self.client, [self.client.document(paths.screen_path(key))])
        with translate_errors("read a plan"):
            found = await plan.get(retry=RETRY, timeout=CALL_SECONDS)
        known = found.to_dict()
        left = rest(known) if known is not None else None
        if known is None or left is known:
            return len(gone)
        if left is None:
            await delete(self.client, [plan])
        else:
            with translate_errors("erase a person from a plan"):
                await plan.set(left, retry=RETRY, timeout=CALL_SECONDS)
        return len(gone) + 1

    async def empty_inbox(self, key: ChatKey, cut: datetime, settled: datetime | None = None) -> int:
        """Delete the content of a chat's updates, and return how many changed. Unread updates from after the cut stay.

        If `settled` is given, updates from after that time stay, whether read or not.
        """
        count = 0
        async for update in pages_of(self.client.collection(paths.inbox_path(key)), "read an inbox"):
            if settled is None or (update.get("received_at") <= settled):
                count += await _empty_update(update, cut)
        return count

    async def empty_inbox_of_person(self, key: ChatKey, cut: datetime, who: ForgottenSubject) -> int:
        """Delete the content of a chat's updates that concern a person. Return how many were changed.

        From an unread update, only the person's words are removed.
        """
        count = 0
        async for update in pages_of(self.client.collection(paths.inbox_path(key)), "read an inbox"):
            raw = layout.decode_raw(update.to_dict() or {"raw": layout.EMPTY})
            if who.is_in_update(raw):
                count += await _empty_update(update, cut, who)
        return count

    async def empty_owner_inbox(self, key: ChatKey, person: int, settled: datetime) -> int:
        """Delete the content of updates in an owner's chat that were read and contain a message about a person.

        Returns how many changed. The update of a button press contains the message with the button. Messages of
        `/requests` show no person's id, so the updates of all presses of their buttons lose their content.
        """
        count = 0
        async for update in pages_of(self.client.collection(paths.inbox_path(key)), "read an inbox"):
            known = update.to_dict() or {}
            is_over = bool(known.get("read")) and known["received_at"] <= settled
            if is_over and repeats_what_is_told(layout.decode_raw(known), person):
                count += await _empty_update(update, settled)
        return count

    async def empty_updates(self, key: ChatKey, updates: Collection[int], cut: datetime) -> int:
        """Delete the content of the updates with these ids in a chat. Return how many changed."""
        references = [self.client.document(paths.update_path(key, one)) for one in sorted(updates)]
        count = 0
        for start in range(0, len(references), AT_ONCE):
            with translate_errors("read updates"):
                some = references[start : start + AT_ONCE]
                found = [one async for one in self.client.get_all(some, retry=RETRY, timeout=CALL_SECONDS)]
            for update in found:
                count += await _empty_update(update, cut) if update.exists else 0
        return count


def _summaries(chat: str) -> list[str]:
    return [*(paths.summary_path(chat, span) for span in SummarySpan), paths.shown_summaries_path(chat)]


def _titles(outline: ConversationOutline) -> layout.Document:
    return {
        "title": outline.title,
        "manually_named": outline.is_named_by_hand and bool(outline.title),
        "chat_title": outline.chat_title,
        "history": "",
    }


def _people_left(known: layout.Document, telling: TranscriptScan) -> layout.Document:
    """Return the fields of a conversation's document with only those people who are still in the conversation.

    If the document has no names, none are added.
    """
    took_part, people = known.get("participants") or {}, known.get("people") or ()
    left: layout.Document = {
        "participants": [one for one in took_part if one in telling.participants]
        if isinstance(took_part, list)
        else {
            str(one.id): {"name": one.name, "username": one.username}
            for one in telling.participants.values()
            if str(one.id) in took_part
        },
        "people": sorted(telling.people.intersection(people)),
    }
    return {name: left[name] for name in _NAMED if name in known}


async def _empty_update(update: DocumentSnapshot[Any], cut: datetime, who: ForgottenSubject | None = None) -> int:
    """Empty an update. If `who` is given, an unread update loses only that person's words. Return 1 if the update
    changed, else 0.
    """
    known = update.to_dict() or {}
    is_new = not known.get("read") and (known["received_at"] > cut)
    if known.get("raw") == layout.EMPTY or is_new:
        return 0
    fields = layout.empty_fields()
    if not known.get("read"):
        raw = layout.decode_raw(known)
        rest = who.update_without(raw) if who is not None else None
        fields = {"raw": rest} if rest is not None else fields | layout.as_read(cut)
    with translate_errors("empty an update"):
        await update.reference.update(fields, retry=RETRY, timeout=CALL_SECONDS)
    return 1
