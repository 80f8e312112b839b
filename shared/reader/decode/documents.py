"""Decodes documents: the first pages of a PDF with their text, and text files in any charset."""

from io import BytesIO
from typing import Final

import pypdfium2

from shared.base.errors import FileUnusable
from shared.reader.decode.kinds import DetectedType
from shared.reader.decode.sentences import LOCKED, NO_TEXT
from shared.reader.extract.decoding import decoded_text
from shared.values.prepared import (
    LONGEST_DOCUMENT,
    MOST_PAGES,
    MOST_PREPARED_BYTES,
    FileFacts,
    PreparedFile,
    PreparedPart,
)

#: the maximum number of pages whose text is read
TEXT_PAGES: Final = 60


def prepared_pdf(content: bytes, real: DetectedType) -> PreparedFile:
    """Return the first pages of a PDF as a new PDF, and the text of these and some more pages. Raises FileUnusable."""
    try:
        with pypdfium2.PdfDocument(content) as document:
            pages = len(document)
            text, is_text_cut = _text_of(document)
            part = _first_pages(document)
    except pypdfium2.PdfiumError as cause:
        raise FileUnusable(LOCKED) from cause
    if not pages:
        raise FileUnusable(NO_TEXT)
    return PreparedFile(
        parts=(PreparedPart(real.mime_type, part),) if part else (),
        text=text,
        facts=FileFacts(type=real.mime_type, pages=pages, is_cut=is_text_cut or pages > MOST_PAGES),
    )


def prepared_text(content: bytes, real: DetectedType, mime_type: str) -> PreparedFile:
    """Return the characters of a text file. Raises FileUnusable."""
    # a character has at most four bytes in UTF-8
    text = decoded_text(content[: 4 * LONGEST_DOCUMENT], mime_type).strip()
    if not text:
        raise FileUnusable(NO_TEXT)
    is_cut = len(text) > LONGEST_DOCUMENT or len(content) > 4 * LONGEST_DOCUMENT
    return PreparedFile(text=text[:LONGEST_DOCUMENT], facts=FileFacts(type=real.mime_type, is_cut=is_cut))


def _text_of(document: pypdfium2.PdfDocument) -> tuple[str, bool]:
    """Return the text of the first pages, and whether there is more text. A broken page counts as empty."""
    found, length = [], 0
    for number in range(min(len(document), TEXT_PAGES)):
        try:
            text = document[number].get_textpage().get_text_bounded().strip()
        except pypdfium2.PdfiumError:
            continue
        found.append("\n".join(line.rstrip() for line in text.splitlines()))
        length += len(text) + 2
        if length > LONGEST_DOCUMENT:
            break
    whole = "\n\n".join(filter(None, found))
    return whole[:LONGEST_DOCUMENT].strip(), len(whole) > LONGEST_DOCUMENT or len(document) > TEXT_PAGES


def _first_pages(document: pypdfium2.PdfDocument) -> bytes:
    """Return a PDF of the first pages, without metadata; b"" if even a single page is too large."""
    pages = min(len(document), MOST_PAGES)
    while pages:
        with pypdfium2.PdfDocument.new() as fresh:
            fresh.import_pages(document, list(range(pages)))
            out = BytesIO()
            fresh.save(out)
        if len(out.getvalue()) <= MOST_PREPARED_BYTES:
            return out.getvalue()
        pages //= 2
    return b""
