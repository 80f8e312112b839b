"""The file that a bot sends: an upload, or a file that the bot has seen and names by its id."""

from dataclasses import replace

from local.telegram.clips import Clip
from local.telegram.errors import bad_request
from local.telegram.files import MAX_PHOTO_BYTES, StoredFile
from local.telegram.messages import Media, MessageField
from local.telegram.methods.request import MethodRequest
from local.telegram.uploads import UploadedFile, describe

# TDLib's VoiceNotesManager.cpp: a voice note that has none of these types is sent with the first of them.
_VOICE_TYPES = ("audio/ogg", "audio/mpeg", "audio/mp4")
_COVERABLE = (MessageField.PHOTO, MessageField.VIDEO, MessageField.ANIMATION)


def media_of(request: MethodRequest, kind: MessageField) -> Media:
    """Return the file that a call sends, as the `Media` of a message. The file is in the call's parameter whose name is
    the kind, such as `photo`.
    """
    given = request.params[kind.value]
    file = _keep(request, given, kind) if isinstance(given, UploadedFile) else _find_file(request, given, kind)
    is_spoiler = kind in _COVERABLE and bool(request.params.get("has_spoiler"))
    return Media(kind=kind, file=file.unique_id, is_spoiler=is_spoiler)


def _find_file(request: MethodRequest, file_id: str, kind: MessageField) -> StoredFile:
    if file_id.startswith(("http://", "https://")):
        raise bad_request("failed to get HTTP URL content")
    file = request.world.files.find(file_id, request.bot.id)
    if file is None:
        raise bad_request("wrong file identifier/HTTP URL specified")
    if file.kind is not kind:
        raise bad_request(f"can't use file of type {_kind_name(file.kind)} as {_kind_name(kind)}")
    return file


def _kind_name(kind: MessageField) -> str:
    return kind.value.replace("_", " ").title().replace(" ", "")


def _keep(request: MethodRequest, upload: UploadedFile, kind: MessageField) -> StoredFile:
    params = request.params
    width, height, seconds = (params.get(name, 0) for name in ("width", "height", "duration"))
    declared = Clip(seconds=seconds, width=width, height=height)
    file = describe(kind, replace(upload, declared=declared))
    if file.size == 0:
        raise bad_request("file must be non-empty")
    if kind is MessageField.PHOTO and file.size > MAX_PHOTO_BYTES:
        limit = f"the maximum size is {MAX_PHOTO_BYTES} bytes"
        raise bad_request(f"file of size {file.size} bytes is too big for a photo; {limit}")
    if kind is MessageField.PHOTO and file.width == 0:
        raise bad_request("IMAGE_PROCESS_FAILED")
    if kind is MessageField.VOICE and file.mime_type not in _VOICE_TYPES:
        file = replace(file, mime_type=_VOICE_TYPES[0])
    emoji = params.get("emoji") if kind is MessageField.STICKER else None
    file = replace(file, emoji=emoji, performer=params.get("performer"), title=params.get("title"))
    return request.world.files.add(file, upload.content)
