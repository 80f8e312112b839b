"""Reactions: one of Telegram's emoji, also if a model writes a similar one."""

import pytest
from pydantic import ValidationError
from telegram.constants import ReactionEmoji

from local.telegram.reactions import EMOJI
from shared.planning.format.schema import plan_schema
from shared.tasks.react import NO_EMOJI, REACTIONS, React, is_emoji, reaction_for
from shared.tasks.send import Send
from shared.tasks.task import TaskNote


def test_a_reaction_needs_an_emoji() -> None:
    with pytest.raises(ValidationError):
        React(emoji="", message_id=1)


def test_it_is_told_by_its_emoji() -> None:
    reaction = React(emoji="👍", message_id=9)
    assert reaction.summary() == "👍 on message 9"
    assert reaction.pending(0, None) == TaskNote("react")
    assert reaction.unsent() == "your reaction 👍 on message 9 could not be made"


@pytest.mark.parametrize(("written", "put"), [("👍🏽", "👍"), ("❤️", "❤"), ("😂", "🤣"), ("🐻", "🐻")])
def test_the_nearest_that_telegram_takes_is_put(written: str, put: str) -> None:
    assert React(emoji=written, message_id=9).emoji == put


def test_models_that_are_held_to_a_schema_are_offered_what_telegram_takes() -> None:
    assert str(list(REACTIONS)) in str(plan_schema(["react"]))


def test_in_words_it_is_a_short_message_that_quotes() -> None:
    reaction = React(id="a", depends_on=("b",), emoji="🐻", message_id=9)
    assert reaction.in_words() == Send(id="a", depends_on=("b",), text="🐻", reply_to=9)


def test_a_word_goes_back_to_the_model_and_is_never_said() -> None:
    word = React(emoji="well done", message_id=9)
    assert word.problem_in((), ()) == NO_EMOJI
    assert word.in_words() is None
    assert React(emoji="🐻", message_id=9).problem_in((), ()) == ""


def test_the_list_is_telegrams_without_the_selector_that_telegram_leaves_out() -> None:
    assert set(REACTIONS) == EMOJI == {one.value.replace("\ufe0f", "") for one in ReactionEmoji}
    assert len(REACTIONS) == len(set(REACTIONS))
    assert "\u2764" in REACTIONS


@pytest.mark.parametrize("emoji", REACTIONS)
def test_one_of_the_list_stays_in_all_its_spellings(emoji: str) -> None:
    for written in (emoji, f"{emoji}\ufe0f", f" {emoji}\n", f"'{emoji}'", emoji * 3, f"{emoji} {emoji}"):
        assert reaction_for(written) == emoji


@pytest.mark.parametrize("emoji", ["👍", "👎", "👏", "🙏", "👌", "✍", "🤝", "🤷", "🎅", "🖕", "🤷\u200d♂", "🤷\u200d♀"])
@pytest.mark.parametrize("tone", "🏻🏼🏽🏾🏿")
def test_the_tone_of_a_skin_is_left_out(emoji: str, tone: str) -> None:
    assert reaction_for(emoji[0] + tone + emoji[1:]) == emoji


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("😂", "🤣"),
        ("😆", "🤣"),
        ("✅", "👍"),
        ("✔️", "👍"),
        ("☑️", "👍"),
        ("🆗", "👌"),
        ("❌", "👎"),
        ("❤️", "❤"),
        ("❤️\u200d🔥", "❤\u200d🔥"),
        ("❤️\u200d🩹", "❤"),
        ("💜", "❤"),
        ("♥️", "❤"),
        ("🫶🏾", "❤"),
        ("💪", "🔥"),
        ("💪🏼", "🔥"),
        ("🚀", "🔥"),
        ("🙌", "👏"),
        ("🙌🏿", "👏"),
        ("😊", "🥰"),
        ("😅", "😁"),
        ("🙂", "😁"),
        ("😄", "😁"),
        ("🥳", "🎉"),
        ("🎂", "🎉"),
        ("👋", "🤗"),
        ("👋🏽", "🤗"),
        ("🫂", "🤗"),
        ("😞", "😢"),
        ("🥺", "😢"),
        ("😮", "😱"),
        ("✨", "🤩"),
        ("⭐️", "🤩"),
        ("🙄", "🤨"),
        ("📝", "✍"),
        ("🍀", "🙏"),
        ("🙇🏽\u200d♀️", "🙏"),
        ("🙆\u200d♂️", "👍"),
        ("🤦🏻\u200d♀️", "🙈"),
        ("🫱🏻\u200d🫲🏿", "🤝"),
        ("👩🏽\u200d💻", "👨\u200d💻"),
        ("⚡️", "⚡"),
        ("🎯", "💯"),
        ("🤖", "👾"),
        ("🥂", "🍾"),
        ("😠", "😡"),
        ("🥳 Hurray!", "🎉"),
        ("😂🤣", "🤣"),
        (":heart:", "❤"),
        ("thumbs up", "👍"),
        (":+1:", "👍"),
        ("OK", "👌"),
        ("fire 🔥", "🔥"),
        ("Reaction: 👍🏽", "👍"),
        ("реакція 🎉🎉", "🎉"),
        ("😂" * 20, "🤣"),
    ],
)
def test_a_near_one_stands_for_others(written: str, meant: str) -> None:
    assert React(emoji=written, message_id=1).emoji == meant
    assert meant in REACTIONS


@pytest.mark.parametrize("written", ["🐻", "🦞", "☕️", "1️⃣", "🏳️\u200d🌈", "👨\u200d👩\u200d👧", "🇺🇦", "ℹ️", "🐦\u200d🔥"])
def test_an_emoji_that_is_near_none_stays_as_it_is(written: str) -> None:
    assert reaction_for(written) == written
    assert is_emoji(written)


@pytest.mark.parametrize("written", ["Congrats", "well done", "!", "42", "добре", "no emoji 🐻"])
def test_a_word_is_no_emoji(written: str) -> None:
    assert not is_emoji(reaction_for(written))
