"""A document that is sent piece by piece: the body of a sendDocument, of which no more than a piece is ever held."""

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

from shared.base.text import FormattedText
from shared.values.channel import Recipient, Sent


@dataclass
class Upload:
    """A form with fields and one document (RFC 7578). `file_name` is lull's own: of letters, digits, `-` and `.`."""

    fields: Mapping[str, str]
    file_name: str
    size: int
    pieces: AsyncIterator[bytes] = field(repr=False)
    boundary: str = field(default_factory=lambda: token_hex(16))
    #: whether its end was given to the connection: before that nobody can have carried it out
    is_given: bool = field(default=False, init=False)

    @property
    def headers(self) -> dict[str, str]:
        """Its type, and how long it is: Telegram takes no body whose length it does not know."""
        length = len(self._head) + self.size + len(self._tail)
        return {"Content-Type": f"multipart/form-data; boundary={self.boundary}", "Content-Length": str(length)}

    async def body(self) -> AsyncIterator[bytes]:
        """The body, piece by piece."""
        yield self._head
        async for piece in self.pieces:
            yield piece
        self.is_given = True
        yield self._tail

    @property
    def _head(self) -> bytes:
        parts = [f"{self._begin(name)}\r\n\r\n{value}\r\n" for name, value in self.fields.items()]
        file = f'{self._begin("document")}; filename="{self.file_name}"\r\nContent-Type: application/zip\r\n\r\n'
        return "".join((*parts, file)).encode()

    def _begin(self, name: str) -> str:
        return f'--{self.boundary}\r\nContent-Disposition: form-data; name="{name}"'

    @property
    def _tail(self) -> bytes:
        return f"\r\n--{self.boundary}--\r\n".encode()


def fields_of(to: Recipient, caption: FormattedText | None) -> dict[str, str]:
    """Where a document goes, and what stands below it, as the Bot API takes them (sendDocument)."""
    fields = {"chat_id": str(to.chat_id), **{name: str(value) for name, value in to.topic.items()}}
    if caption is not None:
        entities = [entity.to_telegram() for entity in caption.entities]
        fields |= {"caption": caption.text, "caption_entities": json.dumps(entities)}
    return fields


def sent_document(message: Mapping[str, Any]) -> Sent:
    """What Telegram says of the message that it made."""
    document = message.get("document") or {}
    at = datetime.fromtimestamp(message["date"], UTC)
    return Sent(message["message_id"], at, document.get("file_id", ""), document.get("file_unique_id", ""))
