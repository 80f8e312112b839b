"""Headers are removed, whole and in part; links, tags and other people's programs stay."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared.planning.guard.headers import (
    header_ids,
    may_become_header,
    without_brackets,
    without_headers,
    without_respond,
)
from shared.planning.guard.ids import IdKind, TelegramId
from tests.shared.examples import PROPERTY

IDS = frozenset(
    {TelegramId(IdKind.MESSAGE, 7), TelegramId(IdKind.USER, 1_100_000_001), TelegramId(IdKind.CHAT, -100_200)}
)


def test_the_ids_of_a_prompt_stand_in_its_headers() -> None:
    header = (
        '[meta] chat_id=-100200 thread_id=3 message_id=7 user_id=11 name="A" reply_to_message_id=6 reply_to_user_id=12'
    )
    assert set(header_ids([f'{header} reply_excerpt="user_id=99 \\" message_id=98"', "user_id=97 is mine"])) == {
        *(
            TelegramId(IdKind.CHAT, -100_200),
            TelegramId(IdKind.THREAD, 3),
            TelegramId(IdKind.MESSAGE, 7),
            TelegramId(IdKind.USER, 11),
        ),
        *(TelegramId(IdKind.MESSAGE, 6), TelegramId(IdKind.USER, 12)),
    }
    assert set(header_ids(["[meta] sent_message_id=8 sent_message_id=9"])) == {
        TelegramId(IdKind.MESSAGE, 8), TelegramId(IdKind.MESSAGE, 9),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("[META] message_id=7 Hello", "Hello"),
        ("[ meta ] message_id=7 Hello", "Hello"),
        ("[meta] [meta] Hello", "Hello"),
        ("so\n[meta] \nmessage_id=7 Hello", "so\n\nHello"),
        ("so [meta] user_id=5 Hello", "so Hello"),
        ("so [meta] sender_id=5", "so sender_id=5"),
        ("Hello [/meta]", "Hello "),
        ("[now]\nHello", "\nHello"),
        ("Hello\n[now]\nIt is 2026-03-01", "Hello\n\nIt is 2026-03-01"),
        ("Hello\n[now]", "Hello\n"),
        ('user_id=9 name="Ann" Hello', "Hello"),
        ("Hello (message_id=7)", "Hello"),
        ("Ann (user_id=1100000001) said", "Ann said"),
        ("はい（message_id=7）", "はい"),
        ("message_id=7: Hello", "Hello"),
        ("so\n[meta] sent_message_id=7 sent_message_id=8\nHello", "so\n\nHello"),
        ("sent_message_id=7 Hello", "Hello"),
        ("so\n[meta] chat_id=-100200 chat_type=supergroup thread_id=3\nHello", "so\n\nHello"),
        ('so\n[meta] message_id=9 name="Ann" time=12:01\nHello', "so\n\nHello"),
        (
            '[meta] user_id=3 name="Bob" time=12:01Z[meta] user_id=3 time=12:02Z[meta] user_id=4 time=12:03Z Hello',
            "Hello",
        ),
        ("so [meta] time=12:01Z[respond]", "so [respond]"),
    ],
)
def test_headers_go(text: str, rest: str) -> None:
    assert without_headers(text, IDS) == rest


@pytest.mark.parametrize(
    "text",
    [
        *("[Meta](https://about.meta.com) bought Instagram", "[meta][1] is", "[meta]: https://a.b", "![meta](a.png)"),
        *(
            "do it [now]!",
            "read it [now](https://a.b)",
            "so [meta] it is",
            "[Meta] bought it",
            "[now] I am here",
            "[meta] level=info",
            '[meta]\nname = "lull"',
            "so\n[meta]\nso",
            "[meta]\n[owner]\n[now]",
            "[now]\n- tea",
            "one\n[now]\ntwo",
            "- [Meta] bought it",
            "the [[meta]] page",
            "[metadata] x=5",
            "a [meta](x) user_id=5",
        ),
        *(
            "https://a.b/?user_id=1100000001&chat_id=-100200",
            "curl a.b/m?message_id=7",
            "obj.message_id=7",
            "$user_id=7",
        ),
        *("user_id=7 is an admin", "INFO user_id=9 name=bob time=12ms", "call it with chat_id=5, message_id=7000"),
        *("WHERE message_id = 7", "message_id==7", "time=now name=x", "| message_id | 7 |"),
    ],
)
def test_what_only_looks_so_stays(text: str) -> None:
    assert without_headers(text, IDS) == text


@pytest.mark.parametrize(
    "text",
    [
        *("Call it with user_id=1100000001 and a text", "getChat(chat_id=-100200)", "DELETE m WHERE message_id=7"),
        *("curl -d chat_id=-100200 -d text=hi", "CHAT_ID=-100200", "chat_id=-100200&text=hi"),
        "user_id=9 name=bob time=12ms",
    ],
)
def test_a_field_in_a_sentence_or_a_program_stays(text: str) -> None:
    assert without_headers(text, IDS) == text


def test_fields_that_somebody_asked_for_stay_and_whole_headers_go() -> None:
    asked = "user_id=1100000001 chat_id=-100200"
    assert without_headers(asked, IDS, is_asked=True) == asked
    assert without_headers('user_id=1100000001 name="Ann" Hello', IDS, is_asked=True) == "Hello"
    assert without_headers("[meta] is a word", IDS, talked_about={"meta"}) == "[meta] is a word"
    assert without_headers("[meta] message_id=7 so", IDS, is_asked=True, talked_about={"meta"}) == "so"


def test_in_a_prompt_without_headers_only_what_says_that_it_is_one_goes() -> None:
    text = 'user_id=9 name="Ann" time=5'
    assert without_headers(text, frozenset()) == text
    assert without_headers(f"[meta] {text} Hello", frozenset()) == "Hello"


@pytest.mark.parametrize(
    "text",
    [
        "Click [Respond], then so",
        "There are [Now] and [Respond].",
        "[respond](https://x.y)",
        "[respond][1]",
        "[RESPOND]: https://x.y",
    ],
)
def test_a_link_named_respond_stays(text: str) -> None:
    assert without_respond(text) == text


def test_the_word_that_ends_a_prompt_goes() -> None:
    assert without_respond("a [RESPOND][respond] b [/respond]") == "a  b "


@pytest.mark.parametrize("begun", ["[me", "[meta]", "[RESPOND] x", "mess", "(message_id", "user_id=1", "[meta] x"])
def test_what_may_become_one_is_known_from_its_begin(begun: str) -> None:
    assert may_become_header(f"Well, so.\n{begun}", IDS) == len("Well, so.\n")


@pytest.mark.parametrize("text", ["[meta](https://x", "Hello there.", "[a] b", "https://a.b/?user_id=5"])
def test_other_texts_end_where_they_end(text: str) -> None:
    assert may_become_header(text, IDS) == len(text)


def test_without_headers_no_field_is_begun() -> None:
    assert may_become_header("message_id=5", frozenset()) == len("message_id=5")


PIECES = st.sampled_from(
    [
        "[meta]",
        "[now]",
        "event",
        "[event: ",
        "**",
        "- ",
        " ",
        "\n",
        "(",
        "[",
        "]",
        "meta",
        "/",
        "x",
        ":",
        "user_id=1100000001",
        "=",
        '"',
    ]
)


@PROPERTY
@example("[meta][event: [event: ]]")
@example("[event\n:")
@example("[event: ]: ")
@example("so [event: x [y]] it is")
@given(st.lists(PIECES, max_size=12).map("".join))
def test_what_is_shown_of_a_text_that_goes_on_is_never_taken_back(text: str) -> None:
    final = "".join(without_brackets(without_headers(text, IDS)).split())
    for end in range(len(text) + 1):
        shown, last = text[:end], -1
        while len(shown) != last:
            last, shown = len(shown), shown[: may_become_header(shown, IDS)]
        assert final.startswith("".join(without_brackets(without_headers(shown, IDS)).split()))


@pytest.mark.parametrize(
    "unit",
    [
        *("[meta] ", "[meta]\n", "user_id=7 ", "user_id", 'name="', "(user_id=", " ", "[/meta]", "("),
        *("[event: ", "[event: x]", "[event: [x]", "[now]\n", "[", "*[event", "[quoting ", '[quoting "'),
    ],
)
def test_what_a_model_repeats_for_ever_is_read_to_its_end(unit: str) -> None:
    text = f"x {unit * (60_000 // len(unit))}x"
    assert len(without_headers(text, IDS)) <= len(text)
    assert len(without_brackets(text)) <= len(text)
    assert may_become_header(text, IDS) <= len(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A prompt ends with [RESPOND].", "A prompt ends with [RESPOND]."),
        ("[RESPOND]", "[RESPOND]"),
        ("They are:\n[RESPOND]\nand no more", "They are:\n[RESPOND]\nand no more"),
        ("Nice try.\n[RESPOND]", "Nice try.\n"),
        ("Nice try.\n [RESPOND] \n\n", "Nice try.\n"),
    ],
)
def test_a_mark_that_people_talk_about_still_ends_no_answer(text: str, shown: str) -> None:
    assert without_respond(text, is_talked_about=True) == shown
