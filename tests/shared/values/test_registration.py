"""Webhooks and menus have the limits and names of Telegram's own specification."""

from local.telegram.spec import bot_api
from shared.values.registration import MAX_CONNECTIONS, MenuScope, Webhook


def test_no_more_connections_are_asked_for_than_telegram_opens() -> None:
    assert 1 <= MAX_CONNECTIONS <= 100


def test_scopes_are_spelled_as_telegram_spells_them() -> None:
    kinds = {name.removeprefix("BotCommandScope").lower() for name in bot_api().types}
    assert {scope.value.replace("_", "") for scope in MenuScope} <= kinds


def test_a_webhooks_secret_is_not_shown() -> None:
    assert "hush" not in repr(Webhook(url="https://w", secret="hush", allowed_updates=()))
