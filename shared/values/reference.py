"""References to files, and the jobs that describe files. A reference records who sent a file in which chat, with which
messages. A file has only one description (`media/{unique_id}`), but a reference for each sender in each chat, so that
the file can be found by its sender and by its chat.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from shared.values.chat_key import ChatKey, ChatKind
from shared.values.evolve import FrozenModel, evolve
from shared.values.media import Description, MediaRef
from shared.values.update import Envelope, InboxUpdate, own_update_id
from shared.values.wake import Job, Queue

#: the most references that one update covers, each of another sender
MOST_TOLD: Final = 10
#: the most messages that one update names; these are the newest
MOST_MESSAGES: Final = 10 * MOST_TOLD
#: the time after which the sweep takes over a requested file that is still not described
GRACE: Final = timedelta(minutes=3)
#: the kind of lull's own updates about described files; Telegram has no such kind
MEDIA_DESCRIBED: Final = "media_described"
#: the ids of these updates, a range apart from the ids of lull's other updates
_UPDATES: Final = range(9_001 * 10**12, 9_007 * 10**12)


class FileReference(FrozenModel):
    """The record that one person sent a file in one chat."""

    #: the file; its `file_id` is valid only for this agent's bot
    ref: MediaRef
    agent: str
    #: the id of the chat's document; empty for the persona's own stickers, which nobody sent
    chat: str = ""
    chat_kind: ChatKind = ChatKind.NONE
    #: the conversation in which the file was sent last; other conversations are not told the description
    conversation: str = ""
    #: the sender; 0 for nobody
    person: int = 0
    #: the sender's `TrustTier` at that time, for their limits; empty if not known
    tier: str = ""
    message_ids: tuple[int, ...] = ()
    #: original authors of forwarded copies: ids, or hashes of the names of people with hidden accounts
    passed_on_from: tuple[int, ...] = ()
    #: whether the sender also sent the file themselves, not only as a forward
    is_own: bool = True
    at: AwareDatetime
    #: whether the chat is still to be told the description
    is_open: bool = True
    #: whether a message waits for the description; if so, the chat is woken as soon as there is one
    is_awaited: bool = False
    #: when the sweep may handle it
    try_at: AwareDatetime

    @model_validator(mode="after")
    def _names_documents(self) -> Self:
        """Refuse ids that cannot be document names. Such a reference could never be handled, and would block others."""
        if self.chat:
            ChatKey.from_id(self.chat)
        if "/" in self.ref.unique_id:
            raise ValueError(f"unique id {self.ref.unique_id!r} has a slash; it must be usable as a document's name")
        return self

    @property
    def id(self) -> str:
        """The name of the reference's document: a hash of file, chat and person, so that names spread evenly.

        A chat belongs to one agent. A persona's own sticker has no chat, so the agent is hashed instead of the chat.
        """
        place = self.chat or self.agent
        return hashlib.sha256(f"{self.ref.unique_id} {place} {self.person}".encode()).hexdigest()[:40]

    def merge(self, same: Sequence[Self]) -> Self:
        """Return this reference, with the messages and origins of all references in `same`, which have the same id."""
        ids = tuple(dict.fromkeys(i for one in same for i in one.message_ids))
        origins = tuple(dict.fromkeys(i for one in same for i in one.passed_on_from))
        return evolve(
            self,
            message_ids=ids,
            passed_on_from=origins,
            is_awaited=any(one.is_awaited for one in same),
            is_own=any(one.is_own for one in same),
        )

    @property
    def key(self) -> ChatKey | None:
        """The chat's key, or None if there is no chat."""
        return ChatKey.from_id(self.chat) if self.chat else None


class DescribeRequest(BaseModel):
    """The body of a job: the file to describe, or None for all files that earlier jobs left without a description."""

    model_config = ConfigDict(extra="forbid")

    reference: FileReference | None = None
    #: whether to tell the chat again, since a new message with the file came in the meantime
    tells_again: bool = False


def describe_job(reference: FileReference, now: datetime, traceparent: str = "") -> Job:
    """Return the job that describes a file. All chats, agents and senders share one job for a file."""
    name = hashlib.sha256(f"media\n{reference.ref.unique_id}".encode()).hexdigest()[:40]
    body = DescribeRequest(reference=reference).model_dump_json()
    return Job(function="describe_media", body=body, at=now, name=name, queue=Queue.MEDIA, traceparent=traceparent)


def describe_again_job(reference: FileReference, now: datetime) -> Job:
    """Return the job that sends a chat the newest stored description of a file.

    Its name differs from that of the job that describes the file, so that Cloud Tasks does not drop it.
    """
    name = hashlib.sha256(f"media\n{reference.id}\n{now.isoformat()}".encode()).hexdigest()[:40]
    body = DescribeRequest(reference=reference, tells_again=True).model_dump_json()
    return replace(describe_job(reference, now), name=name, body=body)


def left_over_job(slot: str, now: datetime, traceparent: str = "") -> Job:
    """Return the job that describes files that earlier jobs left undescribed: one job per scheduled time (`slot`)."""
    name = hashlib.sha256(f"media\nleft over\n{slot}".encode()).hexdigest()[:40]
    body = DescribeRequest().model_dump_json()
    return Job(function="describe_media", body=body, at=now, name=name, queue=Queue.MEDIA, traceparent=traceparent)


class MediaDescribedPayload(FrozenModel):
    """The payload of an update of the kind `MEDIA_DESCRIBED`."""

    kind: str
    unique_id: str
    message_ids: tuple[int, ...] = Field(max_length=MOST_MESSAGES)
    #: the conversations in which the file was sent
    conversations: tuple[str, ...] = ()
    description: Description


def media_described_update(references: Sequence[FileReference], description: Description, now: datetime) -> InboxUpdate:
    """Return the update that reports to a chat what a file shows.

    `references` are the chat's references to the file. The same messages and outcome always give the same update id.
    """
    first = references[0]
    key = first.key
    assert key is not None
    ids = tuple(sorted({one for reference in references for one in reference.message_ids}))[-MOST_MESSAGES:]
    plain = evolve(description, call=None)  # the call's record is stored with the file
    payload = MediaDescribedPayload(
        kind=first.ref.kind,
        unique_id=first.ref.unique_id,
        message_ids=ids,
        conversations=tuple(sorted({one.conversation for one in references})),
        description=plain,
    )
    seed = f"{first.ref.unique_id} {first.chat} {ids} {description.outcome}"
    update_id = own_update_id(seed, _UPDATES)
    envelope = Envelope(update_id=update_id, kind=MEDIA_DESCRIBED, key=key, chat_kind=first.chat_kind)
    return InboxUpdate.own(envelope, payload.model_dump(mode="json"), now)
