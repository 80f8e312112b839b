"""Memberships in Firestore: which people were seen in which groups, and changes in who is a member."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from google.cloud.firestore_v1 import ArrayUnion
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from pydantic import ValidationError

from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, FirestoreStore, translate_errors
from shared.chat.store.queries import MEMBERSHIPS_OF_PERSON
from shared.chat.store.writes import CommitContext, Record, Write, WriteMode
from shared.values.chat_key import ChatKey
from shared.values.evolve import FrozenModel
from shared.values.place import chat_of

#: how long Telegram's answer about a membership is used
FRESH: Final = timedelta(minutes=5)


class Membership(FrozenModel):
    """A person who was seen in a group, and what is known about their membership."""

    agent: str
    chat_id: int
    person: int
    #: the group's places: the current one, and the one that it had before it became a supergroup
    places: tuple[str, ...]
    seen_at: datetime
    is_member: bool = True
    #: Telegram's answer is used until then; None if Telegram was not asked
    fresh_until: datetime | None = None
    #: when the person left or was removed, and when the person joined
    left_at: tuple[datetime, ...] = ()
    joined_at: tuple[datetime, ...] = ()

    @property
    def key(self) -> ChatKey:
        """The key of the group, without a topic. In a channel's direct messages, the key of the person's topic."""
        direct = next((key for key in map(chat_of, self.places) if key.is_direct), None)
        return direct or ChatKey(agent=self.agent, chat_id=self.chat_id)

    @property
    def checked_at(self) -> datetime | None:
        """The time at which Telegram was asked about the membership; None if it was not."""
        return self.fresh_until - FRESH if self.fresh_until is not None else None

    def is_sure(self, at: datetime) -> bool:
        """Return whether Telegram answered that the person is a member, in an answer still usable at the time `at`."""
        return self.is_member and self.fresh_until is not None and self.fresh_until >= at


@dataclass(frozen=True, kw_only=True)
class MembershipRecord(Record):
    """The record that a person was seen in the commit's group, or left it."""

    person: int
    is_member: bool
    #: when the person left or was removed, and when the person joined
    left_at: tuple[datetime, ...] = ()
    joined_at: tuple[datetime, ...] = ()

    def writes(self, commit: CommitContext) -> Iterator[Write]:
        """Yield the write that updates the stored membership and makes the next check ask Telegram again."""
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
        yield Write(path=paths.membership_path(key, self.person), document=document, mode=WriteMode.MERGE)


@dataclass(frozen=True)
class MembersChangedRecord(Record):
    """The record that somebody joined or left the commit's group, so that its members must be counted again."""

    def writes(self, commit: CommitContext) -> Iterator[Write]:
        """Yield the write that marks the member count as expired. It is then used only if Telegram gives no new one."""
        document = {layout.EXPIRES: commit.at}
        yield Write(path=paths.entity_path(commit.chat.key), document=document, mode=WriteMode.MERGE)


def memberships_in(found: Iterable[DocumentSnapshot[Any]]) -> Iterator[Membership]:
    """Yield the memberships in these documents. Those of an unknown form are left out."""
    for document in found:
        try:
            yield Membership.model_validate(document.to_dict())
        except ValidationError:
            log("a membership has a form that this version does not know", id=document.id)


class FirestoreMemberships(FirestoreStore):
    """The memberships of all people. Every method may raise StoreUnavailable or StoreRefused."""

    async def of_person(self, agent: str, person: int, limit: int) -> Sequence[Membership]:
        """Return the groups in which a person was seen, the most recent first."""
        query = MEMBERSHIPS_OF_PERSON.on(self.client, agent, person).limit(limit)
        with translate_errors("list a person's groups"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return list(memberships_in(found))

    async def keep_checked(self, checked: Membership) -> None:
        """Store Telegram's answer about a membership."""
        path = paths.membership_path(checked.key, checked.person)
        fields = {"is_member": checked.is_member, "fresh_until": checked.fresh_until}
        with translate_errors("store a membership"):
            await self.client.document(path).set(fields, merge=True, retry=RETRY, timeout=CALL_SECONDS)
