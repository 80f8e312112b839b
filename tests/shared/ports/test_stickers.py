"""What serves the ports to stickers."""

import pytest

from shared.describing.known import KnownMedia
from shared.executing.stickers import OwnStickers
from shared.ports import stickers
from tests.shared.ports.serving import assert_serves


@pytest.mark.parametrize(
    ("port", "adapter"), [(stickers.StickerDescriptions, KnownMedia), (stickers.Stickers, OwnStickers)]
)
def test_an_adapter_takes_the_calls_of_its_port(port: type, adapter: type) -> None:
    assert_serves(port, adapter)
