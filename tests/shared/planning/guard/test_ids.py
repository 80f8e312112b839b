"""Ids in prose are removed with their labels; other numbers and every other text stay."""

import re
from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.planning.guard.headers import may_become_header
from shared.planning.guard.ids import ID_FIELDS, IdKind, TelegramId, ids_in, may_become_id, without_ids
from shared.planning.prompt.meta import PromptKnowledge, full_header, meta_header, place_header, sent_header
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.message import Author, QuotedMessage
from tests.shared.examples import ANN, PROPERTY, said
from tests.shared.planning.prompt.scenes import TEXTS

IDS = frozenset(
    {
        *(TelegramId(IdKind.MESSAGE, 1005), TelegramId(IdKind.USER, 1006), TelegramId(IdKind.USER, 1_100_000_001)),
        TelegramId(IdKind.CHAT, -1_002_000_000_001),
    }
)
SMALL = frozenset(TelegramId(kind, number) for kind in IdKind for number in range(1, 61))


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


@pytest.mark.parametrize(
    "text",
    [
        *("I read user id 1100000001 twice", "Your user ID: 1100000001", "Your user_id: 1100000001", "User ID: 1006"),
        *("The message id is 1005.", "It was message id 1005, I think", "Your chat id is -1002000000001"),
        *("In response to message 1005, we left.", "f(message_id=1005)", "WHERE message_id=1005"),
        *("- User ID: 1100000001\n- Chat ID: -1002000000001", "CHAT_ID: -1002000000001 x"),
    ],
)  # fmt: skip
def test_an_id_in_a_sentence_or_a_program_stays(text: str) -> None:
    assert without_ids(text, IDS) == text


def test_ids_that_somebody_asked_for_stay() -> None:
    assert without_ids("message_id: 1005", IDS, is_asked=True) == "message_id: 1005"
    assert without_ids("Replying to message 1005: yes", IDS, is_asked=True) == "yes", "nobody asked for that"


@pytest.mark.parametrize(
    "text",
    [
        *("SELECT * FROM users WHERE user_id = 1005;", "Rows with user_id=1005 are admins", '{"user_id": 1005}'),
        *("Error: user id 1005 not found.", "thread id 1005 crashed", "chat_id: 1100000001", "message id 1006"),
    ],
)  # fmt: skip
def test_a_number_of_another_kind_stays(text: str) -> None:
    assert without_ids(text, IDS) == text


@pytest.mark.parametrize(
    "text",
    [
        *("SELECT * FROM m WHERE message_id = 7;", "if message_id == 7:", '{"message_id": 7}', "thread id 3 crashed"),
        *("Error: user id 7 not found.", "Answer to 12: it is 7.", "Antwort auf die 3: b)"),
        *("In response to 9, we left.", "/users?user_id=7&x", "m.message_id: 7"),
        *("Відповідь на 5: так", "Reply to #12: done", "https://a.b/?message_id=7"),
        *("メッセージ 7: はい", "الرسالة 7: نعم", "| message_id | 7 |"),
    ],
)  # fmt: skip
def test_small_numbers_are_mostly_something_else(text: str) -> None:
    assert without_ids(text, SMALL) == text


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        *(("Replying to message 12: yes", "yes"), ("Antwort auf Nachricht 3: ja", "ja"), ("message_id: 7 yes", "yes")),
        *(("Message ID: 7\nyes", "\nyes"), ("yes (message_id 7)", "yes"), ("（message_id: 7）はい", "はい")),
        *(("У відповідь на повідомлення №7 — так", "так"), ("Topic ID: 3 yes", "yes")),
    ],
)  # fmt: skip
def test_small_numbers_that_say_that_they_are_ids_go(text: str, rest: str) -> None:
    assert without_ids(text, SMALL) == rest


def test_a_long_number_needs_no_word_for_a_message() -> None:
    assert without_ids("In response to 1005: yes", IDS) == "yes"
    assert without_ids("In response to 1006: yes", IDS) == "In response to 1006: yes", "a user's"


def test_the_ids_of_a_text_are_known_by_their_kinds() -> None:
    assert list(ids_in("Topic ID: 3, reply_to_message_id=4 forwarded_from_user_id=5 chat id -6")) == [
        TelegramId(IdKind.THREAD, 3), TelegramId(IdKind.MESSAGE, 4), TelegramId(IdKind.USER, 5),
        TelegramId(IdKind.CHAT, -6),
    ]  # fmt: skip


def test_a_prompt_without_ids_has_none_to_lose() -> None:
    assert without_ids("Replying to message 1005: yes", frozenset()) == "Replying to message 1005: yes"
    assert may_become_id("Replying to mess", frozenset()) == len("Replying to mess")


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
    assert may_become_id(f"Well, so.\n{begun}", IDS) == len("Well, so.\n")


@pytest.mark.parametrize(
    "text", ["Hello there.", "Reply to Ann when you can", "the user is", "ids are fine", "Really it"]
)
def test_other_texts_end_where_they_end(text: str) -> None:
    assert may_become_id(text, IDS) == len(text)


@pytest.mark.parametrize(
    "unit", [" ", "\t", "*", "> ", "(", "_", "message id ", "re: to the message id ", "1", "(message_id"]
)
def test_what_a_model_repeats_for_ever_is_read_to_its_end(unit: str) -> None:
    # a model that is stuck fills its whole answer with one piece; a search that tried each begin would take minutes
    text = unit * (60_000 // len(unit)) + "x"
    assert without_ids(text, IDS) == text
    assert may_become_id(text, IDS) <= len(text)


def test_marks_behind_other_signs_may_begin_one_too() -> None:
    assert may_become_id("<b>**", IDS) == len("<b>")
    assert may_become_id("**bold**", IDS) == len("**bold**")


def rendered_fields() -> set[str]:
    """Return the names of all fields that headers can have."""
    key, bob = ChatKey(agent="lull", chat_id=-100, topic_id=7), Author(id=7, name="Bob", username="bob")
    quotes = (
        QuotedMessage(message_id=4, author=bob, forwarded_from=bob, excerpt="so"),
        QuotedMessage(message_id=0, author=bob, excerpt="so"),
    )
    messages = [said("hi", bob, 5, reply=quote, forwarded_from=ANN) for quote in quotes]
    headers = (
        *(full_header(message, key, UTC) for message in messages),
        *(meta_header(message, PromptKnowledge(), UTC) for message in messages),
        *(place_header(key, ChatKind.SUPERGROUP), sent_header([1])),
    )
    return {name for header in headers for name in re.findall(r"(\w+)=", header)}


def test_the_guard_knows_every_id_that_a_header_can_have() -> None:
    assert {name for name in rendered_fields() if name.endswith("_id")} == set(ID_FIELDS.split("|"))


def test_the_guard_knows_every_field_that_a_header_can_have() -> None:
    assert [name for name in rendered_fields() if may_become_header(f"{name}=", IDS)] == []
