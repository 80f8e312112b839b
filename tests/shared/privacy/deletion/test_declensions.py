"""Grammatical forms of names."""

import pytest

from shared.privacy.deletion.declensions import forms_of, script_of


@pytest.mark.parametrize(
    ("name", "form", "group"),
    [("олена", "оленою", ""), ("robert", "robertem", "slavic"), ("أحمد", "لأحمد", ""), ("민수", "민수가", "")],
)
def test_a_form_tells_of_which_languages_it_is(name: str, form: str, group: str) -> None:
    groups = forms_of(name)[form]
    assert (group in groups) if group else not groups


def test_a_form_of_several_languages_is_of_each() -> None:
    assert {"slavic", "finnic"} <= forms_of("robert")["roberta"]


def test_a_name_is_no_form_of_itself_and_a_short_one_has_none() -> None:
    assert "олена" not in forms_of("олена")
    assert not forms_of("li")
    assert not forms_of("лі")
    assert {"яна", "яну", "яном"} <= forms_of("ян").keys()
    assert "оль" in forms_of("оля")
    assert "зайця" in forms_of("заєць")
    assert script_of("🌻 олена") == "cyrillic"
