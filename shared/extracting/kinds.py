"""What kind of page some bytes are: by the header, and by how they begin where the header says nothing of use."""

import codecs

from shared.errors import ExtractionFailed
from shared.models.page import PageKind

#: what servers say when they do not know
UNKNOWN = {"", "application/octet-stream", "binary/octet-stream", "application/unknown", "unknown/unknown"}
HTML = {"text/html", "application/xhtml+xml"}
PDF = {"application/pdf", "application/x-pdf"}
TEXT = {"application/xml", "application/yaml", "application/x-yaml", "application/javascript", "application/toml"}
ALSO_TEXT = ("+xml", "+yaml")
#: a PDF's mark stands in its first kilobyte (ISO 32000, annex H.3)
PDF_MARK, PDF_MARK_WITHIN = b"%PDF-", 1024
#: the WHATWG's MIME Sniffing Standard looks at this much of a resource
SNIFFED = 1445
BYTE_ORDER_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_BE, codecs.BOM_UTF16_LE)
#: how HTML begins where no header says so
HTML_MARKS = (b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<meta", b"<script", b"<div", b"<p", b"<!--")
#: bytes that no text has (the same standard's "binary data byte")
BINARY = frozenset([*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])


def kind_of(body: bytes, content_type: str) -> PageKind:
    """The kind that the header names, or that the bytes look like. Raises ExtractionFailed for what is no text."""
    named = content_type.split(";")[0].strip().lower()
    if named in PDF or PDF_MARK in body[:PDF_MARK_WITHIN]:
        return PageKind.PDF
    if named in HTML:
        return PageKind.HTML
    if named in UNKNOWN or named == "text/plain":
        return _sniffed(body, named)
    if named.endswith(("/json", "+json", "/x-ndjson")):
        return PageKind.JSON
    if named.startswith("text/") or named in TEXT or (named.endswith(ALSO_TEXT) and named != "image/svg+xml"):
        return PageKind.TEXT
    raise ExtractionFailed("what is there is neither a web page nor a PDF nor a text; it cannot be read")


def _sniffed(body: bytes, named: str) -> PageKind:
    """Of what has no telling header; what is said to be plain text stays that."""
    start = body[:SNIFFED].lstrip().lower()
    is_marked = start.startswith(BYTE_ORDER_MARKS)
    if not is_marked and not BINARY.isdisjoint(start):
        raise ExtractionFailed("what is there is not a text; it cannot be read")
    start = start.removeprefix(codecs.BOM_UTF8).lstrip()
    if named != "text/plain" and start.startswith(HTML_MARKS):
        return PageKind.HTML
    return PageKind.JSON if named != "text/plain" and start.startswith((b"{", b"[")) else PageKind.TEXT
