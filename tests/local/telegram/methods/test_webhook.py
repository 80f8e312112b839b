import pytest
from telegram.error import Conflict

from tests.local.telegram.receiver import Receiver
from tests.local.telegram.scene import Scene

LOCAL = "http://127.0.0.1:9/hook"


async def test_a_webhook_is_set_described_and_removed(sandbox: Scene) -> None:
    first = await sandbox.raw_call("setWebhook", url=LOCAL, secret_token="s", max_connections=7)
    assert first == {"ok": True, "result": True, "description": "Webhook was set"}
    again = await sandbox.raw_call("setWebhook", url=LOCAL, secret_token="s", max_connections=7)
    assert again["description"] == "Webhook is already set"
    info = await sandbox.bot.get_webhook_info()
    assert (info.url, info.max_connections, info.ip_address) == (LOCAL, 7, "127.0.0.1")
    assert info.pending_update_count == 0
    await sandbox.call("getWebhookInfo")
    assert (await sandbox.raw_call("deleteWebhook"))["description"] == "Webhook was deleted"
    assert (await sandbox.raw_call("setWebhook", url=""))["description"] == "Webhook is already deleted"
    assert (await sandbox.bot.get_webhook_info()).url == ""


@pytest.mark.parametrize(
    ("params", "reason"),
    [
        ({"url": "http://x.example/hook"}, "bad webhook: An HTTPS URL must be provided for webhook"),
        (
            {"url": "https://x.example:8444/hook"},
            "bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443",
        ),
        ({"url": "ftp://x.example/hook"}, "invalid webhook URL specified"),
        ({"url": "http://127.0.0.1:x/hook"}, "invalid webhook URL specified"),
        ({"url": LOCAL, "secret_token": "no spaces"}, "secret token contains unallowed characters"),
        ({"url": LOCAL, "secret_token": "x" * 257}, "secret token is too long"),
    ],
)
async def test_a_webhook_that_telegram_would_not_take(sandbox: Scene, params: dict[str, str], reason: str) -> None:
    assert await sandbox.error("setWebhook", **params) == (400, f"Bad Request: {reason}")
    assert (await sandbox.bot.get_webhook_info()).url == ""


@pytest.mark.parametrize("url", ["https://x.example/hook", "https://x.example:8443/hook", "http://localhost:1/hook"])
async def test_a_webhook_that_it_would(sandbox: Scene, url: str) -> None:
    assert await sandbox.bot.set_webhook(url)


async def test_max_connections_are_held_to_their_bounds(sandbox: Scene) -> None:
    for asked, given in ((0, 1), (500, 100)):
        await sandbox.call("setWebhook", url=LOCAL, max_connections=asked)
        assert (await sandbox.bot.get_webhook_info()).max_connections == given


async def test_allowed_updates_stay_until_they_are_changed(sandbox: Scene) -> None:
    await sandbox.bot.set_webhook(LOCAL, allowed_updates=["message_reaction", "message", "nonsense"])
    assert (await sandbox.bot.get_webhook_info()).allowed_updates == ("message", "message_reaction")
    await sandbox.bot.delete_webhook()
    await sandbox.bot.set_webhook(LOCAL)
    assert (await sandbox.bot.get_webhook_info()).allowed_updates == ("message", "message_reaction")
    await sandbox.bot.set_webhook(LOCAL, allowed_updates=[])
    assert (await sandbox.bot.get_webhook_info()).allowed_updates == ()


async def test_pending_updates_can_be_dropped(sandbox: Scene, webhook: Receiver) -> None:
    await sandbox.say(sandbox.private, sandbox.ann, "old")
    assert (await sandbox.bot.get_webhook_info()).pending_update_count == 1
    await sandbox.bot.set_webhook(webhook.url, drop_pending_updates=True)
    await sandbox.say(sandbox.private, sandbox.ann, "new")
    await webhook.until_count(1)
    assert webhook.texts() == ["new"]
    await sandbox.bot.delete_webhook(drop_pending_updates=True)
    assert await sandbox.updates() == []


async def test_a_webhook_ends_polling(sandbox: Scene) -> None:
    await sandbox.bot.set_webhook(LOCAL)
    with pytest.raises(Conflict, match="can't use getUpdates method while webhook is active"):
        await sandbox.bot.get_updates()
