"""Each adapter serves its whole port."""

import pytest

from shared.adapters.gemini import GeminiModel
from shared.adapters.telegram import TelegramChannel
from shared.adapters.telegram_account import TelegramAccount
from shared.ports import outside
from tests.shared.ports.serving import assert_serves

SERVED = [
    (outside.Model, GeminiModel),
    (outside.Channel, TelegramChannel),
    (outside.BotAccount, TelegramAccount),
]


@pytest.mark.parametrize(("port", "adapter"), SERVED, ids=lambda kind: kind.__name__)
def test_an_adapter_takes_the_calls_of_its_port(port: type, adapter: type) -> None:
    assert_serves(port, adapter)
