"""The kind of a page, such as HTML or JSON: from its header or, if that is missing or vague, from its first bytes."""

import codecs

from shared.base.errors import ExtractionFailed
from shared.values.file_types import bare_type, says_nothing, type_by_name
from shared.values.page import PageKind

HTML = {"text/html", "application/xhtml+xml"}
TEXT = {"application/xml", "application/yaml", "application/x-yaml", "application/javascript", "application/toml"}
ALSO_TEXT = ("+xml", "+yaml")
#: beginnings of media types that are never text
NO_TEXT = ("image/", "video/", "audio/", "font/")
#: the signature of a PDF; and the number of bytes within which it must be (ISO 32000, annex H.3)
PDF_MARK, PDF_MARK_WITHIN = b"%PDF-", 1024
#: the bytes of a file that are searched for bytes that no text contains
SEEN_OF_TEXT = 65_536
#: the bytes that the WHATWG's MIME Sniffing Standard reads
SNIFFED = 1445
BYTE_ORDER_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_BE, codecs.BOM_UTF16_LE)
#: the beginnings of HTML that has no header
HTML_MARKS = (b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<meta", b"<script", b"<div", b"<p", b"<!--")
#: bytes that no text contains (each a "binary data byte" of the same standard)
BINARY = frozenset([*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])


def kind_of(body: bytes, content_type: str, name: str = "") -> PageKind:
    """Return the kind of a page by its `content_type` or, if that says nothing, by the file's name or first bytes.

    `name` is the name of the file with its extension. Raises ExtractionFailed if the page is not a text.
    """
    named = bare_type(content_type)
    if says_nothing(named):
        named = type_by_name(name).replace("text/plain", "")  # a page such as /page.php may be anything
    if "pdf" in named or is_pdf(body):
        return PageKind.PDF
    if named.startswith(NO_TEXT):
        raise ExtractionFailed("the content at this address is not a web page, PDF or text, so it cannot be read")
    if named in HTML:
        return PageKind.HTML
    if named.endswith(("/json", "+json", "/x-ndjson")):
        return PageKind.JSON
    if (named.startswith("text/") and named != "text/plain") or named in TEXT or named.endswith(ALSO_TEXT):
        return PageKind.TEXT
    return _sniff(body, named)


def is_pdf(body: bytes) -> bool:
    """Return whether the bytes are a PDF.

    A text may mention the signature `%PDF-`. So in a text the signature counts only at the very beginning.
    """
    start = body[:PDF_MARK_WITHIN]
    if start.removeprefix(codecs.BOM_UTF8).lstrip().startswith(PDF_MARK):
        return True
    return PDF_MARK in start and not BINARY.isdisjoint(body[:SEEN_OF_TEXT])


def _sniff(body: bytes, named: str) -> PageKind:
    """Return the kind of a page by its first bytes. A page that is declared as plain text remains plain text."""
    start = body[:SNIFFED].lstrip().lower()
    is_marked = start.startswith(BYTE_ORDER_MARKS)
    if not is_marked and not BINARY.isdisjoint(start):
        raise ExtractionFailed("the content at this address is not text, so it cannot be read")
    start = start.removeprefix(codecs.BOM_UTF8).lstrip()
    if named != "text/plain" and start.startswith(HTML_MARKS):
        return PageKind.HTML
    return PageKind.JSON if named != "text/plain" and start.startswith((b"{", b"[")) else PageKind.TEXT
