"""From bytes to characters by the rules of the web: byte order mark, header, declaration in the page, detection."""

from charset_normalizer import from_bytes
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, to_unicode

#: how much of a page detection looks at
DETECTED_BYTES = 65_536
#: what browsers take in the west for a page that says nothing and is not UTF-8 (HTML Standard, 13.2.3.2)
FALLBACK = "cp1252"


def decoded_html(body: bytes, content_type: str) -> str:
    """The characters of an HTML page; what cannot be decoded is U+FFFD. NUL is dropped, as parsers do."""
    declared = html_body_declared_encoding(body) or ""
    # what could be read so far is no UTF-16, whatever it says (HTML Standard, 13.2.3.2)
    return _decoded(body, content_type, "utf-8" if declared.startswith(("utf-16", "utf-32")) else declared)


def decoded_text(body: bytes, content_type: str) -> str:
    """The same of a text, which has no declaration inside."""
    return _decoded(body, content_type, "")


def _decoded(body: bytes, content_type: str, declared: str) -> str:
    named, mark = read_bom(body)
    encoding = named or http_content_type_encoding(content_type) or declared or _detected(body)
    return to_unicode(body[len(mark or b"") :], encoding).replace("\0", "")


def _detected(body: bytes) -> str:
    try:
        body.decode()
    except UnicodeDecodeError as wrong:
        if wrong.start >= len(body) - 4:  # UTF-8 that was cut within a character
            return "utf-8"
    else:
        return "utf-8"
    found = from_bytes(body[:DETECTED_BYTES]).best()
    return found.encoding if found else FALLBACK
