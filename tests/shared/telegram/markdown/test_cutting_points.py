"""Places for a cut."""

from shared.telegram.markdown.cutting import CutPoint, CutRank, TextSpan, cut_points, text_spans


def ranks(text: str, is_code: bool = False) -> list[tuple[str, str, CutRank]]:
    found = cut_points(text, TextSpan(0, len(text), is_code))
    return [(text[: place.end], text[place.next :], place.rank) for place in found]


def test_prose_is_cut_at_white_space_which_is_left_out() -> None:
    assert ranks("a b \n c\n \nd") == [
        ("a", "b \n c\n \nd", CutRank.WORD),
        ("a b", "c\n \nd", CutRank.LINE),
        ("a b \n c", "d", CutRank.PARAGRAPH),
    ]


def test_prose_is_cut_after_a_clause_of_a_script_without_spaces() -> None:
    assert ranks("晴れ。」雨") == [("晴れ。」", "雨", CutRank.WORD)]
    assert ranks("a\u00a0b") == []


def test_code_is_cut_at_line_ends_best_before_a_new_thing() -> None:
    assert ranks("a{\n  b\n}\nc", is_code=True) == [
        ("a{", "  b\n}\nc", CutRank.LINE),
        ("a{\n  b", "}\nc", CutRank.LINE),
        ("a{\n  b\n}", "c", CutRank.PARAGRAPH),
    ]


def test_between_words_of_code_no_space_is_left_out() -> None:
    assert ranks("a  b", is_code=True) == [("a  ", "b", CutRank.WORD)]
    assert ranks("    b  ", is_code=True) == []


def test_a_place_is_where_its_stretch_is() -> None:
    assert list(cut_points("a b c d", TextSpan(2, 5, is_code=False))) == [CutPoint(3, 4, CutRank.WORD)]


def test_prose_and_code_by_turns() -> None:
    assert text_spans(9, [(2, 4), (4, 6)]) == [
        TextSpan(0, 2, is_code=False),
        TextSpan(2, 4, is_code=True),
        TextSpan(4, 4, is_code=False),
        TextSpan(4, 6, is_code=True),
        TextSpan(6, 9, is_code=False),
    ]
