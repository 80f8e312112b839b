"""What the owner is told of Telegram's privacy mode."""

import pytest

from shared.deciding.privacy import privacy_notice
from shared.models.channel import BotIdentity
from shared.models.chat import ChatKind


def bot(reads_all: bool) -> BotIdentity:
    return BotIdentity(id=1, username="lull_bot", first_name="lull", can_read_all_group_messages=reads_all)


@pytest.mark.parametrize("kind", [ChatKind.GROUP, ChatKind.SUPERGROUP])
def test_in_a_group_it_says_what_is_and_how_to_change_it(kind: ChatKind) -> None:
    on, off = privacy_notice(bot(False), kind), privacy_notice(bot(True), kind)
    assert on.startswith("Privacy mode is on")
    assert off.startswith("Privacy mode is off")
    for notice, change in ((on, "Turn off"), (off, "Turn on")):
        assert f"@BotFather → /mybots → @lull_bot → Bot Settings → Group Privacy → {change}" in notice
        assert "remove me from the group and add me again" in notice


@pytest.mark.parametrize("kind", [ChatKind.PRIVATE, ChatKind.CHANNEL, ChatKind.NONE])
@pytest.mark.parametrize("reads_all", [True, False])
def test_elsewhere_it_means_nothing(kind: ChatKind, reads_all: bool) -> None:
    assert privacy_notice(bot(reads_all), kind) == ""
