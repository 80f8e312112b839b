"""The kind of a page from its bytes."""

import pytest

from shared.base.errors import ExtractionFailed
from shared.reader.extract.kinds import kind_of
from shared.values.page import PageKind


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
        ("application/force-download", b"%PDF-1.7\0\0", PageKind.PDF),
        ("application/x-forcedownload", b"\0\0junk%PDF-1.7\0\0", PageKind.PDF),
        ("application/x-msdownload", b"%PDF-1.4\0", PageKind.PDF),
        ("image/png", b"%PDF-1.4\0", PageKind.PDF),
        ("text/x-pdf", b"", PageKind.PDF),
        ("text/html", b"<html><title>%PDF-1.7 explained</title>", PageKind.HTML),
        ("text/plain", b"A file that begins with %PDF-1.7 is a PDF.", PageKind.TEXT),
        ("", b"A file that begins with %PDF-1.7 is a PDF.", PageKind.TEXT),
        ("application/x-download", b"<!doctype html>", PageKind.HTML),
        ("application/download", b'{"a": 1}', PageKind.JSON),
        ("application/csv", b"a,b\n1,2\n", PageKind.TEXT),
        ("application/x-tex", b"\\section{Tea}", PageKind.TEXT),
        ("application/x-strange", b"hello", PageKind.TEXT),
    ],
)
def test_the_header_names_the_kind_or_else_the_bytes_show_it(content_type: str, body: bytes, kind: PageKind) -> None:
    assert kind_of(body, content_type) is kind


@pytest.mark.parametrize(
    ("name", "body", "kind"),
    [
        ("/notes.md", b"<p>a paragraph</p>", PageKind.TEXT),
        ("/table.csv", b"[a],b", PageKind.TEXT),
        ("/index.php", b"<html>", PageKind.HTML),
        ("/plan.PDF", b"", PageKind.PDF),
        ("/", b"<html>", PageKind.HTML),
    ],
)
def test_where_the_header_says_nothing_the_ending_of_the_name_counts(name: str, body: bytes, kind: PageKind) -> None:
    assert kind_of(body, "application/octet-stream", name) is kind
    assert kind_of(body, "", name) is kind


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("image/png", b"\x89PNG"),
        ("image/svg+xml", b"<svg/>"),
        ("", b"PK\x03\x04"),
        ("text/plain", b"\0\1\2"),
        ("application/force-download", b"PK\x03\x04"),
        ("application/x-strange", b"\0\1"),
    ],
)
def test_what_is_no_text_is_not_read(content_type: str, body: bytes) -> None:
    with pytest.raises(ExtractionFailed):
        kind_of(body, content_type)
