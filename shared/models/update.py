"""An update: one thing that the channel told the webhook, raw, in its envelope."""

import json
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from shared.models.chat import ChatKey, ChatKind

Json = dict[str, Any]


class Envelope(BaseModel):
    """Where an update belongs: enough to store it and to wake a tick."""

    model_config = ConfigDict(frozen=True)

    update_id: int
    #: Telegram's name of the update's one field ("message", "callback_query", …); empty: none was found
    kind: str
    key: ChatKey
    chat_kind: ChatKind


class InboxUpdate(BaseModel):
    """An inbox document: the raw update and when it came."""

    model_config = ConfigDict(frozen=True)

    envelope: Envelope
    raw: Json
    received_at: datetime

    def to_json(self) -> str:
        """The raw update as it is stored: in ASCII, which keeps lone surrogates, refused by Firestore, as escapes."""
        return json.dumps(self.raw, separators=(",", ":"))
