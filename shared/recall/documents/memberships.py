"""Records of who was seen in which group, and that it has more or fewer members now; and how the first are read."""

from collections.abc import Iterable, Iterator
from typing import Any

from google.cloud.firestore_v1 import ArrayUnion
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from pydantic import ValidationError

from shared.base.logs import log
from shared.chat.records import MembersChanged, SeenInGroup
from shared.chat.store import layout, paths
from shared.chat.store.writes import Commit, Mode, Write, writes_of
from shared.values.membership import Membership


@writes_of.register
def _seen_in_group(record: SeenInGroup, commit: Commit) -> Iterator[Write]:
    """Merged into what is known: of who came back, Telegram is asked anew."""
    key = commit.chat.key
    document: dict[str, Any] = {
        "agent": key.agent,
        "chat_id": key.chat_id,
        "person": record.person,
        "places": list(commit.chat.places),
        "seen_at": commit.at,
        "is_member": record.is_member,
        "fresh_until": None,
    }
    told = {"left_at": record.left_at, "joined_at": record.joined_at}
    document |= {name: ArrayUnion(list(moments)) for name, moments in told.items() if moments}
    path = paths.membership_path(key, record.person)
    yield Write(path=path, document=document, mode=Mode.MERGE)


@writes_of.register
def _members_changed(_: MembersChanged, commit: Commit) -> Iterator[Write]:
    """What Telegram said is kept for when it does not answer."""
    document = {layout.EXPIRES: commit.at}
    yield Write(path=paths.entity_path(commit.chat.key), document=document, mode=Mode.MERGE)


def memberships_in(found: Iterable[DocumentSnapshot[Any]]) -> Iterator[Membership]:
    """The memberships in some documents; one of a shape that this version does not know is left out."""
    for document in found:
        try:
            yield Membership.model_validate(document.to_dict())
        except ValidationError:
            log("a membership is of a shape that this version does not know", id=document.id)
