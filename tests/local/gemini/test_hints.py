import pytest

from local.gemini.calls import Json
from local.gemini.hints import is_said_in_private, language_of, openings, with_language

NOW = "[now]\nIt is Friday. You are lull in a private chat.\n[RESPOND]"


def asked(lines: str) -> list[Json]:
    return [{"role": "system", "content": "Answer."}, {"role": "user", "content": f"{lines}\n{NOW}"}]


def last(messages: list[Json]) -> str:
    return str(messages[-1]["content"])


def test_the_language_of_the_last_line_is_said_at_the_end() -> None:
    lines = "Ann#1: what shall we cook tonight?\nОля#2: @lull_bot нагадай мені через 10 хвилин вимкнути духовку"
    hinted = with_language(asked(lines))
    assert last(hinted).endswith("private chat.\nAnswer in Ukrainian.\n[RESPOND]")
    assert hinted[0] == asked(lines)[0]
    assert last(hinted).replace("Answer in Ukrainian.\n", "") == last(asked(lines))


@pytest.mark.parametrize("line", ["Ann#1: ok", "Ann#1: 2 + 2", "Ann#1: 😀😀", "[media: a photo]", "nobody's line"])
def test_what_shows_no_language_gets_no_hint(line: str) -> None:
    assert with_language(asked(line)) == asked(line)


def test_a_request_for_something_else_than_a_plan_stays_as_it_is() -> None:
    judged: list[Json] = [{"role": "user", "content": "Ann#1: how are you today?\nIs it meant for lull?"}]
    assert with_language(judged) == judged
    assert openings(judged) == []
    assert with_language([]) == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("hi! how are you?", "English"),
        ("was ist die Hauptstadt von Österreich?", "German"),
        ("привіт! як справи?", "Ukrainian"),
        ("¿quién pintó el Guernica?", "Spanish"),
        ("今日は何を食べますか", "Japanese"),
        ("thanks", ""),
    ],
)
def test_languages_are_told_apart(text: str, language: str) -> None:
    assert language_of(text) == language


def test_an_answer_is_not_to_begin_as_the_last_lines_do() -> None:
    lines = "Eve#3: old\nAnn#1: one\nBob#2 → Ann#1: @lull_bot ¿Qué cenamos?\n[media: a photo]\nAnn#1: Я тут\nAnn#1: so"
    assert openings(asked(lines)) == ["one", "One", "¿Qué", "¿qué", "Я", "я", "so", "So"]


def test_what_is_written_below_a_file_is_what_counts_of_it() -> None:
    line = "Ann#1: [media: a photo (no model here opens files)]\n  ¿quién sale en la foto?"
    assert "\nAnswer in Spanish.\n" in last(with_language(asked(line)))
    assert openings(asked(line))[0] == "¿quién"
    alone = "Ann#1: [media: a photo (no model here opens files)]"
    assert (with_language(asked(alone)), openings(asked(alone))) == (asked(alone), [])


def test_an_answer_in_another_language_is_not_to_begin_in_english() -> None:
    assert "Hi" in openings(asked("Ann#1: hallo, wie geht es dir?"))
    assert "hi" not in openings(asked("Ann#1: hallo, wie geht es dir?"))
    assert "Hi" not in openings(asked("Ann#1: hallo, wie geht es dir?\nBob#2: and how are you today?"))


def test_only_a_plan_in_a_private_chat_may_not_be_empty() -> None:
    assert is_said_in_private(asked("Ann#1: hi"))
    group = [{"role": "user", "content": "Ann#1: it is in a private chat.\n[now]\nYou are lull in a group.\n[RESPOND]"}]
    assert not is_said_in_private(group)
    assert not is_said_in_private([{"role": "user", "content": "A title for what was said in a private chat."}])
    assert not is_said_in_private([])
