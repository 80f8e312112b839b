"""The text of a PDF."""

import pytest

from shared.base.errors import ExtractionFailed
from shared.reader.extract.pdf import MAX_PAGES, read_pdf
from tests.shared.reader.extract.pdfs import pdf_of


def test_the_pages_in_their_order_and_the_title() -> None:
    assert read_pdf(pdf_of("one and two", "three", title="Numbers")) == ("Numbers", "one and two\n\nthree")


def test_not_more_than_so_many_pages() -> None:
    assert read_pdf(pdf_of(*["a"] * (MAX_PAGES + 5)))[1].split() == ["a"] * MAX_PAGES


@pytest.mark.parametrize("body", [b"%PDF-1.7", b"%PDF-1.4\n" + b"\0" * 99, pdf_of(), pdf_of("")])
def test_a_broken_or_an_empty_one_is_told(body: bytes) -> None:
    with pytest.raises(ExtractionFailed, match="the PDF"):
        read_pdf(body)
