"""Fetching from a hostile server: limited, checked at each step, and every failure is a sentence."""

from datetime import UTC, datetime

import pytest

from shared.base.errors import FetchFailed
from shared.reader import reading_sentences as sentences
from shared.reader.targets import BAD_PORT, BAD_SHAPE, INSIDE, HostRules
from shared.reader.web.fetcher import MOST_REDIRECTS, WebFetcher
from tests.shared.reader.web.hostile import HELLO, HostileServer


def fetcher(hostile: HostileServer, whole_s: float = 20.0) -> WebFetcher:
    rules = HostRules(private={hostile.host})
    return WebFetcher(
        rules=rules, user_agent="lull-test/1 (tests)", clock=lambda: datetime(2026, 11, 23, tzinfo=UTC), whole_s=whole_s
    )


@pytest.mark.parametrize("path", ["/tea", "/gzip", "/deflate", "/raw-deflate", "/hop"])
async def test_a_page_is_fetched_however_it_is_packed(hostile: HostileServer, path: str) -> None:
    page = await fetcher(hostile).fetch(hostile.url(path), is_automatic=False)
    assert (page.body, page.content_type) == (HELLO, "text/html; charset=utf-8")
    assert page.url == hostile.url("/tea" if path == "/hop" else path)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/bomb", sentences.UNPACKS),
        ("/nested-bomb", sentences.UNKNOWN_PACKING),
        ("/brotli", sentences.UNKNOWN_PACKING),
        ("/no-gzip", sentences.BROKEN),
        ("/cut-short", sentences.BROKEN),
        ("/endless", sentences.TOO_LARGE.format(mib=20)),
        ("/large", sentences.TOO_LARGE.format(mib=20)),
        ("/headers", sentences.BROKEN),
        ("/loop", sentences.TOO_MANY_REDIRECTS.format(most=MOST_REDIRECTS)),
        ("/inside", INSIDE),
        ("/metadata", INSIDE),
        ("/other-port", BAD_PORT),
        ("/file", BAD_SHAPE),
        ("/video", "There is a video of 12.0 MiB, which cannot be read here."),
        ("/often", "The page says 429: it was asked too often. It asks to be left alone for 60 seconds."),
        ("/forbidden", "The page says 403: it may not be read."),
        ("/nowhere", "The page says 404: there is no such page."),
    ],
)
async def test_what_means_harm_is_a_sentence(hostile: HostileServer, path: str, why: str) -> None:
    with pytest.raises(FetchFailed) as failure:
        await fetcher(hostile).fetch(hostile.url(path), is_automatic=False)
    assert str(failure.value) == why


async def test_a_large_document_is_fetched_whatever_it_is_sent_as(hostile: HostileServer) -> None:
    body = b"%PDF-1.7" + bytes(12 * 1_048_576)
    hostile.pages["/plan"] = lambda page: page.say(200, body, "application/force-download")
    page = await fetcher(hostile).fetch(hostile.url("/plan"), is_automatic=False)
    assert page.body == body


async def test_a_redirect_in_letters_of_another_script_is_followed(hostile: HostileServer) -> None:
    page = await fetcher(hostile).fetch(hostile.url("/hop-utf8"), is_automatic=False)
    assert (page.body, page.url) == (HELLO, hostile.url("/%D1%87%D0%B0%D0%B9"))


async def test_a_page_that_never_ends_is_given_up(hostile: HostileServer) -> None:
    with pytest.raises(FetchFailed, match="did not come within 1 seconds"):
        await fetcher(hostile, 1.0).fetch(hostile.url("/drip"), is_automatic=False)


async def test_a_site_is_asked_for_its_rules_unless_a_person_wrote_the_address(hostile: HostileServer) -> None:
    with pytest.raises(FetchFailed) as failure:
        await fetcher(hostile).fetch(hostile.url("/private"), is_automatic=True)
    assert str(failure.value) == sentences.ROBOTS
    assert (await fetcher(hostile).fetch(hostile.url("/private"), is_automatic=False)).body == HELLO
    assert (await fetcher(hostile).fetch(hostile.url("/tea"), is_automatic=True)).body == HELLO


async def test_the_reader_says_who_it_is_and_sends_nothing_else(hostile: HostileServer) -> None:
    await fetcher(hostile).fetch(hostile.url("/tea"), is_automatic=False)
    headers = next(headers for path, headers in reversed(hostile.asked) if path == "/tea")
    assert headers["User-Agent"] == "lull-test/1 (tests)"
    assert headers.keys() == {"Host", "User-Agent", "Accept", "Accept-Encoding", "Connection"}


async def test_nobody_there_is_a_sentence(hostile: HostileServer) -> None:
    rules = HostRules(private={"127.0.0.1:1"})
    gone = WebFetcher(rules=rules, user_agent="t", clock=lambda: datetime.now(UTC))
    with pytest.raises(FetchFailed) as failure:
        await gone.fetch("http://127.0.0.1:1/", is_automatic=False)
    assert str(failure.value) == sentences.NOT_REACHED


async def test_a_host_that_cannot_prove_who_it_is_is_not_read(hostile: HostileServer) -> None:
    with pytest.raises(FetchFailed):
        await fetcher(hostile).fetch(f"https://{hostile.host}/tea", is_automatic=False)
