"""The command /forget: its question, who may answer it, and its buttons."""

from datetime import timedelta
from typing import Any

import pytest

from shared.base.errors import NotDelivered
from shared.base.wording.words import words_in
from shared.chat.store.people import FirestorePeople, PersonProfile
from shared.llm.ports.world import MessagingChannel, PortRegistry
from shared.privacy.commands.forget import (
    COMMAND,
    CONVERSATION,
    GROUP,
    NOTHING,
    PERSON,
    ForgetCooldown,
    ForgetResult,
    offer_deletion,
    press,
    request_deletion,
    respond,
)
from shared.privacy.store.deletions import FirestoreDeletions
from shared.reminders.times.rule_text import moment_text
from shared.values.button_data import read_button
from shared.values.chat_key import ChatKind
from shared.values.deletion import Deletion, DeletionScope
from tests.shared.commands import requests
from tests.shared.examples import ANN, GROUP_KEY, NOW

SAY = words_in("en").say


class Telegram:
    """A fake of Telegram that knows the administrators of a group."""

    def __init__(self, administrators: set[int] | None) -> None:
        self.administrators = administrators

    async def is_administrator(self, chat_id: int, person_id: int) -> bool:
        """Return whether a person is an administrator. Fails if no administrators are set."""
        if self.administrators is None:
            raise NotDelivered("Telegram did not answer")
        return person_id in self.administrators


class Facts:
    """A fake of the profiles, which has everybody's time zone."""

    async def profile(self, person: int) -> PersonProfile:
        """Return the same profile for everybody."""
        return PersonProfile(set_zone="Europe/Kyiv")


class Kept:
    """A fake of the store that collects the requested deletions."""

    def __init__(self) -> None:
        self.asked: list[Deletion] = []

    async def ask(self, deletion: Deletion) -> None:
        """Keep a deletion."""
        self.asked.append(deletion)

    async def is_asked(self, deletion_id: str) -> bool:
        """Return whether this deletion was requested."""
        return any(one.id == deletion_id for one in self.asked)

    async def asked_last(self, person: int) -> Any:
        """Return the newest deletion."""
        return max((one.asked_at for one in self.asked if one.person == person), default=None)


def ports(kept: Kept, administrators: set[int] | None = None) -> PortRegistry:
    return PortRegistry(
        {MessagingChannel: Telegram(administrators), FirestoreDeletions: kept, FirestorePeople: Facts()}
    )


def group(argument: str = "", **fields: Any) -> Any:
    return requests.asked(argument, ChatKind.SUPERGROUP, key=GROUP_KEY, named="conv-1", **fields)


def test_in_private_it_asks_about_whoever_asks_once_and_with_buttons() -> None:
    response = respond(requests.asked(result=ForgetResult.ASKED))
    assert response.text == SAY("forget.ask_person")
    assert [read_button(one.data)[2] for one in response.buttons] == [PERSON, CONVERSATION, NOTHING]
    assert COMMAND.press is not None
    assert COMMAND.press.respond is press


def test_in_a_group_it_asks_its_administrators_about_the_group() -> None:
    response = respond(group(result=ForgetResult.ASKED))
    assert response.text == SAY("forget.ask_group")
    assert [read_button(one.data)[2] for one in response.buttons] == [GROUP, CONVERSATION, NOTHING]
    assert respond(group(result=ForgetResult.DENIED)).text == SAY("forget.not_here")


@pytest.mark.parametrize(("administrators", "may"), [({ANN.id}, True), (set(), False), (None, False)])
async def test_who_may_is_telegrams_word(administrators: set[int] | None, may: bool) -> None:
    kept = Kept()
    assert await offer_deletion(group(), ports(kept, administrators)) is (
        ForgetResult.ASKED if may else ForgetResult.DENIED
    )
    outcome = await request_deletion(group(GROUP), ports(kept, administrators))
    assert (outcome is ForgetResult.BEGUN, len(kept.asked)) == (may, int(may))


async def test_a_press_asks_once_and_again_no_sooner_than_a_day_later() -> None:
    kept = Kept()
    request = requests.asked(PERSON, named="conv-1")
    assert await request_deletion(request, ports(kept)) is ForgetResult.BEGUN
    assert await request_deletion(request, ports(kept)) is ForgetResult.BEGUN, "a tick that died repeats it"
    assert len({one.id for one in kept.asked}) == 1
    (first, *_) = kept.asked
    assert (first.scope, first.person, first.chat) == (DeletionScope.PERSON, ANN.id, request.chat.key.id)
    lately = ForgetCooldown(NOW + timedelta(days=1), "Europe/Kyiv")
    assert await request_deletion(requests.asked(PERSON, named="conv-2"), ports(kept)) == lately
    assert await offer_deletion(requests.asked(), ports(kept)) == lately, "it is said before anything is asked"
    moment = moment_text(words_in("en"), NOW + timedelta(days=1), "Europe/Kyiv")
    for said in (respond(requests.asked(result=lately)), press(requests.asked(result=lately))):
        assert said.text == SAY("forget.lately", time=moment)
        assert said.buttons == ()
    later = requests.asked(PERSON, named="conv-2", now=NOW + timedelta(days=1))
    assert await request_deletion(later, ports(kept)) is ForgetResult.BEGUN


async def test_buttons_do_only_what_they_are_for() -> None:
    kept = Kept()
    assert await request_deletion(requests.asked(GROUP, named="conv-1"), ports(kept)) is ForgetResult.NOTHING
    assert await request_deletion(group(PERSON), ports(kept, {ANN.id})) is ForgetResult.NOTHING
    assert await request_deletion(requests.asked(NOTHING, named="conv-1"), ports(kept)) is ForgetResult.NOTHING
    assert kept.asked == []
    assert await request_deletion(requests.asked(CONVERSATION, named="conv-1"), ports(kept)) is ForgetResult.BEGUN
    assert (kept.asked[0].person, kept.asked[0].conversation) == (0, "conv-1")


@pytest.mark.parametrize(
    ("outcome", "name"),
    [(ForgetResult.BEGUN, "begun"), (ForgetResult.NOTHING, "kept")],
)
def test_who_pressed_is_told_and_the_question_goes(outcome: ForgetResult, name: str) -> None:
    assert press(requests.asked(result=outcome)).text == SAY(f"forget.{name}")
    assert press(requests.asked(result=ForgetResult.DENIED)).notice == SAY("forget.not_here")
