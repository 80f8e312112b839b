"""Parts of names."""

from shared.privacy.deletion.name_parts import PersonName, handle_spans, merge_spans, part_index


def test_a_name_has_its_parts_in_all_their_forms() -> None:
    found = part_index([PersonName("Олена O'Brien-Quist Ж")])
    assert {"олена", "олену", "obrien", "quist"} <= found.keys()
    assert "ж" not in found
    assert [part.base for part in found["олену"]] == ["олена"]
    assert "олену" not in part_index([PersonName("Олена", is_declined=False)])


def test_a_username_is_no_part_of_another() -> None:
    assert list(handle_spans("@zed_x, zed_xy", ["zed_x"])) == [(1, 6)]


def test_a_name_of_signs_stands_where_it_is_hardly_there_by_chance() -> None:
    for name, text, spans in (
        ("K@tya", "k@tya, K@tyas", [(0, 5)]),
        ("∆lex", "so ∆lex", [(3, 7)]),
        ("🦊🌙", "🦊🌙!", [(0, 2)]),
        ("...", "well... no", []),
        ("❤️", "thanks ❤️ all, ❤️ said so", [(15, 17)]),
        ("❤️❤️", "❤️❤️", []),
        ("🇺🇦", "glory 🇺🇦 to", []),
        ("<3", "a <3 b", []),
    ):
        assert list(handle_spans(text, [name])) == spans, name


def test_words_of_a_name_are_known_written_together() -> None:
    found = part_index([PersonName("Anna Maria Li")])
    assert {"annamaria", "annamariali"} <= found.keys()
    assert "mariali" not in found


def test_what_stands_side_by_side_is_one() -> None:
    assert merge_spans("ab cd, ef", [(3, 5), (0, 2), (7, 9)]) == [(0, 5), (7, 9)]
