"""The adapters serve the whole of their ports."""

from shared.executing.making import FileMaker
from shared.ports.media import Maker
from tests.shared.ports.serving import assert_serves


def test_an_agents_maker_takes_the_calls_of_its_port() -> None:
    assert_serves(Maker, FileMaker)
