"""The Bot API over HTTP: `/bot<token>/<method>` and `/file/bot<token>/<path>`."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from local.telegram.errors import BotApiError, bad_request
from local.telegram.files import MAX_DOWNLOAD_BYTES, file_id_for
from local.telegram.people import Bot, bot_id_of
from local.telegram.service import BotApi
from local.telegram.uploads import UploadedFile
from local.telegram.world import World

# The Bot API accepts files up to 50 MB. Larger requests are refused before they are read.
MAX_REQUEST_BYTES = 52 << 20


class BotApiFace:
    """Serves the Bot API: reads the HTTP requests of bots, and writes the responses."""

    def __init__(self, world: World, api: BotApi) -> None:
        self._world = world
        self._api = api

    def routes(self) -> list[Route]:
        """Return the routes for bots."""
        return [
            Route("/bot{token}/{method}", self._call, methods=["GET", "POST"]),
            Route("/file/bot{token}/{path:path}", self._download, methods=["GET"]),
        ]

    async def _call(self, request: Request) -> Response:
        try:
            bot = self._bot(request.path_params["token"])
            raw = await _parameters(request)
        except BotApiError as refused:
            return JSONResponse(refused.body, status_code=refused.code)
        reply = await self._api.call(bot, request.path_params["method"], raw)
        if reply.body is None:
            return CutConnection()
        wait = (reply.body.get("parameters") or {}).get("retry_after")
        headers = {"Retry-After": str(wait)} if wait else None
        return JSONResponse(dict(reply.body), status_code=reply.status, headers=headers)

    async def _download(self, request: Request) -> Response:
        try:
            bot = self._bot(request.path_params["token"])
        except BotApiError as refused:
            return JSONResponse(refused.body, status_code=refused.code)
        unique_id = request.path_params["path"].rpartition("/")[2].partition(".")[0]
        file = self._world.files.get(unique_id)
        is_there = file is not None and file.path == request.path_params["path"] and file.size <= MAX_DOWNLOAD_BYTES
        content = self._world.files.content(unique_id) if is_there else None
        if file is None or content is None or not self._world.files.find(file_id_for(file, bot.id), bot.id):
            return JSONResponse({"ok": False, "error_code": 404, "description": "Not Found"}, status_code=404)
        return Response(content, media_type="application/octet-stream")

    def _bot(self, token: str) -> Bot:
        if bot_id_of(token) is None:
            raise BotApiError(404, "Not Found")
        bot = self._world.people.bot_with(token)
        if bot is None:
            raise BotApiError(401, "Unauthorized")
        return bot


class CutConnection(Response):
    """A response that closes the connection without sending anything."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Abort uvicorn's transport and wait until it has noticed that the client is gone."""
        scope["lull.transport"].abort()
        while (await receive())["type"] != "http.disconnect":
            continue


async def _parameters(request: Request) -> Mapping[str, Any]:
    """Return the parameters from the address and the body, in any of the Bot API's formats."""
    if int(request.headers.get("content-length", "0")) > MAX_REQUEST_BYTES:
        raise BotApiError(413, "Request Entity Too Large")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    query = dict(request.query_params)
    if kind == "application/json":
        return query | _json_object(await request.body())
    if kind in ("application/x-www-form-urlencoded", "multipart/form-data"):
        return query | await _form(request)
    return query


def _json_object(body: bytes) -> dict[str, Any]:
    try:
        parsed = json.loads(body) if body.strip() else {}
        # A lone surrogate is valid JSON, but not valid text.
        json.dumps(parsed, ensure_ascii=False).encode()
    except UnicodeError:
        raise bad_request("strings must be encoded in UTF-8") from None
    except ValueError:
        raise bad_request("can't parse request JSON object") from None
    if not isinstance(parsed, dict):
        raise bad_request("JSON object expected as request")
    return parsed


async def _form(request: Request) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    async with request.form(max_part_size=MAX_REQUEST_BYTES) as form:
        for name, value in form.multi_items():
            fields[name] = await _upload(value) if isinstance(value, UploadFile) else value
    return fields


async def _upload(file: UploadFile) -> UploadedFile:
    kind = file.content_type or "application/octet-stream"
    return UploadedFile(name=file.filename or "file", mime_type=kind, content=await file.read())
