"""What is said to somebody who claims the agent."""

import pytest

from shared.commands.claiming import HAS_ANOTHER, IS_OWNER, NOT_HERE, NOT_TOLD, USAGE, WRONG_CODE, claim
from shared.commands.place import Answer
from shared.formatting.render import render
from shared.models.channel import BotIdentity
from shared.models.chat import ChatKind
from shared.models.registration import Claim, ClaimOutcome
from tests.shared.commands.places import place

BOT = BotIdentity(
    id=1, username="my_own_bot", first_name="Lull", can_read_all_group_messages=False, can_join_groups=True
)
OWNED = Claim(outcome=ClaimOutcome.IS_OWNER, identity=BOT)


def test_the_owner_is_told_so_and_how_the_bot_is_set_up() -> None:
    (part,) = render(claim("a-code", place(claim=OWNED)).text)
    said, *lines = [line for line in part.text.splitlines() if line]
    assert said.startswith(IS_OWNER)
    assert len(lines) == 2
    assert "Privacy mode is on: " in lines[0]
    assert "Anybody may add @my_own_bot to groups" in lines[1]
    assert "@BotFather → /setprivacy → Disable, then remove it from its groups" in lines[0]


def test_what_telegram_does_not_tell_is_said_to_be_so() -> None:
    found = Claim(outcome=ClaimOutcome.IS_OWNER)
    assert claim("a-code", place(claim=found)) == Answer(text=f"{IS_OWNER} {NOT_TOLD}")


@pytest.mark.parametrize(
    ("outcome", "said"), [(ClaimOutcome.HAS_ANOTHER, HAS_ANOTHER), (ClaimOutcome.WRONG_CODE, WRONG_CODE)]
)
def test_nobody_else_is_told_anything_but_that(outcome: ClaimOutcome, said: str) -> None:
    assert claim("a-code", place(claim=Claim(outcome=outcome))) == Answer(text=said)


def test_without_a_code_it_is_explained() -> None:
    assert claim("", place()) == Answer(text=USAGE)


@pytest.mark.parametrize("found", [None, OWNED])
@pytest.mark.parametrize("argument", ["", "a-code"])
def test_in_a_group_it_is_the_same_whatever_was_written(found: Claim | None, argument: str) -> None:
    assert claim(argument, place(ChatKind.SUPERGROUP, claim=found)) == Answer(text=NOT_HERE)
