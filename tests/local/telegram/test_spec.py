import json
from pathlib import Path

import pytest

from local.telegram.spec import bot_api, problems

SCHEMA = Path(__file__).parents[3] / "local" / "telegram" / "schema"
USER = {"id": 1, "is_bot": False, "first_name": "Ann"}


def reasons(value: object, *types: str, strict: bool = True) -> list[str]:
    return [problem.reason for problem in problems(value, types, strict=strict)]


def test_the_specification_is_whole_and_comes_with_its_licence() -> None:
    spec = bot_api()
    assert len(spec.methods) == 180
    assert len(spec.types) == 359
    assert spec.names["sendmessagedraft"] == "sendMessageDraft"
    assert spec.returns["getme"] == ("User",)
    assert "MIT" in (SCHEMA / "LICENSE.txt").read_text(encoding="utf-8")
    assert json.loads((SCHEMA / "bot_api_10.1.json").read_text(encoding="utf-8"))["version"] == spec.version


@pytest.mark.parametrize(
    ("value", "types"),
    [
        (1, ["Integer"]),
        (1.5, ["Float"]),
        ("x", ["Integer", "String"]),
        (True, ["Boolean"]),
        ([USER], ["Array of User"]),
        ([[{"text": "x"}]], ["Array of Array of InlineKeyboardButton"]),
        ({"status": "left", "user": USER}, ["ChatMember"]),
        ({"type": "emoji", "emoji": "👍"}, ["ReactionType"]),
        ({}, ["ForumTopicClosed"]),
    ],
)
def test_what_fits_has_no_problems(value: object, types: list[str]) -> None:
    assert problems(value, types) == []


@pytest.mark.parametrize(
    ("value", "type_", "reason"),
    [
        (True, "Integer", "value must be of type Integer"),
        ("x", "Integer", "value must be of type Integer"),
        (1, "Boolean", "value must be of type Boolean"),
        ({"id": 1, "is_bot": False}, "User", 'Can\'t find field "first_name"'),
        (USER | {"id": "1"}, "User", 'Field "id" must be of type Integer'),
        (USER | {"shoe_size": 9}, "User", 'Field "shoe_size" is not in the specification'),
        ({"inline_keyboard": "x"}, "InlineKeyboardMarkup", 'Field "inline_keyboard" must be of type Array'),
        ([1], "User", "value must be of type Object"),
    ],
)
def test_what_does_not_fit_says_why(value: object, type_: str, reason: str) -> None:
    assert reasons(value, type_) == [reason]


def test_problems_are_told_of_the_alternative_that_was_meant() -> None:
    keyboards = ("InlineKeyboardMarkup", "ReplyKeyboardMarkup", "ReplyKeyboardRemove", "ForceReply")
    assert reasons({"force_reply": "yes"}, *keyboards) == ['Field "force_reply" must be of type Boolean']
    assert reasons({"status": "administrator", "user": {}, "is_anonymous": False}, "ChatMember")[0].startswith(
        "Can't find"
    )


def test_telegram_ignores_fields_that_it_does_not_know() -> None:
    assert reasons(USER | {"shoe_size": 9}, "User", strict=False) == []


def test_a_problem_says_where_it_is() -> None:
    (problem,) = problems({"inline_keyboard": [[{"text": 1}]]}, ["InlineKeyboardMarkup"], "reply_markup")
    assert problem.where == "reply_markup.inline_keyboard[0][0].text"
    assert problem.type_ == "InlineKeyboardButton"
