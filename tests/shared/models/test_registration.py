"""What Telegram is told of a bot, held to Telegram's own specification."""

import pytest
from pydantic import TypeAdapter, ValidationError

from local.telegram.spec import bot_api
from shared.models.registration import MAX_CONNECTIONS, MenuScope, Registration, Webhook
from shared.models.wake import Wake


def test_no_more_connections_are_asked_for_than_telegram_opens() -> None:
    assert 1 <= MAX_CONNECTIONS <= 100


def test_scopes_are_spelled_as_telegram_spells_them() -> None:
    kinds = {name.removeprefix("BotCommandScope").lower() for name in bot_api().types}
    assert {scope.value.replace("_", "") for scope in MenuScope} <= kinds


def test_an_order_to_register_is_no_wake_and_names_a_function() -> None:
    order: TypeAdapter[Wake | Registration] = TypeAdapter(Wake | Registration)
    found = order.validate_python({"job": "register", "webhook_url": "https://w-x.a.run.app"})
    assert isinstance(found, Registration)
    for wrong in (
        {"job": "register"},
        {"job": "sweep", "webhook_url": "https://w"},
        {"job": "register", "webhook_url": "w"},
    ):
        with pytest.raises(ValidationError):
            order.validate_python(wrong)


def test_a_webhooks_secret_is_not_shown() -> None:
    assert "hush" not in repr(Webhook(url="https://w", secret="hush", allowed_updates=()))
