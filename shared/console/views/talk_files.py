"""Files in web conversations: the owner's uploads, and downloads of files that the owner or the agent sent.

Handlers import what they need, so that the function starts quickly.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import Response

from shared.console.route import BadRequest, ConsoleRequest, ConsoleRoute, NotFound
from shared.console.views.talk import load_quote, posting_of, web_key
from shared.webchat.ids import message_of_update
from shared.webchat.inbound import LONGEST_TEXT, WebFile
from shared.webchat.posting import post

if TYPE_CHECKING:
    from shared.console.services import ConsoleServices
    from shared.webchat.files import WebFiles

#: how the page asks for a file to be sent: as its content suggests, as a voice message, or as it is
AS_CONTENT, AS_VOICE, AS_FILE = "", "voice", "file"
NO_FILES: Final = "no_files_stored"
EMPTY: Final = "file_empty"
NO_SOUND: Final = "file_no_sound"
#: control characters, and characters that change the direction of writing
_UNSAFE: Final = re.compile(r"[\x00-\x1f\x7f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
LONGEST_NAME: Final = 100
#: the longest voice message in seconds
LONGEST_VOICE_S: Final = 3_600


async def send(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Post a message with a file. The kind of file is detected from its content.

    The file is stored before the message, under a hash of its content, so a repeated request does not store it twice.
    """
    if not services.media_bucket:
        raise BadRequest(NO_FILES)
    posting, text = await posting_of(services, request), _caption(request)
    file, quoted = _web_file(request), await load_quote(services, request, posting.key)
    await _files(services.project, services.media_bucket).keep(request.content)
    is_new = await post(services.web_talks.receiver, posting.message(text, reply_to=quoted, file=file))
    return {"id": message_of_update(posting.update, posting.key.topic_id), "is_new": is_new, "file": file.id}


def _caption(request: ConsoleRequest) -> str:
    text = request.body.get("text", "")
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise BadRequest("text_too_long", count=LONGEST_TEXT)
    return text.strip()


def _web_file(request: ConsoleRequest) -> WebFile:
    """Return the type, name and id of a request's uploaded file, without storing it. Raises BadRequest."""
    from shared.reader.decode.kinds import DecoderKind, real_type
    from shared.values.media import MediaKind
    from shared.webchat.files import file_id_of, kind_of

    content, body = request.content, request.body
    if not content:
        raise BadRequest(EMPTY)
    real, name, seconds = real_type(content), body.get("name", ""), body.get("seconds", 0)
    sent_as, mime_type = body.get("as", AS_CONTENT), real.mime_type
    kind = kind_of(real) if sent_as != AS_FILE else MediaKind.DOCUMENT
    if sent_as == AS_VOICE:
        if real.family is not DecoderKind.CLIP:
            raise BadRequest(NO_SOUND)
        kind, mime_type = MediaKind.VOICE, mime_type.replace("video/", "audio/")
    is_length = isinstance(seconds, int) and not isinstance(seconds, bool) and 0 < seconds <= LONGEST_VOICE_S
    return WebFile(
        kind=kind.value,
        id=file_id_of(content),
        size=len(content),
        mime_type=mime_type,
        name=_safe_name(name) if isinstance(name, str) else "",
        duration_s=seconds if is_length else 0,
    )


def _safe_name(name: str) -> str:
    """Return a file's name without folders, and without characters that could disguise its extension."""
    return _UNSAFE.sub("_", re.split(r"[/\\]", name)[-1].strip())[-LONGEST_NAME:]


async def read(services: ConsoleServices, request: ConsoleRequest) -> Response:
    """Return a file of a web conversation.

    One of the owner's agents must have sent or received it. If the query names a conversation, the file may instead be
    on that conversation's screen, or in a message that no tick has read yet.
    """
    from shared.console.file_answers import file_answer
    from shared.webchat.files import is_web_file

    file_id, agent = request.path["file"], request.query.get("agent", "")
    if not services.media_bucket or not is_web_file(file_id):
        raise NotFound
    talks = services.web_talks
    if not await talks.was_sent(file_id, request.agents):
        key = web_key(request, agent, request.query.get("number", ""))
        # a tick may have read the message in between, so that the file is in a reference by now
        if not await talks.is_shown(key, file_id) and not await talks.was_sent(file_id, request.agents):
            raise NotFound
    files = _files(services.project, services.media_bucket)
    file = await files.find(file_id)
    if file is None:
        raise NotFound
    return file_answer(files, file, request.range)


@lru_cache(maxsize=4)
def _files(project: str, bucket: str) -> WebFiles:
    from shared.media.blobs import StorageBlobs
    from shared.webchat.files import WebFiles

    blobs = StorageBlobs(project, bucket)
    return WebFiles(lambda: blobs)


ROUTES = (
    ConsoleRoute("POST", "/api/talk/{agent}/{number}/files", send, takes_file=True),
    ConsoleRoute("GET", "/api/web-files/{file}", read),
)
