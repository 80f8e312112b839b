"""What makes files serves the whole of its port."""

from shared.executing.making import FileMaker
from shared.ports.world import Maker
from tests.shared.ports.serving import assert_serves


def test_an_agents_maker_takes_the_calls_of_its_port() -> None:
    assert_serves(Maker, FileMaker)
