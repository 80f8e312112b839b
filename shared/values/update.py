"""An update: one thing that the channel told the webhook, raw, in its envelope."""

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
    """Where an update belongs: enough to store it and to wake a tick."""

    update_id: int
    #: Telegram's name of the update's one field ("message", "callback_query", …); empty: none was found
    kind: str
    key: ChatKey
    chat_kind: ChatKind


@dataclass(frozen=True, kw_only=True)
class InboxUpdate:
    """An inbox document: the raw update and when it came."""

    envelope: Envelope
    raw: Json
    received_at: datetime

    @classmethod
    def own(cls, envelope: Envelope, told: Json, at: datetime) -> "InboxUpdate":
        """An update by which lull itself tells a chat something, of a kind that Telegram has not.

        It lies in the inbox as Telegram's do: read once, in their order, and set aside, replayed and erased alike.
        """
        return cls(envelope=envelope, raw={"update_id": envelope.update_id, envelope.kind: told}, received_at=at)

    @property
    def size(self) -> int:
        """The bytes of its raw JSON in UTF-8."""
        return len(json.dumps(self.raw, ensure_ascii=False).encode(errors="replace"))

    def to_json(self) -> str:
        """The raw update as it is stored: in ASCII, which keeps lone surrogates, refused by Firestore, as escapes."""
        return json.dumps(self.raw, separators=(",", ":"))


def own_update_id(name: str, ids: range = OWN_UPDATES) -> int:
    """The id of an update of lull's own: of each name there is one, however often it is made."""
    return ids[int.from_bytes(hashlib.sha256(name.encode()).digest()[:8]) % len(ids)]
