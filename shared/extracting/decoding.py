"""From bytes to characters by the rules of the web: byte order mark, header, declaration in the page, detection."""

from charset_normalizer import from_bytes
from w3lib.encoding import html_to_unicode, http_content_type_encoding, read_bom, to_unicode

#: how much of a page detection looks at
DETECTED_BYTES = 65_536
#: what browsers take in the west for a page that says nothing and is not UTF-8 (HTML Standard, 13.2.3.2)
FALLBACK = "cp1252"


def decoded_html(body: bytes, content_type: str) -> str:
    """The characters of an HTML page; what cannot be decoded is U+FFFD. NUL is dropped, as parsers do."""
    return html_to_unicode(content_type, body, auto_detect_fun=_detected)[1].replace("\0", "")


def decoded_text(body: bytes, content_type: str) -> str:
    """The same of a text, which has no declaration inside."""
    named, mark = read_bom(body)
    encoding = named or http_content_type_encoding(content_type) or _detected(body)
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
