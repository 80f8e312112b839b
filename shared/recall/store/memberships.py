"""Memberships in Firestore: who was seen in which groups, and that a group has more or fewer members now."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from google.cloud.firestore_v1 import ArrayUnion
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from pydantic import BaseModel, ConfigDict, ValidationError

from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translated
from shared.chat.store.queries import MEMBERSHIPS_OF_PERSON
from shared.chat.store.writes import Commit, Mode, Record, Write
from shared.values.chat_key import ChatKey
from shared.values.place import chat_of

#: what Telegram said of a membership is as good as new for so long
FRESH: Final = timedelta(minutes=5)


class Membership(BaseModel):
    """That a person was seen in a group, and what is known of whether they still are."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    agent: str
    chat_id: int
    person: int
    #: of the group: the one that it is, and the one that it was before it became a supergroup
    places: tuple[str, ...]
    seen_at: datetime
    is_member: bool = True
    #: until when Telegram's word on it is as good as new; none: it was not asked
    fresh_until: datetime | None = None
    #: each time that they left or were removed, and each that they were told to have come
    left_at: tuple[datetime, ...] = ()
    joined_at: tuple[datetime, ...] = ()

    @property
    def key(self) -> ChatKey:
        """The key of the group without its topics, or of the topic of direct messages."""
        direct = next((key for key in map(chat_of, self.places) if key.is_direct), None)
        return direct or ChatKey(agent=self.agent, chat_id=self.chat_id)

    @property
    def checked_at(self) -> datetime | None:
        """When Telegram was asked whether they are in the group; none: it was not."""
        return self.fresh_until - FRESH if self.fresh_until is not None else None

    def is_sure(self, at: datetime) -> bool:
        """Return whether Telegram's word that they are in the group still counted at a moment."""
        return self.is_member and self.fresh_until is not None and self.fresh_until >= at


@dataclass(frozen=True, kw_only=True)
class MembershipRecord(Record):
    """That a person was seen in the commit's group, or that they left it."""

    person: int
    is_member: bool
    #: when they left or were removed, and when they came, as often as they did
    left_at: tuple[datetime, ...] = ()
    joined_at: tuple[datetime, ...] = ()

    def writes(self, commit: Commit) -> Iterator[Write]:
        """Merge it into what is known: of who came back, Telegram is asked anew."""
        key = commit.chat.key
        document: dict[str, Any] = {
            "agent": key.agent,
            "chat_id": key.chat_id,
            "person": self.person,
            "places": list(commit.chat.places),
            "seen_at": commit.at,
            "is_member": self.is_member,
            "fresh_until": None,
        }
        told = {"left_at": self.left_at, "joined_at": self.joined_at}
        document |= {name: ArrayUnion(list(moments)) for name, moments in told.items() if moments}
        yield Write(path=paths.membership_path(key, self.person), document=document, mode=Mode.MERGE)


@dataclass(frozen=True)
class MembersChangedRecord(Record):
    """That somebody came into the commit's group or left it: how many are there Telegram is asked anew."""

    def writes(self, commit: Commit) -> Iterator[Write]:
        """Have what Telegram said be over; it is kept for when Telegram does not answer."""
        document = {layout.EXPIRES: commit.at}
        yield Write(path=paths.entity_path(commit.chat.key), document=document, mode=Mode.MERGE)


def memberships_in(found: Iterable[DocumentSnapshot[Any]]) -> Iterator[Membership]:
    """The memberships in some documents; one of a shape that this version does not know is left out."""
    for document in found:
        try:
            yield Membership.model_validate(document.to_dict())
        except ValidationError:
            log("a membership is of a shape that this version does not know", id=document.id)


class FirestoreMemberships:
    """The memberships of all people. Raises StoreUnavailable or StoreRefused."""

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client

    async def of_person(self, agent: str, person: int, limit: int) -> Sequence[Membership]:
        """The groups in which a person was seen, those first in which they were seen last."""
        query = MEMBERSHIPS_OF_PERSON.on(self.client, agent, person).limit(limit)
        with translated("list a person's groups"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return list(memberships_in(found))

    async def keep_checked(self, checked: Membership) -> None:
        """Keep what Telegram said of whether somebody is still there."""
        path = paths.membership_path(checked.key, checked.person)
        fields = {"is_member": checked.is_member, "fresh_until": checked.fresh_until}
        with translated("keep whether somebody is in a group"):
            await self.client.document(path).set(fields, merge=True, retry=RETRY, timeout=CALL_SECONDS)
