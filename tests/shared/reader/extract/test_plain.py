"""Plain text and JSON."""

from shared.reader.extract.extraction import MAX_CHARACTERS, MOST_INDENTED, read_json, read_text


def test_a_text_stays_as_it_is() -> None:
    assert read_text(b"one\r\ntwo\n\n  three", "text/plain") == "one\ntwo\n\n  three"


def test_json_is_indented_and_keeps_its_letters() -> None:
    assert read_json('{"name":"Zoë","of":[1]}'.encode(), "application/json") == (
        '{\n "name": "Zoë",\n "of": [\n  1\n ]\n}'
    )


def test_what_is_no_json_is_shown_as_it_is() -> None:
    assert read_json(b'{"a": 1}\n{"a": 2}', "application/x-ndjson") == '{"a": 1}\n{"a": 2}'


def test_json_that_nests_too_deep_is_shown_as_it_is() -> None:
    assert read_json(b"[" * 100_000, "application/json") == "[" * 100_000


def test_both_are_bounded() -> None:
    assert len(read_text(b"a" * (MAX_CHARACTERS + 1), "")) == MAX_CHARACTERS
    assert len(read_json(b"[%s]" % (b"1," * MAX_CHARACTERS + b"1"), "")) == MAX_CHARACTERS


def test_json_that_is_very_long_is_shown_as_it_begins() -> None:
    body = b'[{"tea": "green"},' * (MOST_INDENTED // 18 + 1) + b"1]"
    assert read_json(body, "application/json") == body.decode()[:MAX_CHARACTERS]
