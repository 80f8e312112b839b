"""Methods for a bot's webhook: setWebhook, deleteWebhook, getWebhookInfo."""

import ipaddress
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import SplitResult, urlsplit

from local.telegram.errors import bad_request
from local.telegram.methods.request import Method, MethodAnswer, MethodRequest
from local.telegram.people import Bot, BotWebhook
from local.telegram.spec import bot_api
from local.telegram.updates import ONLY_IF_ASKED
from local.telegram.wire import Json, present

_SECRET = re.compile(r"[A-Za-z0-9_-]*")
MAX_SECRET = 256
DEFAULT_CONNECTIONS = 40
MAX_CONNECTIONS = 100
_PORTS = (443, 80, 88, 8443)


def set_webhook(request: MethodRequest) -> MethodAnswer:
    """From now on, post the bot's updates to this address. An empty address removes the webhook."""
    params = request.params
    if not params.get("url"):
        return delete_webhook(request)
    webhook = _webhook(params)
    if params.get("drop_pending_updates"):
        request.world.updates.clear(request.bot.id)
    allowed = allowed_updates(request.bot, params.get("allowed_updates"))
    is_same = _is_same(request.bot.webhook, webhook) and not params.get("drop_pending_updates")
    kept = request.bot.webhook if is_same else webhook
    bot = request.world.people.keep_bot(replace(request.bot, webhook=kept, allowed_updates=allowed))
    if is_same:
        return MethodAnswer(result=True, description="Webhook is already set")
    request.deliveries.start(bot)
    return MethodAnswer(result=True, description="Webhook was set")


def delete_webhook(request: MethodRequest) -> MethodAnswer:
    """Stop posting the bot's updates. Pending updates stay, unless `drop_pending_updates` is set."""
    was_set = request.bot.webhook is not None
    if request.params.get("drop_pending_updates"):
        request.world.updates.clear(request.bot.id)
    request.deliveries.remove(request.bot.id)
    return MethodAnswer(result=True, description="Webhook was deleted" if was_set else "Webhook is already deleted")


def get_webhook_info(request: MethodRequest) -> Json:
    """Return the state of the bot's webhook as a `WebhookInfo`; `url` is empty if there is no webhook."""
    bot = request.bot
    webhook = bot.webhook or BotWebhook(url="")
    info = {
        "url": webhook.url,
        "has_custom_certificate": False,
        "pending_update_count": request.world.updates.count(bot.id),
    }
    allowed = {} if bot.allowed_updates is None else {"allowed_updates": list(bot.allowed_updates)}
    if not webhook.url:
        return info | allowed
    known = present(
        max_connections=webhook.max_connections,
        ip_address=webhook.ip_address,
        last_error_date=webhook.last_error_date,
        last_error_message=webhook.last_error_message,
    )
    return info | known | allowed


def allowed_updates(bot: Bot, asked: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return the kinds of update that a bot gets from now on (None for Telegram's default). If `asked` is None, the
    current kinds are kept; an empty list means Telegram's default.
    """
    if asked is None:
        return bot.allowed_updates
    kinds = [field.name for field in bot_api().types["Update"] if field.name != "update_id"]
    wanted = {kind.lower() for kind in asked}
    chosen = tuple(kind for kind in kinds if kind in wanted)
    return None if not chosen or set(chosen) == set(kinds) - ONLY_IF_ASKED else chosen


def _webhook(params: Mapping[str, object]) -> BotWebhook:
    url, secret = str(params["url"]), str(params.get("secret_token", ""))
    _check_address(url)
    if len(secret) > MAX_SECRET:
        raise bad_request("secret token is too long")
    if not _SECRET.fullmatch(secret):
        raise bad_request("secret token contains unallowed characters")
    asked = params.get("max_connections", DEFAULT_CONNECTIONS)
    connections = min(max(asked if isinstance(asked, int) else DEFAULT_CONNECTIONS, 1), MAX_CONNECTIONS)
    address = params.get("ip_address") or ("127.0.0.1" if _is_loopback(urlsplit(url).hostname) else None)
    return BotWebhook(
        url=url, secret_token=secret, max_connections=connections, ip_address=str(address) if address else None
    )


def _check_address(url: str) -> None:
    """Raise BotApiError unless the address is HTTPS on one of four ports. An address on this machine may be plain HTTP,
    on any port.
    """
    try:
        parts: SplitResult = urlsplit(url if "://" in url else f"https://{url}")
        port = parts.port
    except ValueError:
        raise bad_request("invalid webhook URL specified") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise bad_request("invalid webhook URL specified")
    if _is_loopback(parts.hostname):
        return
    if parts.scheme != "https":
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
    if (port or 443) not in _PORTS:
        raise bad_request("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443")


def _is_loopback(host: str | None) -> bool:
    if host == "localhost":
        return True
    try:
        return host is not None and ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_same(old: BotWebhook | None, new: BotWebhook) -> bool:
    return old is not None and replace(old, last_error_date=None, last_error_message=None) == new


METHODS: Mapping[str, Method] = {
    "setWebhook": set_webhook,
    "deleteWebhook": delete_webhook,
    "getWebhookInfo": get_webhook_info,
}
