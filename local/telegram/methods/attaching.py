"""The file that a bot sends: an upload, or the id of one that it has seen."""

from dataclasses import replace

from local.telegram.errors import bad_request
from local.telegram.files import MAX_PHOTO_BYTES, StoredFile
from local.telegram.messages import Media, MediaKind
from local.telegram.methods.request import Request
from local.telegram.uploads import Upload, describe


def media_of(request: Request, kind: MediaKind) -> Media:
    """The file in the parameter that is named like its kind, as a message carries it."""
    given = request.params[kind.value]
    file = _keep(request, given, kind) if isinstance(given, Upload) else _known(request, given, kind)
    return Media(kind=kind, file=file.unique_id)


def _known(request: Request, file_id: str, kind: MediaKind) -> StoredFile:
    if file_id.startswith(("http://", "https://")):
        raise bad_request("failed to get HTTP URL content")
    file = request.world.files.find(file_id, request.bot.id)
    if file is None:
        raise bad_request("wrong file identifier/HTTP URL specified")
    if file.kind is not kind:
        raise bad_request(f"can't use file of type {_named(file.kind)} as {_named(kind)}")
    return file


def _named(kind: MediaKind) -> str:
    return kind.value.replace("_", " ").title().replace(" ", "")


def _keep(request: Request, upload: Upload, kind: MediaKind) -> StoredFile:
    file = describe(kind, upload)
    if file.size == 0:
        raise bad_request("file must be non-empty")
    if kind is MediaKind.PHOTO and file.size > MAX_PHOTO_BYTES:
        limit = f"the maximum size is {MAX_PHOTO_BYTES} bytes"
        raise bad_request(f"file of size {file.size} bytes is too big for a photo; {limit}")
    if kind is MediaKind.PHOTO and file.width == 0:
        raise bad_request("IMAGE_PROCESS_FAILED")
    emoji = request.params.get("emoji") if kind is MediaKind.STICKER else None
    duration = request.params.get("duration", 0)
    return request.world.files.add(replace(file, emoji=emoji, duration=duration), upload.content)
