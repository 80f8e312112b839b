"""The groups of name forms that a text may contain."""

from shared.privacy.deletion.text_groups import groups_in, groups_of, language_of


def test_small_words_tell_whose_forms_a_text_has() -> None:
    assert "slavic" in groups_in({"to", "jest", "dom"}, is_plain=True)
    assert "slavic" not in groups_in({"ask", "about", "it", "to"}, is_plain=True)
    assert "hungarian" in groups_in({"olenának"}, is_plain=False)
    assert not groups_in({"ask", "roberta"}, is_plain=True)
    assert groups_in({"zapytaj", "roberta"}, groups_of("pl"), is_plain=True) == {"slavic"}
    assert "slavic" not in groups_in({"ask", "about", "it", "to"}, groups_of("pl"), is_plain=True)


def test_a_language_is_told_by_its_small_words_if_no_other_has_as_many() -> None:
    assert language_of({"to", "jest", "dom"}) == "pl"
    assert (language_of({"dom"}), language_of({"og"})) == ("", "")
    assert not groups_of("")
