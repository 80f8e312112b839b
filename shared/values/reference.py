"""References: which file came with which messages, from whom, in which chat; and the job that has it described.

A file's description is one for everybody (`media/{unique_id}`). Each sender in each chat has a reference of their own,
by which the description is found from the person and from the chat.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from shared.values.chat_key import ChatKey, ChatKind
from shared.values.evolve import evolve
from shared.values.media import Description, MediaRef
from shared.values.update import Envelope, InboxUpdate, own_update_id
from shared.values.wake import Job, Queue

#: references of one file that an update tells a chat of: as many people sent it there
MOST_TOLD: Final = 10
#: messages that an update names, the newest; one person sends a sticker again and again
MOST_MESSAGES: Final = 10 * MOST_TOLD
#: after so long a described file that was asked for, and of which nothing came, is found by the sweep
GRACE: Final = timedelta(minutes=3)
#: the kind of the updates with which lull itself tells a chat what a file shows; Telegram has none of this name
MEDIA_DESCRIBED: Final = "media_described"
#: their ids: beyond those of lull's other updates
_UPDATES: Final = range(9_001 * 10**12, 9_007 * 10**12)


class FileReference(BaseModel):
    """One person's sending of a file in one chat."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    #: the file; its `file_id` is good for this agent's bot alone
    ref: MediaRef
    agent: str
    #: the id of the chat's document; empty: a sticker of the persona's own, which nobody sent
    chat: str = ""
    chat_kind: ChatKind = ChatKind.NONE
    #: the one in which it was sent last; another one is not told of it
    conversation: str = ""
    #: 0: nobody
    person: int = 0
    #: how far the agent trusted them then, a `TrustTier`, for their limits; empty: it was not known
    tier: str = ""
    message_ids: tuple[int, ...] = ()
    #: whose it was when it was passed on here: ids, and the numbers of the names of those who hide their accounts
    passed_on_from: tuple[int, ...] = ()
    #: whether its sender sent it as their own as well
    is_own: bool = True
    at: AwareDatetime
    #: whether the chat is still to be told what it shows
    is_open: bool = True
    #: whether a message waits for it: then its chat is woken at once, else with its next tick
    is_awaited: bool = False
    #: from when on the sweep has it looked after
    try_at: AwareDatetime

    @model_validator(mode="after")
    def _names_documents(self) -> Self:
        """Of one that is stored otherwise nobody could ever be told, and it would hold up the others."""
        if self.chat:
            ChatKey.from_id(self.chat)
        if "/" in self.ref.unique_id:
            raise ValueError("no document has such a name")
        return self

    @property
    def id(self) -> str:
        """The document's name, which is the same for the same file, chat and person; hashed, so that names spread.

        A chat is one agent's. A sticker of a persona's own has no chat: each agent that has it has a reference.
        """
        place = self.chat or self.agent
        return hashlib.sha256(f"{self.ref.unique_id} {place} {self.person}".encode()).hexdigest()[:40]

    def merge(self, same: Sequence[Self]) -> Self:
        """It with what else the same person sent of the file in one batch, itself among it."""
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
        """The key of its chat; none if it has none."""
        return ChatKey.from_id(self.chat) if self.chat else None


class DescribeRequest(BaseModel):
    """The body of a job: a file to be described. Without one, what is left over is."""

    model_config = ConfigDict(extra="forbid")

    reference: FileReference | None = None
    #: whether its chat is told though it seems to have been told: of a message that came in between
    tells_again: bool = False


def describe_job(reference: FileReference, now: datetime, traceparent: str = "") -> Job:
    """The call of describe_media for a file: one for all chats and agents, whoever sent it."""
    name = hashlib.sha256(f"media\n{reference.ref.unique_id}".encode()).hexdigest()[:40]
    body = DescribeRequest(reference=reference).model_dump_json()
    return Job(function="describe_media", body=body, at=now, name=name, queue=Queue.MEDIA, traceparent=traceparent)


def describe_again_job(reference: FileReference, now: datetime) -> Job:
    """The call that has a chat told what is known of a file by now; the other name has it run though that one did."""
    name = hashlib.sha256(f"media\n{reference.id}\n{now.isoformat()}".encode()).hexdigest()[:40]
    body = DescribeRequest(reference=reference, tells_again=True).model_dump_json()
    return replace(describe_job(reference, now), name=name, body=body)


def left_over_job(slot: str, now: datetime, traceparent: str = "") -> Job:
    """The call of describe_media for whatever is left over: one for each slot of the sweep, which asks for it."""
    name = hashlib.sha256(f"media\nleft over\n{slot}".encode()).hexdigest()[:40]
    body = DescribeRequest().model_dump_json()
    return Job(function="describe_media", body=body, at=now, name=name, queue=Queue.MEDIA, traceparent=traceparent)


class MediaDescribedPayload(BaseModel):
    """What an update of the kind `MEDIA_DESCRIBED` carries."""

    model_config = ConfigDict(frozen=True)

    kind: str
    unique_id: str
    message_ids: tuple[int, ...] = Field(max_length=MOST_MESSAGES)
    #: those in which it was sent
    conversations: tuple[str, ...] = ()
    description: Description


def media_described_update(references: Sequence[FileReference], description: Description, now: datetime) -> InboxUpdate:
    """The update that tells a chat what a file shows; `references` are its own to that file, at least one.

    It has the same id however often it is made of the same messages.
    """
    first = references[0]
    key = first.key
    assert key is not None
    ids = tuple(sorted({one for reference in references for one in reference.message_ids}))[-MOST_MESSAGES:]
    plain = evolve(description, call=None)  # what it took is kept with the file
    told = MediaDescribedPayload(
        kind=first.ref.kind,
        unique_id=first.ref.unique_id,
        message_ids=ids,
        conversations=tuple(sorted({one.conversation for one in references})),
        description=plain,
    )
    seed = f"{first.ref.unique_id} {first.chat} {ids} {description.outcome}"
    update_id = own_update_id(seed, _UPDATES)
    envelope = Envelope(update_id=update_id, kind=MEDIA_DESCRIBED, key=key, chat_kind=first.chat_kind)
    return InboxUpdate.own(envelope, told.model_dump(mode="json"), now)
