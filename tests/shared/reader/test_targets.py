"""Addresses that may be fetched: odd ones are refused before a name is resolved."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.errors import FetchFailed
from shared.reader.targets import (
    BAD_PORT,
    BAD_SHAPE,
    CREDENTIALS,
    INSIDE,
    NOT_ALLOWED,
    ODD,
    HostRules,
    redirect_target,
    target_in,
)
from tests.shared.examples import PROPERTY

OPEN = HostRules()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://localhost/", INSIDE),
        ("http://LOCALHOST./", INSIDE),
        ("http://a.localhost/", INSIDE),
        ("http://127.0.0.1/", INSIDE),
        ("http://127.0.0.1./", INSIDE),
        ("http://127.1/", ODD),
        ("http://0/", ODD),
        ("http://2130706433/", ODD),
        ("http://0x7f000001/", ODD),
        ("http://0177.0.0.1/", ODD),
        ("http://0o177.0.0.1/", ODD),
        ("http://127.0.0.1.1/", ODD),
        ("http://①②⑦.⓪.⓪.①/", INSIDE),
        ("http://１２７.0.0.1/", INSIDE),
        ("http://127。0。0。1/", INSIDE),
        ("http://[::1]/", INSIDE),
        ("http://[::ffff:127.0.0.1]/", INSIDE),
        ("http://[64:ff9b::7f00:1]/", INSIDE),
        ("http://[fe80::1%25lo]/", ODD),
        ("http://[::1%00]/", ODD),
        ("http://[v1.x]/", BAD_SHAPE),
        ("http://[::1/", BAD_SHAPE),
        ("http://10.0.0.1/", INSIDE),
        ("http://169.254.169.254/latest/meta-data/", INSIDE),
        ("http://metadata.google.internal/computeMetadata/v1/", INSIDE),
        ("http://metadata/computeMetadata/v1/", INSIDE),
        ("http://kubernetes.default.svc/", INSIDE),
        ("http://wiki.lan/", INSIDE),
        ("http://wiki.home.arpa/", INSIDE),
        ("http://example.com@127.0.0.1/", CREDENTIALS),
        ("http://a:b@example.com/", CREDENTIALS),
        ("http://@example.com/", CREDENTIALS),
        ("http://127.0.0.1:80:\\@@127.2.2.2:80/", BAD_SHAPE),
        ("http://127.0.0.1#@example.com/", INSIDE),
        ("http://localhost。/", INSIDE),
        ("http://metadata。google。internal。/", INSIDE),
        ("http://127。0。0。1。/", INSIDE),
        ("http:127.0.0.1/", BAD_SHAPE),
        ("http:/127.0.0.1/", BAD_SHAPE),
        ("http:\\\\127.0.0.1\\", BAD_SHAPE),
        ("//127.0.0.1/", BAD_SHAPE),
        ("http://127.0.0.1%00.example.com/", BAD_SHAPE),
        ("http://127.0.0.1%2eexample.com/", BAD_SHAPE),
        ("http://127.0.0.1\t/", BAD_SHAPE),
        ("http://example.com/\r\nHost: 127.0.0.1", BAD_SHAPE),
        ("http://example.com/a b", BAD_SHAPE),
        ("http://127.0.0.1:0/", BAD_PORT),
        ("http://example.com:22/", BAD_PORT),
        ("https://example.com:8443/", BAD_PORT),
        ("http://example.com:99999/", BAD_SHAPE),
        ("http://example.com:x/", BAD_SHAPE),
        ("file:///etc/passwd", BAD_SHAPE),
        ("ftp://example.com/", BAD_SHAPE),
        ("javascript:alert(1)", BAD_SHAPE),
        ("jar:http://127.0.0.1!/", BAD_SHAPE),
        ("view-source:http://example.com/", BAD_SHAPE),
        ("http://./", BAD_SHAPE),
        ("http://a..example.com/", BAD_SHAPE),
        ("https://example.com/" + "a" * 2_050, BAD_SHAPE),
        ("", BAD_SHAPE),
    ],
)
def test_what_leads_inside_or_is_written_oddly_is_refused(url: str, why: str) -> None:
    with pytest.raises(FetchFailed) as failure:
        target_in(url, OPEN)
    assert str(failure.value) == why


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("https://example.com", "https://example.com/"),
        (" HTTPS://EXAMPLE.com/A?b=C#d ", "https://example.com/A?b=C"),
        ("http://example.com:443/", "http://example.com:443/"),
        ("https://example.com:443/", "https://example.com/"),
        ("https://münchen.example/", "https://xn--mnchen-3ya.example/"),
        ("https://under_score.example.com/", "https://under_score.example.com/"),
        ("https://example.com./x", "https://example.com/x"),
        ("http://example.com/a?u=http://127.0.0.1/", "http://example.com/a?u=http://127.0.0.1/"),
        ("https://example.com/%61dmin?x=%2561", "https://example.com/%61dmin?x=%2561"),
        ("https://example.com/ü?q=ö", "https://example.com/%C3%BC?q=%C3%B6"),
        ("http://[2606:2800:220:1:248:1893:25c8:1946]/", "http://[2606:2800:220:1:248:1893:25c8:1946]/"),
        ("http://example.com#@127.0.0.1/", "http://example.com/"),
    ],
)
def test_an_address_of_the_web_is_asked(url: str, asked: str) -> None:
    assert target_in(url, OPEN).url == asked


@PROPERTY
@given(st.text(alphabet=st.sampled_from("htps:/.@[]%#?\\\x000129afx①。é -"), max_size=30))
def test_whatever_is_written_is_refused_or_the_same_target_again(text: str) -> None:
    with suppress(FetchFailed):
        target = target_in(f"http://{text}", OPEN)
        assert target_in(target.url, OPEN) == target


def test_hosts_are_allowed_and_refused_by_setting() -> None:
    rules = HostRules(only={"example.com"}, refused={"bad.example.com"})
    assert target_in("https://www.example.com/", rules).host == "www.example.com"
    for refused in (
        "https://example.org/",
        "https://bad.example.com/",
        "https://a.bad.example.com/",
        "https://xexample.com/",
    ):
        with pytest.raises(FetchFailed, match=NOT_ALLOWED):
            target_in(refused, rules)


def test_a_private_host_is_read_if_it_is_named_and_no_other_is() -> None:
    rules = HostRules(private={"wiki.lan", "10.0.0.7:8080"}, only={"example.com"})
    assert target_in("https://wiki.lan/a", rules).url == "https://wiki.lan/a"
    assert target_in("http://10.0.0.7:8080/", rules).port == 8080
    for other in ("http://10.0.0.7/", "http://10.0.0.8:8080/", "http://b.wiki.lan/", "http://wiki.lan:8080/"):
        with pytest.raises(FetchFailed):
            target_in(other, rules)


def test_a_redirect_is_checked_like_any_other() -> None:
    here = target_in("https://example.com/a/b", OPEN)
    assert redirect_target(here, "../c?d", OPEN).url == "https://example.com/c?d"
    assert redirect_target(here, "//example.org", OPEN).url == "https://example.org/"
    for location in ("http://127.0.0.1/", "file:///etc/passwd", "//10.0.0.1/", "http://[", "http://a@b.example/"):
        with pytest.raises(FetchFailed):
            redirect_target(here, location, OPEN)
