"""/claim: the responses to right and wrong codes."""

import pytest

from shared.access.commands.claim import ClaimOutcome, ClaimResult, respond
from shared.base.wording.words import Phrase, join_phrases
from shared.commands.command import CommandResponse
from shared.telegram.markdown.render import render
from shared.values.channel import BotIdentity
from shared.values.chat_key import ChatKind
from tests.shared.commands.requests import asked
from tests.shared.own_words import HAS_ANOTHER, HOW_TO_CLAIM, IS_OWNER, NOT_HERE, NOT_TOLD, WRONG_CODE

BOT = BotIdentity(
    id=1, username="my_own_bot", first_name="Lull", can_read_all_group_messages=False, can_join_groups=True
)
OWNED = ClaimResult(outcome=ClaimOutcome.IS_OWNER, identity=BOT)


def test_the_owner_is_told_so_and_how_the_bot_is_set_up() -> None:
    (part,) = render(respond(asked("a-code", result=OWNED)).text)
    said, *lines = [line for line in part.text.splitlines() if line]
    assert said.startswith(IS_OWNER)
    assert len(lines) == 2
    assert "Privacy mode is on: " in lines[0]
    assert "Anyone can add @my_own_bot to groups" in lines[1]
    assert "@BotFather → /setprivacy → Disable, then remove it from its groups" in lines[0]


def test_says_when_telegram_gives_no_settings() -> None:
    found = ClaimResult(outcome=ClaimOutcome.IS_OWNER)
    assert respond(asked("a-code", result=found)) == CommandResponse(text=join_phrases(IS_OWNER, NOT_TOLD))


@pytest.mark.parametrize(
    ("outcome", "said"), [(ClaimOutcome.HAS_ANOTHER, HAS_ANOTHER), (ClaimOutcome.WRONG_CODE, WRONG_CODE)]
)
def test_nobody_else_is_told_anything_but_that(outcome: ClaimOutcome, said: Phrase) -> None:
    assert respond(asked("a-code", result=ClaimResult(outcome=outcome))) == CommandResponse(text=said)


def test_without_a_code_it_is_explained() -> None:
    assert respond(asked()) == CommandResponse(text=HOW_TO_CLAIM)


@pytest.mark.parametrize("found", [None, OWNED])
@pytest.mark.parametrize("argument", ["", "a-code"])
def test_in_a_group_it_is_the_same_whatever_was_written(found: ClaimResult | None, argument: str) -> None:
    assert respond(asked(argument, ChatKind.SUPERGROUP, result=found)) == CommandResponse(text=NOT_HERE)
