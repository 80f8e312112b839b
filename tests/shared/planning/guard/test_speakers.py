"""Speakers' names are removed at the beginning of lines; an agent may explain its own name."""

import pytest

from shared.planning.guard.headers import may_be_own_name, may_become_speaker, without_speakers

AUTHORS = frozenset({"Ann#000001", "Bob#000002", "Ann Lee#000003"})


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Ann#000001 → lull: Hello\nBob#000002 forwards Ann Lee#000003: yes", "Hello\nyes"),
        ("as Ann#000001 said", "as Ann said"),
        ("Ann → lull: Hello\nBob forwards Ann → lull: yes\nBob → Ann Lee#000003: no", "Hello\nyes\nno"),
        ("so\nlull → Ann Lee#000003: yes\nBob forwards Ann#000001: no", "so\nyes\nno"),
        ("lull: Hello", "Hello"),
        ("\nlull → Ann: Hello", "Hello"),
        ("lull → Ann Lee#000003: Hello", "Hello"),
        ("**lull:** Hello", "Hello"),
        ("**lull**: Hello", "Hello"),
        ("lull:\nHello", "Hello"),
        ("lull：こんにちは", "こんにちは"),
        ("Hello\nlull → Ann#000001: yes", "Hello\nyes"),
        ("lull:", ""),
    ],
)
def test_speakers_go(text: str, rest: str) -> None:
    assert without_speakers(text, AUTHORS, "lull") == rest


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Ann → Bob: 5 €\nBob → Ann Lee: 7 €",
            "Ann: the cake\nBob: the wine",
            "Ann → lullaby: x",
            "Annabel → lull: x",
        ),
        *("lull → still: ja", "Words:\nlull → still: ja", "Words:\nlull: a short period of calm.", "lull is a word"),
        *("so: lull: no", "lullaby: a song", "**lull: a word**", "Cem#000009: hi", "Ann#0000011", "Ann: hi"),
        *("lull → Annabel: hi", "- lull: a word", "затишшя (lull): спокій", "`lull`: a word"),
    ],
)
def test_what_only_looks_so_stays(text: str) -> None:
    assert without_speakers(text, AUTHORS, "lull") == text


def test_where_no_name_stands_before_words_none_goes() -> None:
    assert without_speakers("lull: Hello", AUTHORS, "") == "lull: Hello"
    assert without_speakers("lull: Hello\nAnn#000001", frozenset(), "") == "lull: Hello\nAnn#000001"


def test_the_begin_of_a_name_is_known() -> None:
    for begun in (
        "Ann#",
        "Bob#0000",
        "l",
        "lul",
        "lull",
        "lull →",
        "lull → An",
        "Ann#000001 → lull",
        "Ann → lu",
        "Bob forwards A",
    ):
        assert may_become_speaker(f"So.\n{begun}", AUTHORS, "lull") == 4
    for text in ("lull → still: j", "a lull", "Ann: x", "so"):
        assert may_become_speaker(text, AUTHORS, "lull") == len(text)


def test_a_text_that_may_be_nothing_but_the_own_name_is_known() -> None:
    assert all(
        may_be_own_name(text, "lull") for text in ("", "lu", "lull", "**lull:", "lull → st", " lull: ", "lull**:")
    )
    assert not any(may_be_own_name(text, "lull") for text in ("lulla", "lull: a", "lull → still: j", "lull is"))
    assert not may_be_own_name("", "")


@pytest.mark.parametrize("unit", ["lull", "lull → ", "Ann#", "Ann#000001", "Ann#000001: ", "\n", " ", "*", "lull:\n"])
def test_what_a_model_repeats_for_ever_is_read_to_its_end(unit: str) -> None:
    text = unit * (60_000 // len(unit)) + "x"
    assert len(without_speakers(text, AUTHORS, "lull")) <= len(text)
    assert may_become_speaker(text, AUTHORS, "lull") <= len(text)
