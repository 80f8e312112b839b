"""Each adapter serves its whole port."""

import pytest

from shared.adapters.gemini.model import GeminiModel
from shared.adapters.telegram.bot import TelegramAccount, TelegramChannel
from shared.ports import world
from tests.shared.ports.serving import assert_serves

SERVED = [
    (world.Model, GeminiModel),
    (world.Channel, TelegramChannel),
    (world.BotAccount, TelegramAccount),
]


@pytest.mark.parametrize(("port", "adapter"), SERVED, ids=lambda kind: kind.__name__)
def test_an_adapter_takes_the_calls_of_its_port(port: type, adapter: type) -> None:
    assert_serves(port, adapter)
