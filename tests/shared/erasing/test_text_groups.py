"""Which forms a text may have."""

from shared.erasing.text_groups import groups_in


def test_small_words_tell_whose_forms_a_text_has() -> None:
    assert "slavic" in groups_in({"to", "jest", "dom"}, is_plain=True)
    assert "slavic" not in groups_in({"ask", "about", "it", "to"}, is_plain=True)
    assert "hungarian" in groups_in({"olenának"}, is_plain=False)
    assert not groups_in({"ask", "roberta"}, is_plain=True)
