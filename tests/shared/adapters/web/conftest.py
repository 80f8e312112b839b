"""One hostile server for all tests of this folder."""

from collections.abc import Iterator

import pytest

from tests.shared.adapters.web.hostile import HostileServer, hostile_server


@pytest.fixture(scope="package")
def hostile() -> Iterator[HostileServer]:
    """A server on this machine."""
    with hostile_server() as server:
        yield server
