"""The World API over HTTP: actions of people, for the page and for tests. Errors are `{"error": "one sentence"}`."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from local.telegram import acts
from local.telegram.chats import ChatType, LocalChat
from local.telegram.errors import BotApiError, WorldRefused
from local.telegram.membership import (
    GroupPlan,
    add_member,
    add_topic,
    make_group,
    migrate,
    open_private_chat,
    remove_member,
    set_admin,
    set_blocked,
)
from local.telegram.numerals import whole_number
from local.telegram.people import Bot, Person, bot_id_of
from local.telegram.signing import MiniAppSigner
from local.telegram.store import adapter_of
from local.telegram.views import bot_view, chat_view, person_view, sticker_view
from local.telegram.wire import user_json
from local.telegram.world import World

T = TypeVar("T")
Handler = Callable[[Request], Awaitable[Any]]
_NEW_CHAT: TypeAdapter[acts.NewPrivateChat | acts.NewGroup] = TypeAdapter(acts.NewChat)


class WorldFace:
    """Serves the World API's routes for people, bots and chats."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[Route]:
        """Return the routes for the page and tests."""
        chat = "/world/chats/{key}"
        return [
            self.route("GET", "/world", self._read),
            self.route("POST", "/world/bots", self._make_bot),
            self.route("POST", "/world/people", self._make_person),
            self.route("PATCH", "/world/people/{id:int}", self._change_person),
            self.route("POST", "/world/mini-app", self._open_mini_app),
            self.route("POST", "/world/chats", self._make_chat),
            self.route("POST", chat + "/topics", self._make_topic),
            self.route("POST", chat + "/members", self._add_member),
            self.route("DELETE", chat + "/members/{id:int}", self._remove_member),
            self.route("POST", chat + "/admins", self._set_admin),
            self.route("POST", chat + "/block", self._block),
            self.route("POST", chat + "/migrate", self._migrate),
        ]

    def route(self, method: str, path: str, handler: Handler) -> Route:
        """Return a route that saves all changes before it responds, and that answers a WorldRefused error with the
        error's sentence.
        """
        return Route(path, _answering(self._world, handler), methods=[method])

    async def _read(self, request: Request) -> dict[str, Any]:
        world = self._world
        return {
            "seq": world.events.seq,
            "bots": [bot_view(bot) for bot in world.people.bots()],
            "people": [person_view(person) for person in world.people.people()],
            "chats": [chat_view(chat) for chat in world.chats.all()],
            "stickers": [sticker_view(file) for file in world.stickers.regular()],
            "custom_emoji": [sticker_view(file) for file in world.stickers.custom()],
            "console": bool(world.settings.console),
        }

    async def _make_bot(self, request: Request) -> dict[str, Any]:
        new = await body_of(request, acts.NewBot)
        bot_id = bot_id_of(new.token)
        if bot_id is None:
            raise WorldRefused("A bot token is a number, a colon and letters, like 7000000001:abcDEF.")
        known, named = self._world.people.bot(bot_id), self._world.people.find_username(new.username)
        if known is not None and known.token != new.token:
            raise WorldRefused(
                f"The bot {bot_id} exists with another token. Use that token, or choose another number.", 409
            )
        if named is not None and named.id != bot_id:
            raise WorldRefused(f"The username @{new.username} is taken; choose another.", 409)
        wished = replace(known or Bot(id=bot_id, **new.model_dump()), **new.model_dump())
        if wished != known:
            self._world.people.keep_bot(wished)
            self._world.events.add("bot", bot=bot_view(wished))
        return bot_view(wished)

    async def _make_person(self, request: Request) -> dict[str, Any]:
        new = await body_of(request, acts.NewPerson)
        person = self._world.people.add_person(Person(id=0, **new.model_dump()))
        self._world.events.add("person", person=person_view(person))
        return person_view(person)

    async def _change_person(self, request: Request) -> dict[str, Any]:
        wished = (await body_of(request, acts.PersonChange)).model_dump(exclude_none=True)
        person = replace(find_person(self._world, request.path_params["id"]), **wished)
        self._world.people.keep_person(person)
        self._world.events.add("person", person=person_view(person))
        return person_view(person)

    async def _open_mini_app(self, request: Request) -> dict[str, Any]:
        """Return the address of a bot's Mini App for a person who opens it, with Telegram's signed data."""
        asked, world = await body_of(request, acts.OpenMiniApp), self._world
        person, bot = find_person(world, asked.person_id), find_bot(world, asked.bot_id)
        if not world.settings.console:
            raise WorldRefused("There is no console here.")
        signer = MiniAppSigner(world.settings.seed)
        return {"url": signer.launch(world.settings.console, bot.id, user_json(person), world.now())}

    async def _make_chat(self, request: Request) -> dict[str, Any]:
        new = await body_of(request, _NEW_CHAT)
        if isinstance(new, acts.NewPrivateChat):
            person, bot = find_person(self._world, new.person_id), find_bot(self._world, new.bot_id)
            return chat_view(open_private_chat(self._world, person, bot, topics=new.topics))
        if (new.topics or new.direct) and new.type == "group":
            raise WorldRefused("Only a supergroup can have topics.")
        for id_ in new.members:
            find_person(self._world, id_)
        for id_ in new.bots:
            find_bot(self._world, id_)
        plan = GroupPlan(**{**new.model_dump(), "type": ChatType(new.type)})
        return chat_view(make_group(self._world, plan))

    async def _make_topic(self, request: Request) -> dict[str, Any]:
        chat, new = find_chat(self._world, request), await body_of(request, acts.NewTopic)
        _, topic = add_topic(self._world, chat, new.name, by=new.by or _host(chat))
        return {"id": topic.id, "name": topic.name}

    async def _add_member(self, request: Request) -> dict[str, Any]:
        chat, new = _group(self._world, request), await body_of(request, acts.NewMember)
        id_ = new.person_id or new.bot_id
        if id_ is None:
            raise WorldRefused("The request names nobody to add to the group: send `person_id` or `bot_id`.")
        return chat_view(add_member(self._world, chat, id_, by=new.by or _host(chat), is_admin=new.admin))

    async def _remove_member(self, request: Request) -> dict[str, Any]:
        chat, id_ = _group(self._world, request), request.path_params["id"]
        by = whole_number(request.query_params.get("by")) or (_host(chat) if id_ in chat.bots else id_)
        return chat_view(remove_member(self._world, chat, id_, by=by))

    async def _set_admin(self, request: Request) -> dict[str, Any]:
        chat, change = _group(self._world, request), await body_of(request, acts.NewAdmin)
        return chat_view(set_admin(self._world, chat, change.id, admin=change.admin, by=_host(chat)))

    async def _block(self, request: Request) -> dict[str, Any]:
        chat, change = find_chat(self._world, request), await body_of(request, acts.NewBlock)
        return chat_view(set_blocked(self._world, chat, blocked=change.blocked))

    async def _migrate(self, request: Request) -> dict[str, Any]:
        chat = _group(self._world, request)
        return chat_view(migrate(self._world, chat, by=_host(chat)))


def _answering(world: World, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            result = await handler(request)
        except WorldRefused as refused:
            return JSONResponse({"error": str(refused)}, status_code=refused.status)
        except BotApiError as refused:
            return JSONResponse({"error": refused.description}, status_code=400)
        world.save()
        return result if isinstance(result, Response) else JSONResponse(result)

    return answer


async def body_of(request: Request, shape: type[T] | TypeAdapter[T]) -> T:
    """Return the JSON body of a request as a value of type `shape`. Raises WorldRefused with the first problem."""
    return parse_body(shape if isinstance(shape, TypeAdapter) else adapter_of(shape), await request.body())


def parse_body(adapter: TypeAdapter[T], body: bytes) -> T:
    """Parse a JSON text into a value of the adapter's type. Raises WorldRefused with the first problem."""
    try:
        return adapter.validate_json(body or b"{}")
    except ValidationError as invalid:
        raise WorldRefused(problem_in(invalid)) from None


def problem_in(invalid: ValidationError) -> str:
    """Return the first problem of a body as a sentence."""
    first = invalid.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or "The body"
    return f"{where}: {first['msg']}."


def find_chat(world: World, request: Request) -> LocalChat:
    """Return the chat whose key is in the request's path. Raises WorldRefused if there is none."""
    chat = world.chats.get(request.path_params["key"])
    if chat is None:
        raise WorldRefused(f"There is no chat {request.path_params['key']}.", 404)
    return chat


def find_person(world: World, id_: int) -> Person:
    """Return the person with this id. Raises WorldRefused if there is none."""
    person = world.people.person(id_)
    if person is None:
        raise WorldRefused(f"There is no person {id_}.", 404)
    return person


def find_bot(world: World, id_: int) -> Bot:
    """Return the bot with this id. Raises WorldRefused if there is none."""
    bot = world.people.bot(id_)
    if bot is None:
        raise WorldRefused(f"There is no bot {id_}.", 404)
    return bot


def _group(world: World, request: Request) -> LocalChat:
    chat = find_chat(world, request)
    if not chat.is_group:
        raise WorldRefused("This is a private chat: nobody can come or go.")
    return chat


def _host(chat: LocalChat) -> int | None:
    """Return the id of the person who acts if a request about a chat does not say who acts: the creator of a group, the
    person of a private chat, or else the first member. None if there is no such person.
    """
    return chat.creator or chat.person_id or next(iter(chat.members), None)
