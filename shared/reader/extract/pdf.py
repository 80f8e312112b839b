"""The text of a PDF, page by page."""

from collections.abc import Iterator

import pypdfium2

from shared.base.errors import ExtractionFailed

MAX_PAGES = 100
#: the maximum characters of all pages together; a model is shown fewer
MAX_CHARACTERS = 400_000


def read_pdf(body: bytes) -> tuple[str, str]:
    """Return the title and the text of the first pages. Raises ExtractionFailed if the PDF cannot be opened."""
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as cause:
        raise ExtractionFailed("the PDF cannot be opened: it is broken, or has a password") from cause
    with document:
        title = document.get_metadata_value("Title").strip()
        text = "\n\n".join(_pages(document)).strip()
    if not text:
        raise ExtractionFailed("the PDF has no text: its pages are pictures")
    return title, text


def _pages(document: pypdfium2.PdfDocument) -> Iterator[str]:
    left = MAX_CHARACTERS
    for number in range(min(len(document), MAX_PAGES)):
        try:
            text = document[number].get_textpage().get_text_bounded()[:left]
        except pypdfium2.PdfiumError:
            continue  # this page is broken, but others may be readable
        yield "\n".join(line.rstrip() for line in text.splitlines())
        left -= len(text)
        if left <= 0:
            return
