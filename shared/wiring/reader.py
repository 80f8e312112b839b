"""Builds what the reader function needs. It has no secret and no database, and calls no other function."""

from functools import cache

from shared.reader.jobs.read_page import PageReader
from shared.reader.sandbox.extractor import SandboxedExtractor
from shared.reader.sandbox.prepared_frames import prepared_frame as framed
from shared.reader.sandbox.preparer import SandboxedPreparer, decoders
from shared.reader.targets import HostRules
from shared.reader.web.fetcher import WebFetcher
from shared.wiring import begin, now
from shared.wiring.settings import ReaderSettings

__all__ = ["SETTINGS", "framed", "page_reader", "preparer"]

SETTINGS = begin(ReaderSettings)


@cache
def page_reader() -> PageReader:
    """Return the reader of pages; made once per instance."""
    rules = HostRules(
        only=SETTINGS.reader_hosts, refused=SETTINGS.reader_refused_hosts, private=SETTINGS.reader_private_hosts
    )
    fetcher = WebFetcher(rules=rules, user_agent=SETTINGS.reader_user_agent, clock=now)
    return PageReader(fetcher=fetcher, extractor=SandboxedExtractor())


@cache
def preparer() -> SandboxedPreparer:
    """Return the decoder of files; made once per instance. Its process starts with the first file."""
    return SandboxedPreparer(decoders(longest_s=SETTINGS.reader_longest_s))
