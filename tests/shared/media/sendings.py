"""Files at the local Telegram, and references to them, without messages that a tick would answer.

The bot sends them itself, and gets no updates about its own messages.
"""

import itertools
import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx
from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store import paths
from shared.media.store.media import decode_media, encode_reference
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.media import MediaKind, MediaRef
from shared.values.reference import FileReference
from shared.values.stored_media import StoredMedia
from tests.stories.play import Json, Sandbox

_chats = itertools.count(3_000_000_000 + os.getpid() * 10_000)
#: kinds whose methods of the Bot API have a different name
_METHODS = {"video_note": "sendVideoNote"}


def new_chat(agent: str = "lull") -> ChatKey:
    """Return a chat that does not exist, so that its ticks answer nobody."""
    return ChatKey(agent=agent, chat_id=next(_chats))


async def uploaded(sandbox: Sandbox, kind: str, content: bytes, agent: str = "lull", name: str = "") -> MediaRef:
    """Send a file with an agent's bot and return its reference."""
    somebody = await sandbox.person("Somebody")
    chat = await sandbox.private(somebody, agent)
    await sandbox.telegram.post(f"/world/chats/{chat.key}/messages", json={"from": somebody.id, "text": "/help"})
    method = _METHODS.get(kind, f"send{kind.title()}")
    form = {"chat_id": str(chat.id)}
    files = {kind: (name or f"file.{_ENDINGS.get(kind, 'bin')}", content)}
    answer = await sandbox.telegram.post(f"/bot{sandbox.cloud.tokens[agent]}/{method}", data=form, files=files)
    found = answer.raise_for_status().json()["result"][kind]
    return ref_of(kind, found[-1] if isinstance(found, list) else found)


_ENDINGS = {"photo": "jpg", "sticker": "webp", "voice": "ogg", "audio": "mp3", "video": "mp4", "animation": "mp4"}


def ref_of(kind: str, file: Json) -> MediaRef:
    """Return the reference to a file of the Bot API."""
    return MediaRef(
        kind=MediaKind(kind),
        file_id=file["file_id"],
        unique_id=file["file_unique_id"],
        mime_type=file.get("mime_type", ""),
        size=file.get("file_size", 0),
        duration_s=file.get("duration", 0),
        emoji=file.get("emoji", ""),
        set_name=file.get("set_name", ""),
    )


async def sticker(sandbox: Sandbox, content: bytes, emoji: str = "😂", agent: str = "lull", **more: Any) -> Json:
    """Make a sticker of a new set, in the form that an agent's bot gets."""
    name = f"set_{uuid4().hex[:12]}_by_test"
    data = {"emoji": emoji, "set_name": name, **more}
    added = await sandbox.telegram.post("/world/stickers", data=data, files={"sticker": ("sticker", content)})
    added.raise_for_status()
    asked = {"name": added.json()["set_name"]}
    found = await sandbox.telegram.post(f"/bot{sandbox.cloud.tokens[agent]}/getStickerSet", json=asked)
    return dict(found.raise_for_status().json()["result"]["stickers"][-1])


def reference(ref: MediaRef, key: ChatKey, person: int = 1, **more: Any) -> FileReference:
    """Return one sending of a file, in its chat's message 12 by default."""
    now = datetime.now(UTC)
    fields = {"message_ids": (12,), "at": now, "try_at": now + timedelta(minutes=3), "chat_kind": ChatKind.PRIVATE}
    return FileReference(**{"ref": ref, "agent": key.agent, "chat": key.id, "person": person, **fields, **more})


async def kept(client: AsyncClient, *references: FileReference) -> Sequence[FileReference]:
    """Store references as a tick does."""
    for one in references:
        await client.document(paths.reference_path(one.id)).set(encode_reference(one))
    return references


async def media(client: AsyncClient, unique_id: str) -> StoredMedia | None:
    """Return a file's stored document."""
    return decode_media((await client.document(paths.media_path(unique_id)).get()).to_dict())


async def is_open(client: AsyncClient, one: FileReference) -> bool:
    """Return whether a chat is still to be told."""
    found = (await client.document(paths.reference_path(one.id)).get()).to_dict() or {}
    return bool(found["is_open"])


async def told(client: AsyncClient, key: ChatKey) -> list[Json]:
    """Return the updates about described media in a chat's inbox."""
    found = await client.collection(paths.inbox_path(key)).get()
    documents = [one.to_dict() or {} for one in found]
    return [one for one in documents if one["kind"] == "media_described"]


async def ordered(url: str, body: str) -> httpx.Response:
    """Return a function's answer to an order."""
    async with httpx.AsyncClient(timeout=120) as client:
        return await client.post(url, content=body)
