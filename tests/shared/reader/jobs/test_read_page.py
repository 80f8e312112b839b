"""A page from its address to its text."""

from datetime import UTC, datetime

import pytest

from shared.reader.jobs.read_page import PageReader, read_page
from shared.reader.sandbox.extractor import SandboxedExtractor, page_parsers
from shared.reader.targets import INSIDE, HostRules
from shared.reader.web.fetcher import WebFetcher
from shared.values.page import PageKind
from tests.shared.reader.web.hostile import hostile_server


async def test_an_address_becomes_a_text_or_a_sentence(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    with hostile_server() as hostile:
        rules, extractor = HostRules(private={hostile.host}), SandboxedExtractor(page_parsers(at_once=1))
        fetcher = WebFetcher(rules=rules, user_agent="t", clock=lambda: datetime.now(UTC))
        reading = PageReader(fetcher=fetcher, extractor=extractor)
        hop = hostile.url("/hop")
        page = await read_page(reading, hop, is_automatic=False)
        video = await read_page(reading, hostile.url("/video"), is_automatic=False)
        inside = await read_page(reading, "http://10.0.0.1/", is_automatic=False)
        nested = await read_page(reading, hostile.url("/nested"), is_automatic=False)
        await extractor.aclose()
    assert (page.asked, page.url, page.title, page.kind) == (hop, hostile.url("/tea"), "Tea", PageKind.HTML)
    assert "80 degrees" in page.text
    assert (video.text, video.problem[:16]) == ("", "There is a video")
    assert (inside.problem, inside.url) == (INSIDE, "")
    assert nested.text or nested.problem.endswith(".")
    assert hostile.host not in caplog.text
    assert "80 degrees" not in caplog.text
