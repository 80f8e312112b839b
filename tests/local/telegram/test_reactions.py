import pytest

from local.telegram.reactions import EMOJI, reaction_emoji
from local.telegram.spec import bot_api


def test_the_list_is_the_one_of_the_specification() -> None:
    assert bot_api().version == "Bot API 10.1"
    assert len(EMOJI) == 73


@pytest.mark.parametrize(
    ("written", "meant"), [("👍", "👍"), ("❤", "❤"), ("❤️", "❤"), ("🦞", None), ("", None), ("ok", None)]
)
def test_which_emoji_can_be_put_on_a_message(written: str, meant: str | None) -> None:
    assert reaction_emoji(written) == meant
