"""A small world for tests: one bot, two people, their chats, and actions from outside."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from telegram import Bot
from telegram.request import HTTPXRequest

from local.telegram.serving import LocalTelegram, serve
from local.telegram.settings import TelegramSettings
from local.telegram.spec import bot_api, problems

Json = dict[str, Any]
TOKEN = "7000000001:AAbcdefghijklmnopqrstuvwxyz012345"
OTHER_TOKEN = "7000000002:BBbcdefghijklmnopqrstuvwxyz012345"
FAST = TelegramSettings(clock_scale=0.01)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """Marvin the bot, Ann and Bob, and Ann's private chat with Marvin."""

    telegram: LocalTelegram
    http: httpx.AsyncClient
    bot: Bot
    marvin: int
    ann: int
    bob: int
    private: str

    async def act(self, method: str, path: str, body: object = None) -> Json:
        """Make a call of the World API that must succeed."""
        response = await self.http.request(method, path, json=body)
        assert response.status_code == 200, (path, response.text)
        answer: Json = response.json()
        return answer

    async def refused(self, method: str, path: str, body: object = None) -> str:
        """Make a call of the World API that must be refused, and return the sentence of the refusal."""
        response = await self.http.request(method, path, json=body)
        assert 400 <= response.status_code < 500, (path, response.text)
        sentence = response.json()["error"]
        assert sentence.endswith(".")
        return str(sentence)

    async def say(self, chat: str, who: int, text: str, **more: object) -> Json:
        """Write a message as a person."""
        return await self.act("POST", f"/world/chats/{chat}/messages", {"from": who, "text": text, **more})

    async def group(self, **more: object) -> Json:
        """Make a supergroup of Ann (its creator), Bob and Marvin."""
        plan = {"type": "supergroup", "title": "Team", "members": [self.ann, self.bob], "bots": [self.marvin]}
        return await self.act("POST", "/world/chats", plan | more)

    async def call(self, method: str, token: str = TOKEN, **params: object) -> Any:
        """Call the Bot API; the call must succeed, and its answer must match the specification."""
        answer = await self.raw_call(method, token, **params)
        assert answer["ok"] is True, answer
        assert problems(answer["result"], bot_api().returns[method.lower()], method) == []
        return answer["result"]

    async def error(self, method: str, token: str = TOKEN, **params: object) -> tuple[int, str]:
        """Call the Bot API; it must be refused. Returns the code and the description."""
        answer = await self.raw_call(method, token, **params)
        assert answer["ok"] is False, answer
        return answer["error_code"], answer["description"]

    async def raw_call(self, method: str, token: str = TOKEN, **params: object) -> Json:
        """Call the Bot API with a JSON body."""
        response = await self.http.post(f"/bot{token}/{method}", json=params)
        answer: Json = response.json()
        assert answer["ok"] is (response.status_code == 200)
        return answer

    async def updates(self, token: str = TOKEN, **params: object) -> list[Json]:
        """Fetch and confirm the bot's pending updates, each checked against the specification."""
        pending: list[Json] = await self.call("getUpdates", token, **params)
        if pending:
            await self.call("getUpdates", token, offset=pending[-1]["update_id"] + 1)
        return pending

    async def kinds(self, token: str = TOKEN) -> list[str]:
        """Fetch the bot's pending updates, and list their kinds."""
        return [kind for update in await self.updates(token) for kind in update if kind != "update_id"]

    async def polled(self) -> None:
        """Wait until a request waits for the bot's updates."""
        await eventually(lambda: self.telegram.world.updates.is_awaited(self.marvin))

    async def events(self, after: int = 0) -> list[Mapping[str, Any]]:
        """List the events after this one."""
        return self.telegram.world.events.after(after)


async def eventually(is_so: Callable[[], bool]) -> None:
    """Wait up to half a minute until the condition is true."""
    for _ in range(3_000):
        if is_so():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came to be so")


@asynccontextmanager
async def scene(settings: TelegramSettings = FAST) -> AsyncIterator[Scene]:
    """Make a scene on its own server, without pending updates."""
    async with (
        serve(settings) as telegram,
        httpx.AsyncClient(base_url=telegram.url, trust_env=False, verify=False) as http,
        client(telegram, await _make_bot(http)) as bot,
    ):
        ann = await _made(http, "people", {"first_name": "Ann", "last_name": "Ångström", "username": "ann_a"})
        bob = await _made(http, "people", {"first_name": "Боб", "language_code": "ru"})
        chat = {"type": "private", "person_id": ann["id"], "bot_id": bot.id}
        private = await _made(http, "chats", chat)
        yield Scene(
            telegram=telegram,
            http=http,
            bot=bot,
            marvin=bot.id,
            ann=ann["id"],
            bob=bob["id"],
            private=private["key"],
        )


def client(telegram: LocalTelegram, token: str) -> Bot:
    """Make a client of python-telegram-bot for this server."""
    requests = [HTTPXRequest(httpx_kwargs={"verify": False, "trust_env": False}) for _ in range(2)]
    return Bot(
        token,
        base_url=telegram.bot_api_url,
        base_file_url=telegram.file_url,
        request=requests[0],
        get_updates_request=requests[1],
    )


async def _make_bot(http: httpx.AsyncClient) -> str:
    await _made(http, "bots", {"token": TOKEN, "first_name": "Marvin", "username": "marvin_test_bot"})
    return TOKEN


async def _made(http: httpx.AsyncClient, what: str, body: object) -> Json:
    response = await http.post(f"/world/{what}", json=body)
    assert response.status_code == 200, response.text
    made: Json = response.json()
    return made
