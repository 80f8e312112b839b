"""Commands: the webhook (in raw updates) and the tick (in entries) find the same commands."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared.base.text import WrittenCommand, abridge, command_in, entities_from, fit_line, is_blank
from shared.deciding.addressing import written_command
from shared.telegram.inbound.entries import entry_of
from shared.telegram.inbound.urgency import AgentNames, UpdateUrgency, urgency_of
from shared.values.message import Message
from tests.shared.examples import BOT_ID, PROPERTY, message_update, update_of

AT_THE_START = ({"type": "bot_command", "offset": 0, "length": 5},)
PIECES = ["/stop", "/STOP", "/stopp", "@", "@lull_bot", "@other_bot", "/", " ", "!", "x", "é", "all", "\n", "\ud83d"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/Stop@Lull_Bot now", WrittenCommand("stop", "lull_bot", " now")),
        ("/stop", WrittenCommand("stop")),
        ("/stop!", WrittenCommand("stop", "", "!")),
        ("/stop@ all", None),
        ("/stop/it", None),
        (" /stop", None),
    ],
)
def test_a_command_is_what_a_text_starts_with(text: str, expected: WrittenCommand | None) -> None:
    assert command_in(text, entities_from(AT_THE_START)) == expected
    assert command_in(text, ()) is None


@pytest.mark.parametrize(
    ("text", "expected"), [("", ""), ("four", "four"), ("fives", "fiv…"), ("to be", "to…"), ("a b c", "a b…")]
)
def test_an_abridged_text_is_no_longer_than_it_may_be_and_says_that_it_is_cut(text: str, expected: str) -> None:
    assert abridge(text, 4) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("six in", "six in"),
        ("a b c d e", "a b c…"),
        ("MAMMA", "MAM…"),
        ("花壇花", "花壇花"),
        ("花壇花壇", "花壇…"),
        ("éééééé" * 2, "ééééé…"),
    ],
)
def test_wide_characters_take_more_of_a_line(text: str, expected: str) -> None:
    assert fit_line(unicodedata.normalize("NFD", text), 6) == unicodedata.normalize("NFD", expected)


@PROPERTY
@given(st.lists(st.sampled_from(PIECES), max_size=4).map("".join), st.booleans())
@example("/stop@ all", False)
@example("/stop", True)
def test_the_webhook_and_the_tick_find_the_same_stop_commands(text: str, is_caption: bool) -> None:
    raw = message_update(7, text, entities=AT_THE_START)
    if is_caption:
        raw["message"] |= {"text": None, "entities": None, "caption": text, "caption_entities": AT_THE_START}
    update = update_of(raw)
    entry = entry_of(update, BOT_ID)
    assert isinstance(entry, Message)
    written = written_command(entry)
    is_stop = written is not None and written.name == "stop" and written.username in {"", "lull_bot"}
    found = urgency_of(update.envelope, raw, lambda: AgentNames(usernames=("Lull_Bot",)), is_active=False)
    assert (found is UpdateUrgency.STOP) is is_stop


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize(
    "nothing",
    [
        *("\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u202a", "\u202e", "\u2060", "\u2061", "\u2064", "\u2069"),
        *("\u2800", "\u3164", "\u115f", "\u1160", "\uffa0", "\u00ad", "\ufeff", "\u180e", "\u034f", "\u061c", "\u17b4"),
        *("\ufe0f", "\ufe0e", "\U000e0100", "\U000e0041", "\U000e0001", "\ufffc", "\u2028", "\x00", "\x1b", "\u2065"),
        *(" ", "\u00a0", "\u3000", "\u1680", "\n", "\u0301", "\u20dd", "\U0001d173", " \u200b\u3164\ufe0f\n"),
    ],
)
def test_invisible_text_is_blank(nothing: str, times: int) -> None:
    assert is_blank(nothing * times)
    assert not is_blank(f"{nothing}a{nothing}")


@pytest.mark.parametrize(
    "seen",
    [
        *(
            "a",
            "0",
            ".",
            "…",
            "—",
            "€",
            "☃",
            "👍",
            "👍🏽",
            "🏻",
            "1\ufe0f\u20e3",
            "co\u00adop",
            "می\u200cخواهم",
            "e\u0301",
        ),
        *("का", "한", "⣿", "۝", "\ue000", "\U0001fae9", "🏴\U000e0067\U000e0062\U000e007f", "\u200f(", "\ufffd"),
    ],
)
def test_visible_text_is_not_blank(seen: str) -> None:
    assert not is_blank(seen)


def test_no_text_at_all_is_blank() -> None:
    assert is_blank("")
