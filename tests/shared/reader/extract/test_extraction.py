"""The way in: any bytes become a text, or a sentence for the model."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.base.errors import ExtractionFailed
from shared.reader.extract.extraction import extract_text
from shared.values.page import PageKind
from tests.shared.reader.extract.pdfs import pdf_of

PAGE = b"<html><title>Coffee</title><body><article><h1>Coffee</h1><p>It is brewed from roasted beans.</p></article>"


@pytest.mark.parametrize(
    ("body", "content_type", "kind", "said"),
    [
        (PAGE, "text/html", PageKind.HTML, "It is brewed from roasted beans."),
        (b"It is brewed.", "text/plain; charset=utf-8", PageKind.TEXT, "It is brewed."),
        (b'{"drink": "coffee"}', "application/json", PageKind.JSON, '"drink": "coffee"'),
        (pdf_of("It is brewed."), "application/pdf", PageKind.PDF, "It is brewed."),
    ],
)
def test_each_kind_has_its_reader(body: bytes, content_type: str, kind: PageKind, said: str) -> None:
    page = extract_text(body, content_type, "https://example.org/coffee")
    assert page.kind is kind
    assert said in page.text


@pytest.mark.parametrize("content_type", ["text/html", "text/plain", "application/json", "application/pdf", ""])
@pytest.mark.parametrize("body", [b"", b" \n", b"\xef\xbb\xbf"])
def test_an_empty_page_is_told(body: bytes, content_type: str) -> None:
    with pytest.raises(ExtractionFailed, match=r"\w+ \w+ \w+"):
        extract_text(body, content_type, "https://example.org/")


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=3_000), st.sampled_from(["text/html", "application/pdf", "application/json", ""]), st.text())
def test_any_bytes_become_a_text_or_a_sentence(body: bytes, content_type: str, url: str) -> None:
    with suppress(ExtractionFailed):
        assert extract_text(body, content_type, url).text.strip()
