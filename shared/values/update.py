"""An update: one thing that the channel told the webhook, raw, in its envelope."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.values.chat_key import ChatKey, ChatKind

Json = dict[str, Any]


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

    @property
    def size(self) -> int:
        """The bytes of its raw JSON in UTF-8."""
        return len(json.dumps(self.raw, ensure_ascii=False).encode(errors="replace"))

    def to_json(self) -> str:
        """The raw update as it is stored: in ASCII, which keeps lone surrogates, refused by Firestore, as escapes."""
        return json.dumps(self.raw, separators=(",", ":"))
