"""PDFs and texts."""

import pypdfium2
import pytest

from shared.base.errors import FileUnusable
from shared.reader.decode.documents import prepared_pdf, prepared_text
from shared.reader.decode.kinds import PDF, TEXT
from shared.reader.decode.sentences import LOCKED, NO_TEXT
from shared.values.prepared import LONGEST_DOCUMENT, MOST_PAGES
from tests.shared.reader.decode import files


def pages_of(content: bytes) -> int:
    with pypdfium2.PdfDocument(content) as document:
        return len(document)


def test_a_pdf_has_pages_and_text_and_says_nothing_of_its_author() -> None:
    content = files.pdf(2)
    assert files.SECRET in files.title_of(content)
    found = prepared_pdf(content, PDF)
    assert (found.text, found.facts.pages, found.facts.is_cut) == (
        "Tea wants hot water\n\nTea wants hot water",
        2,
        False,
    )
    (part,) = found.parts
    assert (part.mime_type, pages_of(part.content)) == ("application/pdf", 2)
    assert files.SECRET not in files.title_of(part.content)
    assert files.SECRET.encode() not in part.content


def test_of_very_many_pages_the_first_are_shown() -> None:
    found = prepared_pdf(files.pdf(10_000), PDF)
    assert (found.facts.pages, found.facts.is_cut, pages_of(found.parts[0].content)) == (10_000, True, MOST_PAGES)
    assert found.text.count("hot water") == 60


def test_a_long_text_in_a_pdf_is_cut() -> None:
    found = prepared_pdf(files.pdf(60, "tea " * 190, size=0.5), PDF)
    assert (len(found.text) <= LONGEST_DOCUMENT, found.facts.is_cut) == (True, True)


@pytest.mark.parametrize("content", [b"%PDF-1.7 and nothing", files.pdf(0)])
def test_one_that_cannot_be_opened_is_a_sentence(content: bytes) -> None:
    with pytest.raises(FileUnusable) as failure:
        prepared_pdf(content, PDF)
    assert str(failure.value) in {LOCKED, NO_TEXT}


@pytest.mark.parametrize(
    ("content", "mime_type"),
    [("Grüße".encode(), ""), ("Grüße".encode("utf-16"), ""), ("Grüße".encode("cp1252"), "text/plain; charset=latin1")],
)
def test_a_text_is_read_in_its_charset(content: bytes, mime_type: str) -> None:
    assert prepared_text(content, TEXT, mime_type).text == "Grüße"


def test_a_long_text_is_cut() -> None:
    found = prepared_text(b"x" * 50_000, TEXT, "")
    assert (len(found.text), found.facts.is_cut) == (LONGEST_DOCUMENT, True)
    found = prepared_text("茶".encode() * 50_000, TEXT, "")
    assert (found.text, found.facts.is_cut) == ("茶" * LONGEST_DOCUMENT, True)


def test_an_empty_text_is_a_sentence() -> None:
    with pytest.raises(FileUnusable) as failure:
        prepared_text(b" \n", TEXT, "")
    assert str(failure.value) == NO_TEXT
