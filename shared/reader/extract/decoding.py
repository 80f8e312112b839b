"""Decodes bytes to text as browsers do, by (in order): byte order mark, header, the page's declaration, detection."""

from charset_normalizer import from_bytes
from w3lib.encoding import (
    html_body_declared_encoding,
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
    to_unicode,
)

#: the web's encodings (encoding.spec.whatwg.org, 4.2), by Python's names for them; browsers know no other encodings
ENCODINGS = frozenset(
    {
        "big5hkscs", "cp866", "cp874", "cp932", "cp949", "euc_jp", "gb18030", "iso2022_jp", "koi8-r", "koi8-u",
        "mac-cyrillic", "mac-roman", "utf-8", "utf-16", "utf-16-be", "utf-16-le",
        *(f"cp125{number}" for number in range(9)),
        *(f"iso8859-{number}" for number in (*range(2, 9), 10, 13, 14, 15, 16)),
    }
)  # fmt: skip
#: the bytes of a page that the detection of its encoding reads
DETECTED_BYTES = 65_536
#: the encoding of western browsers for a page that declares none and is not UTF-8 (HTML Standard, 13.2.3.2)
FALLBACK = "cp1252"


def decoded_html(body: bytes, content_type: str) -> str:
    """Return the text of an HTML page. As in HTML parsers, undecodable bytes become U+FFFD, and NUL is removed."""
    declared = html_body_declared_encoding(body) or ""
    # a declaration that can be read as ASCII is not in UTF-16, even if it says so (HTML Standard, 13.2.3.2)
    return _decode(body, content_type, "utf-8" if declared.startswith(("utf-16", "utf-32")) else declared)


def decoded_text(body: bytes, content_type: str) -> str:
    """Return the characters of a plain text, which declares no encoding. Undecodable bytes become U+FFFD."""
    return _decode(body, content_type, "")


def _decode(body: bytes, content_type: str, declared: str) -> str:
    named, mark = read_bom(body)
    claimed = (_web_encoding(one) for one in (http_content_type_encoding(content_type), declared))
    encoding = named or next(filter(None, claimed), "") or _detect_encoding(body)
    return to_unicode(body[len(mark or b"") :], encoding).replace("\0", "")


def _web_encoding(label: str | None) -> str:
    """Return the encoding that web standards give this label, or "". Other Python codecs are refused: some run code."""
    name = resolve_encoding(label) if label else None
    return name if name in ENCODINGS else ""


def _detect_encoding(body: bytes) -> str:
    try:
        body.decode()
    except UnicodeDecodeError as wrong:
        if wrong.start >= len(body) - 4:  # it is UTF-8 that was cut inside a character
            return "utf-8"
    else:
        return "utf-8"
    found = from_bytes(body[:DETECTED_BYTES]).best()
    return found.encoding if found else FALLBACK
