"""Executes calls of Bot API methods. Applies the faults that tests requested, saves the changes, and logs the calls."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from local.telegram.calls import LoggedCall
from local.telegram.errors import BotApiError, bad_request, too_many_requests
from local.telegram.faults import TelegramFault, TelegramFaultKind
from local.telegram.methods.registry import METHODS
from local.telegram.methods.request import MethodAnswer, MethodRequest
from local.telegram.numerals import whole_number
from local.telegram.parameters import parse_parameters
from local.telegram.people import Bot
from local.telegram.polling import Polls
from local.telegram.spec import bot_api
from local.telegram.uploads import UploadedFile
from local.telegram.webhooks import WebhookDeliveries
from local.telegram.world import World


@dataclass(frozen=True, kw_only=True)
class CallReply:
    """The response to a call. A `body` of None means that the connection is to be closed without a response."""

    status: int
    body: Mapping[str, Any] | None


class BotApi:
    """Serves the calls of bots, including the calls that webhooks put into their responses."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._polls = Polls()
        self.deliveries = WebhookDeliveries(world, self._run_from_webhook)

    async def call(self, bot: Bot, method: str, raw: Mapping[str, Any]) -> CallReply:
        """Execute one call, save the changes, and log the call. A fault that a test requested is applied."""
        fault = self._world.faults.take(method, bot.id, _chat_id(raw))
        reply = await self._answer(bot, method, raw, fault)
        self._world.save()
        self._record(bot, method, raw, reply)
        return (
            CallReply(status=reply.status, body=None) if fault and fault.kind is TelegramFaultKind.CUT_AFTER else reply
        )

    async def close(self) -> None:
        """Stop the deliveries to webhooks."""
        await self.deliveries.close()

    async def _answer(self, bot: Bot, method: str, raw: Mapping[str, Any], fault: TelegramFault | None) -> CallReply:
        if fault is not None and fault.kind is TelegramFaultKind.CUT_BEFORE:
            return CallReply(status=0, body=None)
        if fault is not None and fault.kind is TelegramFaultKind.SLOW:
            await asyncio.sleep(fault.seconds)
        try:
            _raise_fault(fault)
            result = await self._execute(bot, method, raw)
        except BotApiError as refused:
            return CallReply(status=refused.code, body=refused.body)
        if isinstance(result, MethodAnswer):
            return CallReply(status=200, body={"ok": True, "result": result.result, "description": result.description})
        return CallReply(status=200, body={"ok": True, "result": result})

    async def _execute(self, bot: Bot, method: str, raw: Mapping[str, Any]) -> object:
        name = method.lower()
        if name not in bot_api().methods:
            raise BotApiError(404, "Not Found")
        handler = METHODS.get(name)
        if handler is None and name != "getupdates":
            raise bad_request(f"the local server does not have {bot_api().names[name]}")
        params = parse_parameters(name, raw)
        bot = self._world.people.bot(bot.id) or bot
        request = MethodRequest(world=self._world, deliveries=self.deliveries, bot=bot, params=params)
        if handler is None:
            return await self._polls.get_updates(request)
        if name == "setwebhook" and params.get("url"):
            self._polls.end(bot.id)
        return handler(request)

    async def _run_from_webhook(self, bot: Bot, call: Mapping[str, Any]) -> None:
        await self.call(bot, call["method"], {name: value for name, value in call.items() if name != "method"})

    def _record(self, bot: Bot, method: str, raw: Mapping[str, Any], reply: CallReply) -> None:
        body = reply.body or {}
        params = {name: len(one.content) if isinstance(one, UploadedFile) else one for name, one in raw.items()}
        call = LoggedCall(
            n=self._world.calls.next_number(),
            bot_id=bot.id,
            method=bot_api().names.get(method.lower(), method),
            params=params,
            status=reply.status,
            ok=bool(body.get("ok")),
            description=body.get("description"),
            at=self._world.now(),
        )
        self._world.calls.add(call)


def _raise_fault(fault: TelegramFault | None) -> None:
    match fault.kind if fault else None:
        case TelegramFaultKind.REFUSED:
            raise bad_request(fault.why if fault else "")
        case TelegramFaultKind.TOO_MANY:
            raise too_many_requests(fault.retry_after if fault else 0)
        case TelegramFaultKind.SERVER_ERROR:
            raise BotApiError(500, "Internal Server Error")
        case TelegramFaultKind.BAD_GATEWAY:
            raise BotApiError(502, "Bad Gateway")
        case _:
            return


def _chat_id(raw: Mapping[str, Any]) -> int | None:
    return whole_number(raw.get("chat_id"))
