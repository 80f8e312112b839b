"""Reads multipart forms, in which the page and tests send messages and stickers with files."""

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request

from local.telegram import acts
from local.telegram.clips import Clip
from local.telegram.errors import WorldRefused
from local.telegram.files import FileStore, StoredFile
from local.telegram.messages import Media, MessageField
from local.telegram.uploads import UploadedFile, describe
from local.telegram.world_api import problem_in

T = TypeVar("T", bound=BaseModel)
_MAX_FIELD_BYTES = 1 << 20
_NOTHING = acts.About()
# Fields of a message that are not plain text. A form contains them as JSON.
_IN_JSON = ("about", "entities")
_MUST_BE_PICTURES = (MessageField.PHOTO, MessageField.STICKER)


async def read_form(files: FileStore, request: Request) -> tuple[acts.NewMessage, tuple[Media, ...]]:
    """Store the files of a form, and return the form's message and these files in their order."""
    async with request.form(max_part_size=_MAX_FIELD_BYTES) as form:
        new = fields_of_form(form, acts.NewMessage)
        uploads = [(name, value) for name, value in form.multi_items() if isinstance(value, UploadFile)]
        pairs = zip_longest(uploads, new.about[: len(uploads)], fillvalue=None)
        media = [await _attach(files, *upload, about or _NOTHING) for upload, about in pairs if upload is not None]
        return new, tuple(media)


def fields_of_form(form: FormData, shape: type[T]) -> T:
    """Return the fields of a form that are not files. Raises WorldRefused with the first problem."""
    # browsers end lines in a form's fields with CR and LF (html.spec.whatwg.org, multipart/form-data)
    texts = {name: value.replace("\r\n", "\n") for name, value in form.items() if isinstance(value, str)}
    fields = {name: value for name, value in texts.items() if value != ""}
    try:
        return shape.model_validate(fields | _decode(fields))
    except ValidationError as invalid:
        raise WorldRefused(problem_in(invalid)) from None


def _decode(fields: Mapping[str, str]) -> dict[str, Any]:
    try:
        return {name: json.loads(fields[name]) for name in _IN_JSON if name in fields}
    except ValueError:
        raise WorldRefused(f"{' and '.join(_IN_JSON)} must be sent as JSON lists, each in its form field.") from None


async def read_sticker(request: Request) -> tuple[acts.NewSticker, StoredFile, bytes]:
    """Return a new sticker for a set, with its file."""
    async with request.form(max_part_size=_MAX_FIELD_BYTES) as form:
        new, upload = fields_of_form(form, acts.NewSticker), form.get("sticker")
        if not isinstance(upload, UploadFile):
            raise WorldRefused("The sticker's file is missing: send it as a file in the field `sticker`.")
        file, content = await _describe(MessageField.STICKER, upload, _NOTHING)
        return new, replace(file, emoji=new.emoji), content


async def _describe(kind: MessageField, upload: UploadFile, about: acts.About) -> tuple[StoredFile, bytes]:
    content = await upload.read()
    mime_type = upload.content_type or "application/octet-stream"
    name = upload.filename or kind.value
    declared = Clip(seconds=about.duration, width=about.width, height=about.height)
    file = describe(kind, UploadedFile(name=name, mime_type=mime_type, content=content, declared=declared))
    if kind in _MUST_BE_PICTURES and file.width == 0:
        raise WorldRefused(f"{upload.filename} is not a PNG, JPEG, GIF or WebP picture.")
    return replace(file, performer=about.performer, title=about.title), content


async def _attach(files: FileStore, field: str, upload: UploadFile, about: acts.About) -> Media:
    if field not in list(MessageField):
        raise WorldRefused(f"A file cannot be sent as {field}; expected one of: {', '.join(MessageField)}.")
    file = files.add(*await _describe(MessageField(field), upload, about))
    return Media(kind=file.kind, file=file.unique_id, is_spoiler=about.spoiler)
