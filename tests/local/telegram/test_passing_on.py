"""Passing on messages of another chat."""

from typing import Any

import pytest

from tests.local.telegram.scene import Json, Scene


async def garden(sandbox: Scene, **fields: Any) -> str:
    """Make a group of Ann, Bob and the bot, which can read all messages."""
    group = {"type": "supergroup", "title": "Garden", "members": [sandbox.ann, sandbox.bob], "bots": [sandbox.marvin]}
    made = await sandbox.act("POST", "/world/chats", group | {"admins": [sandbox.marvin]} | fields)
    await sandbox.updates()
    key: str = made["key"]
    return key


async def of_group(sandbox: Scene, key: str, who: int, text: str) -> Json:
    said = await sandbox.say(key, who, text)
    return {"chat": key, "message_id": said["message_id"]}


async def test_a_forward_says_whose_words_it_carries(sandbox: Scene) -> None:
    key = await garden(sandbox)
    source = await of_group(sandbox, key, sandbox.bob, "I **owe** Ann 500 euros")
    shown = await sandbox.say(sandbox.private, sandbox.ann, "", forward_of=source)
    assert (shown["text"], shown["forwarded_from"]) == ("I owe Ann 500 euros", "Боб")
    written, forwarded = [update["message"] for update in await sandbox.updates()]
    assert forwarded["from"]["id"] == sandbox.ann
    assert forwarded["forward_origin"] == {"type": "user", "date": written["date"], "sender_user": written["from"]}
    assert [entity["type"] for entity in forwarded["entities"]] == ["bold"]


async def test_a_forward_of_a_forward_is_still_the_first_authors(sandbox: Scene) -> None:
    key = await garden(sandbox)
    source = await of_group(sandbox, key, sandbox.bob, "hm")
    second = await sandbox.say(sandbox.private, sandbox.ann, "", forward_of=source)
    await sandbox.say(key, sandbox.ann, "", forward_of={"chat": sandbox.private, "message_id": second["message_id"]})
    *_, update = await sandbox.updates()
    assert update["message"]["forward_origin"]["sender_user"]["id"] == sandbox.bob


async def test_who_hides_their_account_is_a_name_alone(sandbox: Scene) -> None:
    cem = await sandbox.act("POST", "/world/people", {"first_name": "Cem", "last_name": "Y.", "hides_account": True})
    key = await garden(sandbox, members=[sandbox.ann, cem["id"]])
    source = await of_group(sandbox, key, cem["id"], "hm")
    await sandbox.say(sandbox.private, sandbox.ann, "", forward_of=source)
    _, update = await sandbox.updates()
    origin = update["message"]["forward_origin"]
    assert (origin["type"], origin["sender_user_name"]) == ("hidden_user", "Cem Y.")
    assert "sender_user" not in origin


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("cats", {"text": "cats", "position": 8, "is_manual": True}),
        (None, {"text": "I think cats are best", "position": 0}),
    ],
)
async def test_a_reply_to_another_chat_carries_what_it_quotes(
    sandbox: Scene, quote: str | None, expected: Json
) -> None:
    key = await garden(sandbox)
    place = await of_group(sandbox, key, sandbox.bob, "I think cats are best")
    shown = await sandbox.say(sandbox.private, sandbox.ann, "do you agree?", reply_elsewhere=place, quote=quote)
    assert (shown["reply_to"], shown["reply_elsewhere"], shown["quote"]) == (None, "Боб", expected["text"])
    _, update = await sandbox.updates()
    message = update["message"]
    assert "reply_to_message" not in message
    assert message["quote"] == expected
    external = message["external_reply"]
    assert external["origin"]["sender_user"]["id"] == sandbox.bob
    assert (external["chat"]["title"], external["message_id"]) == ("Garden", place["message_id"])


async def test_only_what_one_can_read_is_passed_on(sandbox: Scene) -> None:
    key = await garden(sandbox)
    secret = await sandbox.say(sandbox.private, sandbox.ann, "secret")
    place = {"chat": sandbox.private, "message_id": secret["message_id"]}
    for extra in ({"forward_of": place}, {"text": "see", "reply_elsewhere": place}):
        answer = await sandbox.http.post(f"/world/chats/{key}/messages", json={"from": sandbox.bob, **extra})
        assert (answer.status_code, answer.json()["error"]) == (403, "Боб is not in the chat of that message.")
    for missing in ({"chat": "nowhere", "message_id": 1}, {"chat": key, "message_id": 999}):
        answer = await sandbox.http.post(
            f"/world/chats/{key}/messages", json={"from": sandbox.ann, "forward_of": missing}
        )
        assert answer.status_code == 404
    answer = await sandbox.http.post(
        f"/world/chats/{key}/messages", json={"from": sandbox.ann, "text": "x", "reply_elsewhere": place, "quote": "no"}
    )
    assert answer.json()["error"] == "The quoted words are not in the message that is replied to."


async def test_what_is_protected_is_passed_on_by_nobody(sandbox: Scene) -> None:
    key = await garden(sandbox)
    sent = await sandbox.call("sendMessage", chat_id=sandbox.ann, text="for you alone", protect_content=True)
    assert sent["has_protected_content"] is True
    place = {"chat": sandbox.private, "message_id": sent["message_id"]}
    for there in (key, sandbox.private):
        for extra in ({"forward_of": place}, {"text": "see", "reply_elsewhere": place}):
            told = await sandbox.refused("POST", f"/world/chats/{there}/messages", {"from": sandbox.ann, **extra})
            assert told == "This message is protected: it can be neither forwarded nor quoted in another chat."
    await sandbox.say(sandbox.private, sandbox.ann, "what is that?", reply_to=sent["message_id"])
    *_, update = await sandbox.updates()
    assert update["message"]["reply_to_message"]["text"] == "for you alone"
    assert "has_protected_content" not in update["message"]
