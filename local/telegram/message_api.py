"""The World API's routes for messages: writing, editing, deleting, reacting, pressing buttons, reading, and files."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from local.telegram import acts
from local.telegram.channels import publish
from local.telegram.chats import LocalChat
from local.telegram.entities import LocalEntity, parse_entities
from local.telegram.errors import WorldRefused
from local.telegram.file_response import file_response
from local.telegram.files import EVERYBODY
from local.telegram.forms import read_form, read_sticker
from local.telegram.messages import LocalMessage, Media, MessageField
from local.telegram.numerals import whole_number
from local.telegram.sticker_sets import LocalStickerSet
from local.telegram.talking import Utterance, check_has_button, pass_on, press, react, rewrite, say, unsay
from local.telegram.things import thing_of
from local.telegram.views import message_view, sticker_view
from local.telegram.world import World
from local.telegram.world_api import WorldFace, body_of, find_chat, find_person

MAX_PAGE = 500


class MessageFace:
    """Serves the World API's routes for messages and files."""

    def __init__(self, world: World, face: WorldFace) -> None:
        self._world = world
        self._face = face

    def routes(self) -> list[Route]:
        """Return the routes for the page and tests."""
        messages, route = "/world/chats/{key}/messages", self._face.route
        return [
            route("GET", messages, self._read),
            route("POST", messages, self._write),
            route("PATCH", messages + "/{id:int}", self._edit),
            route("DELETE", messages + "/{id:int}", self._delete),
            route("POST", messages + "/{id:int}/reactions", self._react),
            route("POST", messages + "/{id:int}/press", self._press),
            route("POST", "/world/chats/{key}/posts", self._publish),
            route("POST", "/world/stickers", self._make_sticker),
            route("GET", "/world/files/{file_id}", self._file),
        ]

    async def _read(self, request: Request) -> dict[str, Any]:
        chat, query = find_chat(self._world, request), request.query_params
        topic, before = (_number(query.get(name)) for name in ("topic", "before"))
        limit = min(max(_number(query.get("limit")) or 100, 1), MAX_PAGE)
        page = self._world.messages.page(chat.key, topic, before, limit)
        return {"messages": [message_view(self._world, message) for message in page]}

    async def _write(self, request: Request) -> dict[str, Any]:
        chat = find_chat(self._world, request)
        is_form = request.headers.get("content-type", "").startswith("multipart/form-data")
        files = self._world.files
        new, media = await read_form(files, request) if is_form else (await body_of(request, acts.NewMessage), ())
        person = find_person(self._world, new.sender)
        words = new.text or new.caption
        if new.edit_of is not None:
            message = self._message(chat, new.edit_of)
            return message_view(
                self._world, rewrite(self._world, message, person, words, _entities(new.entities, words))
            )
        if new.forward_of is not None:
            source = self._elsewhere(new.forward_of)
            return message_view(self._world, pass_on(self._world, chat, person, source, new.topic_id))
        utterance = Utterance(
            text=words,
            entities=_entities(new.entities, words),
            media=media or self._sticker(new.sticker),
            thing=thing_of(new.content) if new.content is not None else None,
            topic_id=new.topic_id,
            reply_to=new.reply_to,
            elsewhere=self._elsewhere(new.reply_elsewhere) if new.reply_elsewhere is not None else None,
            quote=new.quote,
            date=new.date,
        )
        posted = [message_view(self._world, one) for one in say(self._world, chat, person, utterance)]
        return {**posted[0], "messages": posted}

    async def _publish(self, request: Request) -> dict[str, Any]:
        chat, new = find_chat(self._world, request), await body_of(request, acts.NewPost)
        return message_view(self._world, publish(self._world, chat, new.channel, new.text))

    async def _make_sticker(self, request: Request) -> dict[str, Any]:
        new, file, content = await read_sticker(request)
        set_ = LocalStickerSet(name=new.set_name, title=new.set_title or new.set_name, type=new.type)
        return sticker_view(self._world.stickers.add(set_, file, content))

    async def _edit(self, request: Request) -> dict[str, Any]:
        new = await body_of(request, acts.NewText)
        message = self._message(find_chat(self._world, request), request.path_params["id"])
        person = find_person(self._world, new.sender)
        edited = rewrite(self._world, message, person, new.text, _entities(new.entities, new.text))
        return message_view(self._world, edited)

    async def _delete(self, request: Request) -> dict[str, Any]:
        chat = find_chat(self._world, request)
        message = self._message(chat, request.path_params["id"])
        unsay(self._world, chat, message, _number(request.query_params.get("from")))
        return {}

    async def _react(self, request: Request) -> dict[str, Any]:
        chat, new = find_chat(self._world, request), await body_of(request, acts.NewReaction)
        message, person = self._message(chat, request.path_params["id"]), find_person(self._world, new.sender)
        return message_view(self._world, react(self._world, chat, message, person, new.emoji))

    async def _press(self, request: Request) -> dict[str, Any]:
        chat, new = find_chat(self._world, request), await body_of(request, acts.NewPress)
        message, person = self._message(chat, request.path_params["id"]), find_person(self._world, new.sender)
        if not new.forged:
            check_has_button(message, new.data)
        return {"query_id": press(self._world, chat, message, person, new.data)}

    async def _file(self, request: Request) -> Response:
        file = self._world.files.find(request.path_params["file_id"], EVERYBODY)
        content = self._world.files.content(file.unique_id) if file else None
        if file is None or content is None:
            raise WorldRefused("There is no such file.", 404)
        return file_response(request, content, file.mime_type)

    def _sticker(self, file_id: str | None) -> tuple[Media, ...]:
        if file_id is None:
            return ()
        file = self._world.files.find(file_id, EVERYBODY)
        if file is None or file.kind is not MessageField.STICKER:
            raise WorldRefused("There is no such sticker; GET /world lists them.", 404)
        return (Media(kind=file.kind, file=file.unique_id),)

    def _elsewhere(self, place: acts.ReplyElsewhere) -> LocalMessage:
        chat = self._world.chats.get(place.chat)
        if chat is None:
            raise WorldRefused(f"There is no chat {place.chat}.", 404)
        return self._message(chat, place.message_id)

    def _message(self, chat: LocalChat, id_: int) -> LocalMessage:
        message = self._world.messages.get(chat.key, id_)
        if message is None:
            raise WorldRefused(f"There is no message {id_} in this chat.", 404)
        return message


def _entities(raw: list[dict[str, Any]] | None, text: str) -> tuple[LocalEntity, ...] | None:
    return parse_entities(raw, text) if raw is not None else None


def _number(written: str | None) -> int | None:
    if written is None or written == "":
        return None
    number = whole_number(written)
    if number is None:
        raise WorldRefused(f"{written} is not a number.")
    return number
