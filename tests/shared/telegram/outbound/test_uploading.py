"""A document that is sent piece by piece, as a form."""

import json
from collections.abc import AsyncIterator
from email import message_from_bytes
from email.message import Message
from typing import Any

from shared.telegram.markdown.render import convert
from shared.telegram.outbound.client import FormUpload, fields_of, sent_document
from shared.values.channel import Recipient


async def pieces(*content: bytes) -> AsyncIterator[bytes]:
    for piece in content:
        yield piece


async def test_its_body_is_as_long_as_it_says_and_has_its_fields() -> None:
    fields = fields_of(Recipient(chat_id=7, topic_id=3), convert("**this** is it"))
    upload = FormUpload(fields, "lull-2026.zip", 6, pieces(b"PK\x03", b"abc"))
    body = b"".join([piece async for piece in upload.body()])
    assert len(body) == int(upload.headers["Content-Length"])
    form = message_from_bytes(f"Content-Type: {upload.headers['Content-Type']}\r\n\r\n".encode() + body)
    parts = [part for part in form.get_payload() if isinstance(part, Message)]
    found: dict[Any, Any] = {
        part.get_param("name", header="content-disposition"): part.get_payload(decode=True) for part in parts
    }
    assert json.loads(found.pop("caption_entities")) == [{"type": "bold", "offset": 0, "length": 4}]
    assert found == {
        "chat_id": b"7",
        "message_thread_id": b"3",
        "caption": b"this is it",
        "document": b"PK\x03abc",
    }
    assert parts[-1].get_filename() == "lull-2026.zip"


def test_what_telegram_says_of_it_is_read() -> None:
    told = {"message_id": 5, "date": 1_700_000_000, "document": {"file_id": "f", "file_unique_id": "u"}}
    sent = sent_document(told)
    assert (sent.message_id, sent.at.timestamp(), sent.file_id, sent.unique_id) == (5, 1_700_000_000, "f", "u")
