from typing import Any

import pytest

from benchmarks.moments import Moment, faults_of, is_in, moments

ASKED = Moment(id="m", language="en", group=True, said=[("Ann", "I am tired of pasta"), ("Bob", "@lull_bot what now?")])
TOLD = Moment(id="t", language="en", group=False, said=[("Ann", "my sister brought a huge green suitcase")])
REMINDER = Moment(
    id="r", language="en", group=False, said=[("Ann", "remind me in 10 minutes")], wait_s=600, later="tea"
)
SILENT = Moment(id="s", language="en", group=True, said=[("Ann", "@lull_bot say nothing")], silent=True)


def sends(text: str) -> dict[str, Any]:
    return {"kind": "send", "text": text}


def waits(seconds: int) -> dict[str, Any]:
    return {"kind": "wait", "seconds": seconds}


def schedules(text: str, after: str = "10 minutes") -> dict[str, Any]:
    return {"kind": "schedule", "text": text, "after": after}


def test_there_are_forty_half_of_them_in_groups_in_four_languages() -> None:
    found = list(moments())
    assert (len(found), sum(moment.group for moment in found)) == (40, 20)
    assert {moment.language for moment in found} == {"en", "de", "uk", "es"}
    assert len({moment.id for moment in found}) == 40
    assert all(sum(moment.language == language for moment in found) == 10 for language in ("en", "de", "uk", "es"))


@pytest.mark.parametrize(
    ("moment", "tasks", "faults"),
    [
        (ASKED, [sends("You could make a soup tonight.")], []),
        (ASKED, [], ["silent"]),
        (ASKED, [sends("I am tired of pasta!")], ["echo"]),
        (TOLD, [sends("A huge green suitcase your sister brought!")], ["parroting"]),
        (TOLD, [sends("Is she staying for long?")], []),
        (ASKED, [sends("Bob, the soup is for you.")], []),
        (ASKED, [sends("Ann, the soup is for you.")], ["wrong person"]),
        (ASKED, [sends("Eine Suppe ist doch auch nicht schlecht.")], ["wrong language"]),
        (ASKED, [sends("A soup."), waits(300), sends("And the soup?")], ["a task nobody asked for"]),
        (ASKED, [sends("A soup."), sends("And"), sends("a salad.")], ["too much"]),
        (REMINDER, [sends("I will."), waits(600), sends("Time for tea!")], []),
        (REMINDER, [sends("I will remind you in 10 minutes"), waits(600), sends("Time for tea!")], []),
        (REMINDER, [sends("Remind me in 10 minutes!"), waits(600), sends("Time for tea!")], ["echo"]),
        (REMINDER, [schedules("Time for tea!")], []),
        (REMINDER, [sends("I will."), schedules("Time for tea!")], []),
        (REMINDER, [schedules("Time for tea!", "10 hours")], ["wrong time"]),
        (REMINDER, [schedules("Time for coffee!")], ["wrong time"]),
        (ASKED, [sends("A soup."), schedules("And the soup?")], ["a task nobody asked for"]),
        (REMINDER, [sends("I will."), waits(60), sends("Time for tea!")], ["wrong time"]),
        (REMINDER, [sends("I will."), waits(600), sends("Hello!")], ["wrong time"]),
        (REMINDER, [sends("Time for tea in 10 minutes.")], ["wrong time"]),
        (SILENT, [], []),
        (SILENT, [sends("As you wish.")], ["speaks"]),
    ],
)
def test_what_is_wrong_with_a_plan(moment: Moment, tasks: list[dict[str, Any]], faults: list[str]) -> None:
    assert faults_of(moment, tasks) == faults


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "What can I do for you?"),
        ("de", "Das ist eine gute Idee, was kann ich für dich tun?"),
        ("es", "¿Qué tal una sopa para la cena?"),
        ("uk", "Що я можу для вас зробити?"),
        ("en", "Paris."),
    ],
)
def test_a_language_is_told_from_the_others(language: str, text: str) -> None:
    others = {"en", "de", "es", "uk"} - {language}
    assert is_in(language, text)
    assert not any(is_in(other, text) for other in others) or text == "Paris."


def test_russian_is_not_ukrainian() -> None:
    assert not is_in("uk", "Что мы будем делать вечером, ты знаешь?")
