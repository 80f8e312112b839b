"""The World API's routes for observing and disturbing the world: events, calls, queues, raw updates and faults."""

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from local.telegram import acts
from local.telegram.chats import group_key, private_key
from local.telegram.errors import WorldRefused
from local.telegram.faults import TelegramFault
from local.telegram.numerals import whole_number
from local.telegram.people import Bot
from local.telegram.service import BotApi
from local.telegram.updates import DAY_SECONDS, LaneKind, News
from local.telegram.world import World
from local.telegram.world_api import WorldFace, body_of, find_bot


class WatchFace:
    """Serves the routes by which the page and tests observe the world, and by which tests cause updates and faults."""

    def __init__(self, world: World, face: WorldFace, api: BotApi) -> None:
        self._world = world
        self._face = face
        self._api = api

    def routes(self) -> list[Route]:
        """Return the routes for events, calls, queues, updates and faults."""
        route = self._face.route
        return [
            route("GET", "/world/events", self._follow),
            route("GET", "/world/calls", self._calls),
            route("GET", "/world/bots/{id:int}/queue", self._queue),
            route("POST", "/world/bots/{id:int}/updates", self._inject),
            route("POST", "/world/faults", self._add_fault),
            route("DELETE", "/world/faults", self._clear_faults),
        ]

    async def _follow(self, request: Request) -> Response:
        asked = request.headers.get("last-event-id") or request.query_params.get("after") or str(self._world.events.seq)
        after = whole_number(asked)
        if after is None:
            raise WorldRefused("`after` must be the number of an event.")
        headers = {"Cache-Control": "no-store"}
        return StreamingResponse(self._stream(after), media_type="text/event-stream", headers=headers)

    async def _stream(self, after: int) -> AsyncIterator[str]:
        yield ": following\n\n"
        async for event in self._world.events.follow(after):
            if event is None:
                yield ": still here\n\n"
            else:
                yield f"id: {event['seq']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n"

    async def _calls(self, request: Request) -> dict[str, Any]:
        asked = request.query_params
        calls = self._world.calls.after(whole_number(asked.get("after")) or 0, asked.get("method", ""))
        return {"calls": [{name: one for name, one in asdict(call).items() if one is not None} for call in calls]}

    async def _queue(self, request: Request) -> dict[str, Any]:
        bot = find_bot(self._world, request.path_params["id"])
        lanes = self._api.deliveries.lanes(bot.id)
        queues: dict[int, dict[str, Any]] = {}
        for update in self._world.updates.pending(bot.id):
            lane = lanes.get(update.lane)
            tried = {"tries": lane.tries.failures if lane else 0, "last_error": lane.last_error if lane else None}
            queue = queues.setdefault(update.lane, {"queue": update.lane, "chat": update.chat, "updates": [], **tried})
            queue["updates"].append(update.update_id)
        return {"pending": self._world.updates.count(bot.id), "queues": list(queues.values())}

    async def _inject(self, request: Request) -> dict[str, Any]:
        bot, new = find_bot(self._world, request.path_params["id"]), await body_of(request, acts.RawUpdate)
        update_id = new.update.get("update_id", 1)
        if not isinstance(update_id, int) or update_id < 1:
            raise WorldRefused("update_id must be a positive number.")
        update = self._world.updates.inject(bot, new.update, _news_in(self._world, bot, new.update))
        return {"update_id": update.update_id}

    async def _add_fault(self, request: Request) -> dict[str, Any]:
        new = await body_of(request, acts.NewFault)
        self._world.faults.add(TelegramFault(**new.model_dump()))
        return {}

    async def _clear_faults(self, request: Request) -> dict[str, Any]:
        self._world.faults.clear()
        return {}


def _news_in(world: World, bot: Bot, raw: Mapping[str, Any]) -> News:
    """Return a raw update as an event for the bot. The event's lane is that of the update's chat or, without a chat,
    that of its sender.
    """
    kind = next((name for name in raw if name != "update_id"), "unknown")
    content = raw.get(kind)
    content = content if isinstance(content, dict) else {}
    inner = content.get("message")
    message = inner if isinstance(inner, dict) else content
    chat_id = _id_in(message.get("chat"))
    date = message.get("edit_date") or message.get("date")
    known = private_key(chat_id, bot.id) if chat_id > 0 else group_key(chat_id)
    id_ = message.get("message_id")
    return News(
        kind=kind,
        content=content,
        lane=_lane(kind).of(chat_id or _id_in(content.get("from"))),
        expires_at=(date if isinstance(date, int) else world.now()) + DAY_SECONDS,
        chat=known if world.chats.get(known) else None,
        message_id=id_ if isinstance(id_, int) else None,
    )


def _lane(kind: str) -> LaneKind:
    lanes = {
        "callback_query": LaneKind.CALLBACK_QUERIES,
        "my_chat_member": LaneKind.MY_CHAT_MEMBER,
        "chat_member": LaneKind.CHAT_MEMBER,
        "message_reaction": LaneKind.REACTIONS,
    }
    return lanes.get(kind, LaneKind.MESSAGES)


def _id_in(value: object) -> int:
    id_ = value.get("id") if isinstance(value, dict) else None
    return id_ if isinstance(id_, int) else 0
