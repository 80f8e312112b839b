import json

import pytest

from local.telegram.errors import BotApiError
from local.telegram.parameters import parse_parameters
from local.telegram.uploads import UploadedFile

PICTURE = UploadedFile(name="a.png", mime_type="image/png", content=b"x")


def refusal(method: str, **raw: object) -> str:
    with pytest.raises(BotApiError) as refused:
        parse_parameters(method, raw)
    assert refused.value.code == 400
    return refused.value.description.removeprefix("Bad Request: ")


def test_a_forms_strings_become_what_they_stand_for() -> None:
    form = {
        "chat_id": "-100",
        "text": "5",
        "disable_notification": "True",
        "reply_parameters": json.dumps({"message_id": 3}),
        "entities": "[]",
        "unknown": "left out",
    }
    assert parse_parameters("sendMessage", form) == {
        "chat_id": -100,
        "text": "5",
        "disable_notification": True,
        "reply_parameters": {"message_id": 3},
        "entities": [],
    }


def test_json_comes_as_it_is() -> None:
    raw = {"chat_id": 1, "text": "x", "reply_markup": {"inline_keyboard": [[{"text": "a", "callback_data": "b"}]]}}
    assert parse_parameters("SENDMESSAGE", raw) == raw


def test_a_name_that_is_no_number_stays_a_string() -> None:
    assert parse_parameters("getChat", {"chat_id": "@name"}) == {"chat_id": "@name"}
    assert parse_parameters("getStickerSet", {"name": 5}) == {"name": "5"}


def test_old_names_still_work() -> None:
    raw = {"chat_id": 1, "text": "x", "reply_to_message_id": "3", "allow_sending_without_reply": "true"}
    expected = {"message_id": 3, "allow_sending_without_reply": True}
    assert parse_parameters("sendMessage", raw)["reply_parameters"] == expected


def test_a_file_may_be_named_by_an_attachment() -> None:
    raw = {"chat_id": 1, "photo": "attach://mine", "mine": PICTURE}
    assert parse_parameters("sendPhoto", raw)["photo"] is PICTURE


@pytest.mark.parametrize(
    ("method", "raw", "reason"),
    [
        ("sendMessage", {}, "message text is empty"),
        ("sendMessage", {"text": "x"}, "chat_id is empty"),
        ("sendMessage", {"text": "x", "chat_id": ""}, "chat_id is empty"),
        ("sendPhoto", {"chat_id": 1}, "there is no photo in the request"),
        ("sendVideoNote", {"chat_id": 1}, "there is no video note in the request"),
        ("getChatMember", {"chat_id": 1}, "invalid user_id specified"),
        ("setMyCommands", {}, 'parameter "commands" is required'),
    ],
)
def test_what_is_missing_is_said_in_telegrams_words(method: str, raw: dict[str, object], reason: str) -> None:
    assert refusal(method, **raw) == reason


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("reply_parameters", {"quote": "x"}, 'can\'t find field "message_id"'),
        ("reply_parameters", "{", "can't parse reply parameters JSON object"),
        ("link_preview_options", {"is_disabled": "yes"}, 'field "is_disabled" must be of type Boolean'),
        ("reply_markup", {"inline_keyboard": "bad"}, 'field "inline_keyboard" must be of type Array'),
        ("reply_markup", {"force_reply": "yes"}, 'field "force_reply" must be of type Boolean'),
        (
            "reply_markup",
            {"inline_keyboard": [[{"callback_data": "x"}]]},
            "can't parse inline keyboard button: Can't find field \"text\"",
        ),
        ("entities", [{"type": "bold", "offset": 0}], "can't parse MessageEntity: Can't find field \"length\""),
        ("message_thread_id", "x", 'parameter "message_thread_id" must be of type Integer'),
        ("disable_notification", 7, 'parameter "disable_notification" must be of type Boolean'),
        ("text", PICTURE, 'parameter "text" must not be a file'),
    ],
)
def test_what_is_of_the_wrong_type_is_refused(name: str, value: object, reason: str) -> None:
    assert refusal("sendMessage", **{"chat_id": 1, "text": "x", name: value}) == reason
