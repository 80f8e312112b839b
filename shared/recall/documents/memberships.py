"""Records of who was seen in which group, and that it has more or fewer members now; and how the first are read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from google.cloud.firestore_v1 import ArrayUnion
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from pydantic import ValidationError

from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.writes import Commit, Mode, Record, Write
from shared.values.membership import Membership


@dataclass(frozen=True, kw_only=True)
class SeenInGroup(Record):
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
class MembersChanged(Record):
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
