"""What kind of page some bytes are."""

import pytest

from shared.errors import ExtractionFailed
from shared.extracting.kinds import kind_of
from shared.models.page import PageKind


@pytest.mark.parametrize(
    ("content_type", "body", "kind"),
    [
        ("text/html; charset=utf-8", b"hello", PageKind.HTML),
        ("Application/XHTML+xml", b"", PageKind.HTML),
        ("", b"\n <!DOCTYPE html><p>hello", PageKind.HTML),
        ("application/octet-stream", b"\xef\xbb\xbf<html>", PageKind.HTML),
        ("text/plain", b"<!DOCTYPE html><p>hello", PageKind.TEXT),
        ("text/plain", b'{"a": 1}', PageKind.TEXT),
        ("text/markdown", b"# hello", PageKind.TEXT),
        ("application/rss+xml", b"<rss/>", PageKind.TEXT),
        ("", b"hello", PageKind.TEXT),
        ("", b"\xff\xfeh\x00i\x00", PageKind.TEXT),
        ("", b"", PageKind.TEXT),
        ("application/json", b"", PageKind.JSON),
        ("application/ld+json; charset=utf-8", b"[]", PageKind.JSON),
        ("", b' {"a": 1}', PageKind.JSON),
        ("application/pdf", b"", PageKind.PDF),
        ("text/html", b"\n%PDF-1.7", PageKind.PDF),
        ("", b"%PDF-1.7\0\0", PageKind.PDF),
    ],
)
def test_the_header_names_the_kind_or_else_the_bytes_show_it(content_type: str, body: bytes, kind: PageKind) -> None:
    assert kind_of(body, content_type) is kind


@pytest.mark.parametrize(
    ("content_type", "body"),
    [("image/png", b"\x89PNG"), ("image/svg+xml", b"<svg/>"), ("", b"PK\x03\x04"), ("text/plain", b"\0\1\2")],
)
def test_what_is_no_text_is_not_read(content_type: str, body: bytes) -> None:
    with pytest.raises(ExtractionFailed):
        kind_of(body, content_type)
