"""Files that were sent, and the ids by which each bot may fetch them."""

import base64
import binascii
import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

from local.telegram.messages import MessageField
from local.telegram.store import DocumentKind, WorldStore

# Bot API: getFile serves files of at most 20 MB (Client.h, MAX_DOWNLOAD_FILE_SIZE), sendPhoto takes at most 10 MB.
MAX_DOWNLOAD_BYTES = 20 << 20
MAX_PHOTO_BYTES = 10 << 20
# The type of animated stickers: gzipped Lottie animations (core.telegram.org/stickers#animated-stickers).
TGS = "application/x-tgsticker"
# The account whose file ids the World API uses; no bot has it.
EVERYBODY = 0

_PREFIX = {
    MessageField.PHOTO: "AgACAgIA",
    MessageField.STICKER: "CAACAgIA",
    MessageField.DOCUMENT: "BQACAgIA",
    MessageField.VOICE: "AwACAgIA",
    MessageField.AUDIO: "CQACAgIA",
    MessageField.VIDEO: "BAACAgIA",
    MessageField.ANIMATION: "CgACAgIA",
    MessageField.VIDEO_NOTE: "DQACAgIA",
}
_FOLDER = {
    MessageField.PHOTO: "photos",
    MessageField.STICKER: "stickers",
    MessageField.DOCUMENT: "documents",
    MessageField.VOICE: "voice",
    MessageField.AUDIO: "music",
    MessageField.VIDEO: "videos",
    MessageField.ANIMATION: "animations",
    MessageField.VIDEO_NOTE: "video_notes",
}


@dataclass(frozen=True, kw_only=True)
class StoredFile:
    """One file. `unique_id` is made from its kind and content, and is the same for all bots. `size` is in bytes, width
    and height are in pixels, `duration` is in seconds.
    """

    unique_id: str
    kind: MessageField
    size: int
    name: str
    mime_type: str
    width: int = 0
    height: int = 0
    duration: int = 0
    emoji: str | None = None
    set_name: str | None = None
    #: the custom emoji's id, if the sticker is a custom emoji
    custom_emoji_id: str | None = None
    #: performer and title of music
    performer: str | None = None
    title: str | None = None

    @property
    def is_animated(self) -> bool:
        """Return whether the file has the type of an animated sticker: a gzipped Lottie vector animation."""
        return self.mime_type == TGS

    @property
    def is_video(self) -> bool:
        """Return whether the file is a video sticker."""
        return self.kind is MessageField.STICKER and self.mime_type == "video/webm"

    @property
    def path(self) -> str:
        """Return the file's path below `/file/bot<token>/`."""
        return f"{_FOLDER[self.kind]}/{self.unique_id}{Path(self.name).suffix.lower()}"


class FileStore:
    """All files. The data about the files is in the store of the local Telegram. The bytes are in separate files beside
    the store, or in memory if nothing is stored on disk.
    """

    def __init__(self, store: WorldStore, folder: Path | None) -> None:
        self._shelf = DocumentKind(store, "file", StoredFile)
        self._folder = folder / "files" if folder is not None else None
        self._bytes: dict[str, bytes] = {}
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)

    def add(self, file: StoredFile, content: bytes) -> StoredFile:
        """Store a file under its unique id, and return it. If this file is already stored as a sticker of a set, a new
        file without a set does not replace it: the stored sticker is returned.
        """
        digest = hashlib.sha256(file.kind.value.encode() + content).digest()
        file = replace(file, unique_id="AQAD" + base64.urlsafe_b64encode(digest[:9]).decode(), size=len(content))
        known = self._shelf.get(file.unique_id)
        if known is not None and known.set_name is not None and file.set_name is None:
            return known
        if self._folder is None:
            self._bytes[file.unique_id] = content
        elif not (kept := self._folder / file.unique_id).exists():
            partial = kept.with_suffix(".partial")
            partial.write_bytes(content)
            partial.replace(kept)
        return self._shelf.put(file.unique_id, file)

    def get(self, unique_id: str) -> StoredFile | None:
        """Return the file with this unique id, or None if there is none."""
        return self._shelf.get(unique_id)

    def content(self, unique_id: str) -> bytes | None:
        """Return the bytes of the file with this unique id, or None if there is no such file."""
        if self._shelf.get(unique_id) is None:
            return None
        return (self._folder / unique_id).read_bytes() if self._folder else self._bytes.get(unique_id)

    def find(self, file_id: str, account: int) -> StoredFile | None:
        """Return the file that this account knows by `file_id`. As on Telegram, another account's id for the file is
        not found.
        """
        unique_id = _unique_id_in(file_id, account)
        return self._shelf.get(unique_id) if unique_id else None


def file_id_for(file: StoredFile, account: int) -> str:
    """Return the id by which one bot (or `EVERYBODY`) may send or fetch a file."""
    named = base64.urlsafe_b64encode(f"{account}.{file.unique_id}".encode()).decode().rstrip("=")
    return _PREFIX[file.kind] + named


def _unique_id_in(file_id: str, account: int) -> str | None:
    named = file_id[8:]
    if file_id[:8] not in _PREFIX.values():
        return None
    try:
        owner, _, unique_id = base64.urlsafe_b64decode(named + "=" * (-len(named) % 4)).decode().partition(".")
    except (binascii.Error, UnicodeDecodeError):
        return None
    return unique_id if owner == str(account) else None
