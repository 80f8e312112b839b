"""From bytes to characters."""

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.reader.extract.decoding import ENCODINGS, decoded_html, decoded_text

GREEK = "Ο καφές είναι έτοιμος και το γάλα είναι κρύο. Ποιος θέλει ζάχαρη;"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"\xef\xbb\xbf" + GREEK.encode(), "text/html; charset=iso-8859-7"),
        (GREEK.encode("utf-16"), "text/html; charset=utf-8"),
        (GREEK.encode("iso-8859-7"), 'text/html; charset="ISO-8859-7"'),
        (b'<meta charset="iso-8859-1">' + GREEK.encode(), "text/html; charset=utf-8"),
        (b'<meta charset="iso-8859-7">' + GREEK.encode("iso-8859-7"), "text/html"),
        (b'<meta charset="nonsense">' + GREEK.encode(), "text/html; charset=nonsense"),
        (GREEK.encode(), ""),
        (GREEK.encode("iso-8859-7") * 20, ""),
    ],
)
def test_mark_then_header_then_declaration_then_detection(body: bytes, content_type: str) -> None:
    assert GREEK in decoded_html(body, content_type)


def test_a_text_has_no_declaration() -> None:
    assert decoded_text(b'<meta charset="iso-8859-7"> \xc3\xa9', "text/plain") == '<meta charset="iso-8859-7"> é'


def test_latin1_is_what_browsers_take_it_for() -> None:
    assert decoded_html(b"\x93quoted\x94 \x80 5", "text/html; charset=iso-8859-1") == "“quoted” € 5"


@pytest.mark.parametrize(
    "label", ["zip", "hex", "rot13", "undefined", "unicode_escape", "raw-unicode-escape", "idna", "utf-7", "utf-32"]
)
def test_what_is_no_encoding_of_the_web_is_passed_over(label: str) -> None:
    assert decoded_text(f"{GREEK} \\ud83d".encode(), f"text/plain; charset={label}") == f"{GREEK} \\ud83d"
    assert GREEK in decoded_html(f'<meta charset="{label}">{GREEK}'.encode(), "text/html")


def test_the_encodings_of_the_web_are_python_s_names() -> None:
    assert {codecs.lookup(name).name for name in ENCODINGS} == ENCODINGS


def test_utf8_that_was_cut_within_a_character_stays_utf8() -> None:
    assert decoded_text("für alle – und".encode()[:11], "").startswith("für alle")


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=2_000), st.text(max_size=60))
def test_any_bytes_become_characters(body: bytes, content_type: str) -> None:
    assert "\0" not in decoded_html(body, content_type) + decoded_text(body, content_type)
