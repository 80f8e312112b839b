"""Sending of photos, voice notes, stickers, documents, albums and places, over the World API."""

import json
import mimetypes
from collections.abc import Sequence
from typing import Any, Protocol

import httpx

Json = dict[str, Any]


class Somebody(Protocol):
    """A person of the local Telegram."""

    @property
    def id(self) -> int:
        """The id of the person."""


class Attaching:
    """The part of a chat's client that sends files; every method returns the message's id (an album's ids)."""

    key: str
    telegram: httpx.AsyncClient

    async def sends(self, person: Somebody, kind: str, content: bytes, caption: str = "", **more: Any) -> int:
        """Have somebody send a file as `kind` ("photo", "voice", …); see `sends_album` for what `more` may be."""
        (sent,) = await self.sends_album(person, [(kind, content)], caption, **more)
        return sent

    async def sends_album(
        self, person: Somebody, files: Sequence[tuple[str, bytes]], caption: str = "", **more: Any
    ) -> list[int]:
        """Send several files as one, each (kind, bytes).

        `names`: what they are called; `about`: what is said of each (duration, width, height, spoiler, …); anything
        else is a field of the message (reply_to, topic_id, entities).
        """
        names = more.pop("names", None) or [f"{kind}{_ENDING.get(kind, '.bin')}" for kind, _ in files]
        fields: Json = {name: json.dumps(more.pop(name)) for name in ("about", "entities") if name in more}
        form: Json = {"from": person.id, "caption": caption, **more, **fields}
        parts = [
            (kind, (name, content, mimetypes.guess_type(name)[0] or "application/octet-stream"))
            for (kind, content), name in zip(files, names, strict=True)
        ]
        data = {name: str(value) for name, value in form.items()}
        response = await self.telegram.post(f"/world/chats/{self.key}/messages", data=data, files=parts)
        return [message["message_id"] for message in response.raise_for_status().json()["messages"]]

    async def sends_photo(self, person: Somebody, content: bytes, caption: str = "", **more: Any) -> int:
        """Send a PNG, JPEG, GIF or WebP as a photo."""
        return await self.sends(person, "photo", content, caption, **more)

    async def sends_voice(self, person: Somebody, content: bytes, **more: Any) -> int:
        """Send a voice note, OGG with Opus; its length is read from it."""
        return await self.sends(person, "voice", content, **more)

    async def sends_document(self, person: Somebody, content: bytes, name: str, caption: str = "", **more: Any) -> int:
        """Send a file under its name."""
        return await self.sends(person, "document", content, caption, names=[name], **more)

    async def sends_sticker(self, person: Somebody, file_id: str, **more: Any) -> int:
        """Send a sticker of a set: one that `stickers` lists, or that `adds_sticker` made."""
        return await self.sends_content(person, sticker=file_id, **more)

    async def sends_content(self, person: Somebody, **fields: Any) -> int:
        """Send a message without text and file, such as `content={"location": {...}}`."""
        body = {"from": person.id, **fields}
        response = await self.telegram.post(f"/world/chats/{self.key}/messages", json=body)
        return int(response.raise_for_status().json()["message_id"])

    async def stickers(self) -> list[Json]:
        """List all stickers that people can choose, with file_id, emoji and set_name."""
        return list((await self.telegram.get("/world")).raise_for_status().json()["stickers"])

    async def adds_sticker(self, content: bytes, emoji: str, set_name: str, **more: Any) -> Json:
        """Put a sticker (PNG, WebP, WebM, TGS) into a set; `type="custom_emoji"` makes it a custom emoji."""
        data = {"emoji": emoji, "set_name": set_name, **more}
        response = await self.telegram.post("/world/stickers", data=data, files={"sticker": ("sticker", content)})
        return dict(response.raise_for_status().json())


_ENDING = {
    "photo": ".png",
    "voice": ".ogg",
    "audio": ".mp3",
    "video": ".mp4",
    "animation": ".mp4",
    "video_note": ".mp4",
}
