"""The adapters serve the whole of their ports."""

from shared.adapters.services.lookups import KeptLookups
from shared.ports import lookups
from tests.shared.ports.serving import assert_serves


def test_an_adapter_takes_the_calls_of_its_port() -> None:
    assert_serves(lookups.Lookups, KeptLookups)
