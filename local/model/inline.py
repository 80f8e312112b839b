"""Finds the files inside Gemini's requests, to count their tokens. Replaces files in stored requests of Gemini's and
OpenAI's APIs with short descriptions, to save memory.

A description has a file's MIME type, size in bytes and SHA-256, by which files can still be distinguished.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Iterator
from typing import Any

from local.model.calls import Json

#: tokens of a picture of up to 384 pixels (ai.google.dev/gemini-api/docs/tokens); the script counts this for any file
FILE_TOKENS = 258
#: modality by the beginning of a MIME type (ai.google.dev/api/generate-content#Modality)
_MODALITIES = {"image/": "IMAGE", "audio/": "AUDIO", "video/": "VIDEO"}
_NAMES = ("inlineData", "inline_data")
#: objects of OpenAI's parts that hold a file, with the field that has its bytes or its data URL
_OPENAI_NAMES = {"image_url": "url", "input_audio": "data", "file": "file_data"}


def without_files(body: bytes) -> str:
    """Return a request's text with a short description in place of each file's bytes; unchanged if there are no
    files.
    """
    text = body.decode(errors="replace")
    if not any(name in text for name in (*_NAMES, *_OPENAI_NAMES)):
        return text
    try:
        request = json.loads(body)
    except (ValueError, RecursionError):
        return text
    return json.dumps(_shortened(request), ensure_ascii=False)


def types_in(request: Any) -> Iterator[str]:
    """Yield the MIME types of a request's files, in order."""
    for file in _files_in(request):
        yield str(file.get("mimeType") or file.get("mime_type") or "")


def modality_of(mime_type: str) -> str:
    """Return the modality under which Gemini counts a file's tokens."""
    return next((name for start, name in _MODALITIES.items() if mime_type.startswith(start)), "DOCUMENT")


def _files_in(value: Any) -> Iterator[Json]:
    if isinstance(value, list):
        for one in value:
            yield from _files_in(one)
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name in _NAMES and isinstance(inner, dict):
                yield inner
            else:
                yield from _files_in(inner)


def _shortened(value: Any) -> Any:
    if isinstance(value, list):
        return [_shortened(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {name: _described(name, inner) for name, inner in value.items()}


def _described(name: str, value: Any) -> Any:
    if isinstance(value, dict) and name in _NAMES:
        return _without_bytes(value, "data")
    if isinstance(value, dict) and name in _OPENAI_NAMES:
        return _without_bytes(value, _OPENAI_NAMES[name])
    return _shortened(value)


def _without_bytes(file: Json, field: str) -> Json:
    """Return a file without its bytes. Invalid base64 is left as it is, so that the caller's mistake stays visible."""
    head, comma, data = str(file.get(field)).rpartition(",")
    try:
        content = base64.b64decode(data, validate=True) if isinstance(file.get(field), str) else None
    except (binascii.Error, ValueError):
        content = None
    if content is None:
        return file
    kind = {"mimeType": head.removeprefix("data:").partition(";")[0]} if comma else {}
    rest = {name: value for name, value in file.items() if name != field}
    return {**rest, **kind, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
