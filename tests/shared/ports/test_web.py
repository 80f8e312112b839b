"""The adapters serve the whole of their ports."""

import pytest

from shared.adapters.media_reader import HttpMediaReader
from shared.adapters.parsing.extractor import ChildExtractor
from shared.adapters.parsing.preparer import ChildPreparer
from shared.adapters.reader import HttpReader
from shared.adapters.web.fetcher import WebFetcher
from shared.ports import web
from tests.shared.ports.serving import assert_serves


@pytest.mark.parametrize(
    ("port", "adapter"),
    [
        (web.PageReader, HttpReader),
        (web.Fetcher, WebFetcher),
        (web.Extractor, ChildExtractor),
        (web.MediaPreparer, ChildPreparer),
        (web.MediaPreparer, HttpMediaReader),
        (web.VoiceEncoder, HttpMediaReader),
    ],
    ids=lambda kind: kind.__name__,
)
def test_an_adapter_takes_the_calls_of_its_port(port: type, adapter: type) -> None:
    assert_serves(port, adapter)
