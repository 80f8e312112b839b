"""/mute, for a while or without end."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from shared.commands.mute import length_of, respond, silences
from shared.values.access_action import FOREVER
from tests.shared.commands.requests import asked
from tests.shared.examples import NOW
from tests.shared.own_words import HOW_TO_MUTE


@pytest.mark.parametrize(
    ("written", "minutes"),
    [
        ("30m", 30), ("2h", 120), ("1d", 1440), ("1w", 10080), ("2 hours", 120), ("1 day", 1440), ("45 mins", 45),
        ("1H30M", 90), ("1d, 2h", 1560), ("366d", 527_040), ("10 minutes", 10), ("1 minute", 1), ("90 Minutes", 90),
        ("1 min", 1), ("1 hr", 60), ("2hrs", 120), ("1 hour", 60), ("1hour 30minutes", 90), ("3 days", 4320),
        ("1 week", 10_080), ("2 weeks", 20_160), ("1 wk", 10_080), ("10\u00a0minutes", 10),
    ],
)  # fmt: skip
def test_a_length_is_read(written: str, minutes: int) -> None:
    assert length_of(written) == timedelta(minutes=minutes)


@pytest.mark.parametrize(
    "written",
    [
        "30", "h", "soon", "2h please", "0m", "367d", "-1h", "999999w", "999999w " * 150, "1.5h", "10 moons", "٣h",
        "10 minuteses", "2 hs", "2 hous", "10 mé", "10 mін", "1h_", "minutes",
    ],
)  # fmt: skip
def test_ignores_an_unreadable_length(written: str) -> None:
    assert length_of(written) is None


def test_a_chat_is_muted_for_a_while_or_for_good() -> None:
    assert respond(asked("2h")).changes == {"muted_until": NOW + timedelta(hours=2)}
    assert "until 1 March, 14:00 (UTC)," in respond(asked("2h")).text
    assert "until 1 March, 16:00 (Europe/Kyiv)," in respond(asked("2h", zone=ZoneInfo("Europe/Kyiv"))).text
    assert respond(asked()).changes == {"muted_until": FOREVER}


def test_wrong_use_explains_itself() -> None:
    found = respond(asked("a *while*"))
    assert (found.changes, HOW_TO_MUTE in found.text, r"“a \*while\*”" in found.text) == ({}, True, True)


@pytest.mark.parametrize(("argument", "silent"), [("", True), ("2h", True), ("soon", False), ("999999w", False)])
def test_cancels_the_plan_only_if_it_mutes(argument: str, silent: bool) -> None:
    assert silences(argument) is bool(respond(asked(argument)).changes) is silent
