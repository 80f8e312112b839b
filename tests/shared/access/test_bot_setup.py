"""Explanations of a bot's settings to its owner."""

import pytest

from shared.access.bot_setup import joining_text, privacy_text
from shared.values.channel import BotIdentity
from tests.shared.own_words import ENGLISH


def bot(*, reads_all: bool = False, joins: bool = False) -> BotIdentity:
    return BotIdentity(
        id=1, username="lull_bot", first_name="lull", can_read_all_group_messages=reads_all, can_join_groups=joins
    )


@pytest.mark.parametrize(("reads_all", "state", "change"), [(False, "on", "Disable"), (True, "off", "Enable")])
def test_privacy_mode_is_told_both_ways(reads_all: bool, state: str, change: str) -> None:
    told = privacy_text(bot(reads_all=reads_all), ENGLISH, "@lull_bot")
    assert told.startswith(f"Privacy mode is {state}: ")
    assert "@lull_bot receives" in told
    assert f"@BotFather → /setprivacy → {change}, then remove it" in told


@pytest.mark.parametrize(("joins", "who", "change"), [(True, "Anyone can", "Disable"), (False, "Nobody can", "Enable")])
def test_joining_groups_is_told_both_ways(joins: bool, who: str, change: str) -> None:
    told = joining_text(bot(joins=joins), ENGLISH, "@lull_bot")
    assert told.startswith(f"{who} add @lull_bot to ")
    assert told.endswith(f"@BotFather → /setjoingroups → {change}.")
