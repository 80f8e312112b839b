"""Each adapter serves its whole port."""

import pytest

from shared.adapters.firestore.summaries import FirestoreSummaries
from shared.ports import summaries
from tests.shared.ports.serving import assert_serves


@pytest.mark.parametrize("port", [summaries.Summaries, summaries.ShownSummaries])
def test_an_adapter_takes_the_calls_of_its_port(port: type) -> None:
    assert_serves(port, FirestoreSummaries)
