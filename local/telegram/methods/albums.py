"""A bot's albums: sendMediaGroup."""

from collections.abc import Mapping
from dataclasses import replace

from local.telegram.albums import album_id, problem_with_album
from local.telegram.errors import bad_request
from local.telegram.messages import MessageField
from local.telegram.methods.attaching import media_of
from local.telegram.methods.content import caption_of
from local.telegram.methods.request import AccessLevel, Method, MethodRequest, chat_of
from local.telegram.methods.sending import draft_of
from local.telegram.posting import post
from local.telegram.wire import Json, message_json

_KINDS = (MessageField.PHOTO, MessageField.VIDEO, MessageField.DOCUMENT, MessageField.AUDIO)


def send_media_group(request: MethodRequest) -> list[Json]:
    """Send files that people see as one message. All files are checked before the first is sent."""
    items = request.params["media"]
    if not items:
        raise bad_request("there are no messages to send")
    chat = chat_of(request, AccessLevel.WRITE)
    kinds = [_kind_of(item["type"]) for item in items]
    problem = problem_with_album(kinds)
    if problem is not None:
        raise bad_request(problem)
    draft = replace(draft_of(request, chat), media_group_id=album_id(request.world) if len(items) > 1 else None)
    messages = []
    for kind, item in zip(kinds, items, strict=True):
        alone = replace(request, params={**item, kind.value: item["media"]})
        caption, entities = caption_of(alone)
        messages.append(replace(draft, media=media_of(alone, kind), caption=caption, entities=entities))
    posted = [post(request.world, message) for message in messages]
    return [message_json(request.world, message, request.bot.id) for message in posted]


def _kind_of(type_: str) -> MessageField:
    kind = next((kind for kind in _KINDS if kind.value == type_), None)
    if kind is None:
        raise bad_request(f"can't parse InputMedia: type \"{type_}\" can't be used in sendMediaGroup")
    return kind


METHODS: Mapping[str, Method] = {"sendMediaGroup": send_media_group}
