"""An update from Telegram: the raw data with an envelope."""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from shared.values.chat_key import ChatKey, ChatKind

Json = dict[str, Any]

#: ids of lull's own updates: Telegram's stay far below (32 bits), and JavaScript counts exactly up to 2**53
OWN_UPDATES: Final = range(10**15, 9 * 10**15)


@dataclass(frozen=True, kw_only=True)
class Envelope:
    """The facts needed to store an update and wake a tick."""

    update_id: int
    #: the name of the update's one field ("message", "callback_query", …); "" if none was found
    kind: str
    key: ChatKey
    chat_kind: ChatKind


@dataclass(frozen=True, kw_only=True)
class InboxUpdate:
    """An inbox document: the raw update and its time."""

    envelope: Envelope
    raw: Json
    received_at: datetime

    @classmethod
    def own(cls, envelope: Envelope, told: Json, at: datetime) -> "InboxUpdate":
        """Return an update that lull itself makes, such as a report to a chat or a post from a web conversation.

        It is handled like an update from Telegram: it is read once and in order, and quarantined, replayed and deleted
        in the same ways.
        """
        return cls(envelope=envelope, raw={"update_id": envelope.update_id, envelope.kind: told}, received_at=at)

    @property
    def size(self) -> int:
        """The number of bytes of the raw JSON in UTF-8."""
        return len(json.dumps(self.raw, ensure_ascii=False).encode(errors="replace"))

    def to_json(self) -> str:
        """Return the raw update as ASCII JSON. This escapes lone surrogates, which Firestore would refuse."""
        return json.dumps(self.raw, separators=(",", ":"))


def own_update_id(name: str, ids: range = OWN_UPDATES) -> int:
    """Return the id of lull's own update with this name; the same name gives the same id."""
    return ids[int.from_bytes(hashlib.sha256(name.encode()).digest()[:8]) % len(ids)]
