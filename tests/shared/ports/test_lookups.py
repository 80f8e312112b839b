"""The adapters serve the whole of their ports."""

import pytest

from shared.adapters.services.grounded_search import GroundedSearch, NoSearch
from shared.adapters.services.lookups import KeptLookups
from shared.adapters.services.searxng import SearXng
from shared.ports import lookups
from tests.shared.ports.serving import assert_serves
from tests.shared.values import NOW, SECOND


def test_an_adapter_takes_the_calls_of_its_port() -> None:
    assert_serves(lookups.Lookups, KeptLookups)


@pytest.mark.parametrize("adapter", [GroundedSearch, SearXng, NoSearch])
def test_whatever_searches_takes_the_calls_of_its_port(adapter: type) -> None:
    assert_serves(lookups.WebSearch, adapter)


def test_the_age_of_what_a_service_said_is_told_at_any_moment() -> None:
    assert lookups.LookedUp(text="3°C", at=NOW).age(NOW + SECOND) == SECOND
