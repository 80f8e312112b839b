"""The routes for the page's side panel: how lull processed a message, the exact prompts, and the state of the model, of
the canary and of the personas.

`GET /inspect/chats/{key}?topic=&bot=&message=`, `GET /inspect/exchanges?trace=`, `GET /inspect/model`,
`GET /inspect/canary`, `GET /inspect/personas`.
If a part of the local cloud cannot be reached, the response is 200 with `{"unreachable": "a sentence"}`. With an error
status, the browser would log an error for each request while a part is still starting.
"""

import asyncio
import importlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from local.canary import newest_in, problem_in

if TYPE_CHECKING:
    from shared.upkeep.store.inspection import FirestoreInspection

#: timeout in seconds. It can be short: a prompt with pictures has some megabytes, which are transferred quickly on one
#: machine
MODEL_SERVER_SECONDS = 10.0

# at most 18 digits, since Firestore's integers have 64 bits
_PRIVATE = re.compile(r"p(?P<person>\d{1,18})-(?P<bot>\d{1,18})")
_GROUP = re.compile(r"g(?P<group>\d{1,18})")


@dataclass(frozen=True, kw_only=True)
class InspectSettings:
    """Addresses from which the panel gets its data. An empty address means that the part is not running."""

    project: str = ""
    firestore: str = ""
    model: str = ""
    scheduler: str = ""
    #: path of a file with the error in a persona; the file exists only while there is an error
    persona_problem: str = ""
    #: the id of each agent's bot, by agent
    bots: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class PageChat:
    """A chat as the page names it: Telegram's chat id, the topic (0 for none), and the bot if it is known."""

    chat_id: int
    topic_id: int
    bot_id: int | None


class InspectionFailed(Exception):
    """A part from which the panel reads does not answer. The text is shown to the person at the page."""


def settings_from(env: Mapping[str, str]) -> InspectSettings:
    """Return the settings that the supervisor of the local cloud passes to this process."""
    return InspectSettings(
        project=env.get("GOOGLE_CLOUD_PROJECT", ""),
        firestore=env.get("FIRESTORE_EMULATOR_HOST", ""),
        model=env.get("LULL_LOCAL_MODEL_URL", "").rstrip("/"),
        scheduler=env.get("LULL_LOCAL_SCHEDULER_URL", "").rstrip("/"),
        persona_problem=env.get("LULL_PERSONA_PROBLEM", ""),
        bots=json.loads(env.get("LULL_BOT_IDS") or "{}"),
    )


def routes(settings: InspectSettings | None = None) -> list[Route]:
    """Return the panel's routes, which are to be mounted under `/inspect`. Without `settings`, the settings are read
    from the environment.
    """
    inspector = Inspector(settings or settings_from(os.environ))
    return [
        Route("/chats/{key}", inspector.chat),
        Route("/exchanges", inspector.exchanges),
        Route("/model", inspector.model),
        Route("/canary", inspector.canary),
        Route("/personas", inspector.personas),
    ]


def place_of(key: str, topic: str | None, bot: str | None) -> PageChat | None:
    """Return the chat that the page names by `key`, or None if the key is invalid."""
    topic_id = int(topic) if topic and topic.isdecimal() else 0
    if match := _PRIVATE.fullmatch(key):
        return PageChat(chat_id=int(match["person"]), topic_id=topic_id, bot_id=int(match["bot"]))
    if match := _GROUP.fullmatch(key):
        return PageChat(
            chat_id=-int(match["group"]), topic_id=topic_id, bot_id=int(bot) if bot and bot.isdecimal() else None
        )
    return None


class Inspector:
    """Reads the data for the panel. Firestore's client is created with the first request, inside the running event
    loop.
    """

    def __init__(self, settings: InspectSettings) -> None:
        """Store the settings without opening a connection."""
        self._settings = settings
        self._store: FirestoreInspection | None = None

    async def chat(self, request: Request) -> Response:
        """Return how lull processed the message that the query parameter `message` names, or else the newest message of
        the chat.
        """
        query = request.query_params
        place = place_of(request.path_params["key"], query.get("topic"), query.get("bot"))
        message = query.get("message", "")
        if place is None:
            return JSONResponse({"error": "There is no such chat."}, status_code=404)
        try:
            return JSONResponse(await self._view(place, int(message) if message.isdecimal() else None))
        except InspectionFailed as reason:
            return _unreachable(str(reason))

    async def exchanges(self, request: Request) -> Response:
        """Return the prompts and replies of one trace."""
        trace = request.query_params.get("trace", "")
        if not self._settings.model or not trace:
            return JSONResponse({"exchanges": []})
        return await self._ask_model_server("/exchanges", {"trace": trace})

    async def model(self, _: Request) -> Response:
        """Return the state of the local model; the state is `unknown` if the part `model` is not running."""
        if not self._settings.model:
            return JSONResponse({"state": "unknown", "name": "", "note": ""})
        return await self._ask_model_server("/model", {})

    async def canary(self, _: Request) -> Response:
        """Return `problem`: a sentence about what failed in the newest canary (a test message that takes the same path
        as a person's), or "" if nothing failed.
        """
        if not self._settings.scheduler:
            return JSONResponse({"problem": ""})
        try:
            async with httpx.AsyncClient(timeout=MODEL_SERVER_SECONDS, trust_env=False) as client:
                jobs = (await client.get(f"{self._settings.scheduler}/jobs")).raise_for_status().json()
        except (httpx.HTTPError, ValueError):
            return _unreachable("The local scheduler does not answer. “make status” says whether it runs.")
        return JSONResponse({"problem": problem_in(newest_in(jobs))})

    async def personas(self, _: Request) -> Response:
        """Return `problem`: if a persona cannot be read, the file, the line (0 if unknown) and the reason; null if all
        personas can be read.
        """
        return JSONResponse({"problem": await asyncio.to_thread(_kept_in, Path(self._settings.persona_problem))})

    async def _ask_model_server(self, path: str, params: dict[str, str]) -> Response:
        try:
            async with httpx.AsyncClient(base_url=self._settings.model, timeout=MODEL_SERVER_SECONDS) as client:
                answer = await client.get(path, params=params)
                answer.raise_for_status()
        except httpx.HTTPError:
            return _unreachable("The model server of this machine does not answer. “make status” says whether it runs.")
        return Response(answer.content, media_type="application/json")

    async def _view(self, place: PageChat, message: int | None) -> dict[str, Any]:
        if not self._settings.firestore:
            raise InspectionFailed(
                "This server runs without Firestore, so lull’s activity cannot be shown. “make dev” starts all parts."
            )
        # Firestore's client takes seconds to import, so it is imported in a thread after the server has started.
        await asyncio.to_thread(importlib.import_module, "shared.upkeep.store.inspection")
        from shared.base.errors import PlanUnreadable, StoreRefused, StoreUnavailable

        try:
            return await self._read(place, message)
        except StoreUnavailable as cause:
            raise InspectionFailed(
                f"Firestore's emulator at {self._settings.firestore} does not answer, so lull’s activity cannot"
                " be shown. “make status” says whether it runs."
            ) from cause
        except StoreRefused as cause:
            raise InspectionFailed(f"Firestore's emulator refused the request: {cause}.") from cause
        except PlanUnreadable:  # the error itself is not shown, since its text would contain messages of people
            raise InspectionFailed(
                "Another version of lull wrote this chat's plan, so lull’s activity cannot be shown."
            ) from None

    async def _read(self, place: PageChat, message: int | None) -> dict[str, Any]:
        from local.page.panel_views import chat_view
        from shared.upkeep.reading import agent_in, inspect_chat
        from shared.values.chat_key import ChatKey

        store = self._inspection()
        agent = self._agent(place) or await agent_in(store, place.chat_id, place.topic_id, place.bot_id)
        if agent is not None:
            key = ChatKey(agent=agent, chat_id=place.chat_id, topic_id=place.topic_id)
            inspected = await inspect_chat(store, key, message)
            if inspected.chat or inspected.update:
                return chat_view(inspected)
        raise InspectionFailed("lull has read nothing in this chat yet.")

    def _agent(self, place: PageChat) -> str | None:
        """Return the agent whose bot is in the chat. If the bot is unknown, return the only agent, or None if there are
        several.
        """
        named = {bot: agent for agent, bot in self._settings.bots.items()}
        if place.bot_id is None:
            return next(iter(self._settings.bots)) if len(self._settings.bots) == 1 else None
        return named.get(place.bot_id)

    def _inspection(self) -> "FirestoreInspection":
        from shared.upkeep.store.inspection import FirestoreInspection

        if self._store is None:
            self._store = FirestoreInspection(self._settings.project)
        return self._store


def _kept_in(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # no persona has an error, or no file is configured
        return None


def _unreachable(sentence: str) -> Response:
    return JSONResponse({"unreachable": sentence})
