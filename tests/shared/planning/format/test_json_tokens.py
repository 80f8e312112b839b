import math

import pytest

from shared.planning.format.json_text import MAX_DEPTH, JsonError, JsonFault, JsonValue, decode, read_value


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("{}", {}),
        ("[ ]", []),
        ('{"a": [1, 2.5, -3e2, true, null]}', {"a": [1, 2.5, -300.0, True, None]}),
        ("{'a': 'b'}", {"a": "b"}),
        ("""{'a': 'say "b"'}""", {"a": 'say "b"'}),
        (r"{'a': 'it\'s'}", {"a": "it's"}),
        ("{“a”: “b”, ”c”: ”d“}", {"a": "b", "c": "d"}),
        ('{“a”: “say "b"”}', {"a": 'say "b"'}),
        ('{"a": "so “b” it is",}', {"a": "so “b” it is"}),
        ('{"a": [1, 2, ], }', {"a": [1, 2]}),
        ('{"a": 1, // to the end }\n "b": 2}', {"a": 1, "b": 2}),
        ('{"a": /* } " */ 1}', {"a": 1}),
        ('{"a": "http://b/*c*/",}', {"a": "http://b/*c*/"}),
        ("{a: 1, b-c: 2, $d: 3, 4: 5}", {"a": 1, "b-c": 2, "$d": 3, "4": 5}),
        ("{'a': True, 'b': False, 'c': None}", {"a": True, "b": False, "c": None}),
        ("[undefined, TRUE,]", [None, True]),
        ('["a\nb\tc"]', ["a\nb\tc"]),
        ("['a\nb']", ["a\nb"]),
        (r'["\d+ \_x\_ \( \u12 \x"]', [r"\d+ \_x\_ \( \u12 \x"]),
        (r'["\x41 \u0042 \n\t\"\\\/",]', ['A B \n\t"\\/']),
        (r"""['\x41 \u0042 "q" \"']""", ['A B "q" "']),
        ('["a\\\nb"]', ["a\nb"]),
        ('["\x00"]', ["\x00"]),
        ("[1\ufeff,\xa02]", [1, 2]),
        ("[" + "9" * 19 + "]", [1e19]),
        ('{"a": 1, "a": 1}', {"a": 1}),
    ],
)
def test_a_value_is_read_in_its_spelling(text: str, content: object) -> None:
    assert read_value(text, 0) == JsonValue(len(text), content)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("['it's', 'a']", JsonFault.CUT_OFF),
        *[
            (cut, JsonFault.CUT_OFF)
            for cut in ("{", '{"a', '{"a"', '{"a": "b', '{"a": 1', "[[]", "{'a", "{“a", "[/* ]", "[// ]")
        ],
        *[
            (bad, JsonFault.MALFORMED)
            for bad in ("[}", '{"a": 1]', "{a}", "[a]", "[1 2]", '["a" "b"]', "[+1]", "[.5]", "[0x10]")
        ],
        *[
            (bad, JsonFault.MALFORMED)
            for bad in ("[,]", "[1,,]", "[,1]", "{,}", '{"a"}', '{"a":}', '{"a" 1}', "{: 1}", "[1/2]")
        ],
        *[
            (bad, JsonFault.MALFORMED)
            for bad in ('["say "a" to b"]', "['it's' a']", '{"a": send}', '{{"a": 1}}', "{[]: 1}")
        ],
        *[(bad, JsonFault.MALFORMED) for bad in ('{"a": 1, "a": 2}', '{"a": [], "a": [1],}')],
        *[(bracket * 100_000, JsonFault.TOO_DEEP) for bracket in ("[", "{", "[{")],
        ("[" * 3_000 + "]" * 3_000, JsonFault.TOO_DEEP),
        ('{"a":' * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1), JsonFault.TOO_DEEP),
    ],
)
def test_what_is_not_a_value_has_its_fault(text: str, fault: JsonFault) -> None:
    read = read_value(text, 0)
    assert isinstance(read, JsonError)
    assert read.fault is fault


def test_the_deepest_value_is_read() -> None:
    for text in ("[" * MAX_DEPTH + "]" * MAX_DEPTH, "[" * MAX_DEPTH + "1," + "]" * MAX_DEPTH):
        assert isinstance(read_value(text, 0), JsonValue)


def test_a_value_ends_with_its_own_bracket() -> None:
    assert read_value('see {"a": 1} and {"b": 2}', 4) == JsonValue(12, {"a": 1})
    assert read_value("see {'a': 1,} and {'b': 2}", 4) == JsonValue(13, {"a": 1})


def test_what_the_decoder_said_is_kept_and_quotes_nothing() -> None:
    read = read_value('{"text": "she said "private words" to me"}', 0)
    assert isinstance(read, JsonError)
    assert read.detail
    assert "private" not in read.detail


def test_numbers_that_are_none_are_read_as_python_reads_them() -> None:
    read = decode("[NaN, Infinity, -Infinity, 1e999, " + "1" * 5_000 + "]")
    assert isinstance(read, list)
    assert math.isnan(read[0])
    assert read[1:] == [math.inf, -math.inf, math.inf, math.inf]


def test_a_string_alone_can_be_decoded() -> None:
    assert decode(' "a\nb" ') == "a\nb"
    with pytest.raises(ValueError, match="Expecting"):
        decode("a")
