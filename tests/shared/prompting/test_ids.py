"""Ids in prose go with what they are called; numbers that are none stay, and so does every other text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.prompting.ids import may_become_id, without_ids
from tests.shared.prompting.scenes import TEXTS
from tests.shared.values import PROPERTY

IDS = frozenset({1005, 1006, 1_100_000_001, -1_002_000_000_001})


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Replying to message 1005: yes", "yes"),
        ("> In reply to message #1005 — yes", "yes"),
        ("**Replying to message 1005:** yes", "yes"),
        ("Sure.\nRe: message id 1005\nyes", "Sure.\n\nyes"),
        ("(responding to message 1005) yes", "yes"),
        ("Antwort auf Nachricht 1005: ja", "ja"),
        ("Відповідь на повідомлення 1005: так", "так"),
        ("message_id: 1005 yes", "yes"),
        ("message_id=1005, user_id: 1100000001 yes", "yes"),
        ("(message_id 1005) yes", "yes"),
        ("yes (message_id: 1005).", "yes."),
        ("yes [message_id: 1005, chat_id: -1002000000001] no", "yes no"),
        ("chat_id -1002000000001 ok", "ok"),
        ("Message ID: 1005\nyes", "\nyes"),
        ("**message_id:** 1005 yes", "yes"),
        ('{"message_id": 1005, "text": "yes"}', '{"text": "yes"}'),
        ("I read message_id 1005, and so did Ann", "I read, and so did Ann"),
        ("I read user id 1100000001 twice", "I read twice"),
        ("it is message_id 1005!", "it is!"),
        ("yes message_id 1005 ", "yes"),
        ("yes message_id 1005 user_id 1006 no", "yes no"),
    ],
)  # fmt: skip
def test_ids_go(text: str, rest: str) -> None:
    assert without_ids(text, IDS) == rest


@pytest.mark.parametrize(
    "text",
    [
        *("message_id: 7 is theirs", "Replying to message 7: yes", "order 1005", "it took 1005 ms: a message"),
        *("id 1005", "user_id 1005.5", "message_id 1005th", "my_message_id 1005", "a message: 1005 people"),
        *("Reply to Ann: 1005", "Reply to message 1005 when you can", "See message 1005 above", "Message 1005: hello"),
        *("chat_id is a number", "The message id is 1005 characters long", "Re: 1005", "message_ids 1005",),
        "Replying to message 1005th: x",
    ],
)  # fmt: skip
def test_what_only_looks_so_stays(text: str) -> None:
    assert without_ids(text, IDS) == text


NUMBERS = st.sampled_from(["1005", "-1002000000001", " 1006: ", "(1005)", "#1005 ", "message 1005 ", "id 1005", "user"])
NAMED = re.compile(r"_id|\bid\b|message|повідомлення|nachricht", re.IGNORECASE)


@PROPERTY
@given(st.lists(TEXTS | NUMBERS, max_size=8).map(" ".join))
def test_a_text_that_names_no_id_is_the_same_to_the_byte(text: str) -> None:
    text = NAMED.sub("", text)
    assert without_ids(text, IDS) == text


@pytest.mark.parametrize(
    "begun",
    [
        *("Repl", "Replying to", "Replying to message 10", "In reply to message #", "Antwort auf Nach", "(re"),
        *(
            "(message_id",
            "message_id: ",
            "message_id: 1005, ",
            "**message_id:** 1",
            "message i",
            "Message ID: 1005",
            "**",
        ),
    ],
)
def test_what_may_become_one_is_known_from_its_begin(begun: str) -> None:
    assert may_become_id(f"Well, so.\n{begun}") == len("Well, so.\n")


@pytest.mark.parametrize(
    "text", ["Hello there.", "Reply to Ann when you can", "the user is", "ids are fine", "Really it"]
)
def test_other_texts_end_where_they_end(text: str) -> None:
    assert may_become_id(text) == len(text)


@pytest.mark.parametrize("unit", [" ", "\t", "*", "> ", "(", "_", "message id ", "re: to the message id ", "1"])
def test_what_a_model_repeats_for_ever_is_read_to_its_end(unit: str) -> None:
    # a model that is stuck fills its whole answer with one piece; a search that tried each begin would take minutes
    text = unit * (60_000 // len(unit)) + "x"
    assert without_ids(text, IDS) == text
    assert may_become_id(text) <= len(text)
