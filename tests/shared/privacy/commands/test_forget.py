"""What /forget asks, of whom, and what its buttons say."""

from datetime import timedelta
from typing import Any

import pytest

from shared.base.errors import NotDelivered
from shared.base.wording.words import words_in
from shared.chat.store.people import FirestorePeople, Told
from shared.llm.ports.world import Channel, Ports
from shared.privacy.commands.forget import (
    COMMAND,
    CONVERSATION,
    GROUP,
    NOTHING,
    PERSON,
    Forgetting,
    Lately,
    asked,
    press,
    pressed,
    respond,
)
from shared.privacy.store.erasures import FirestoreErasures
from shared.reminders.times.saying import moment_said
from shared.values.button_data import read_button
from shared.values.chat_key import ChatKind
from shared.values.erasure import Erasure, ErasureScope
from tests.shared.commands import requests
from tests.shared.examples import ANN, GROUP_KEY, NOW

SAY = words_in("en").say


class Telegram:
    """Says who administers a group."""

    def __init__(self, administrators: set[int] | None) -> None:
        self.administrators = administrators

    async def is_administrator(self, chat_id: int, person_id: int) -> bool:
        """Whether somebody does; it does not say without any."""
        if self.administrators is None:
            raise NotDelivered("Telegram did not answer")
        return person_id in self.administrators


class Facts:
    """What people told of themselves: where they are."""

    async def told(self, person: int) -> Told:
        """The same of everybody."""
        return Told(set_zone="Europe/Kyiv")


class Kept:
    """Erasures that were asked for."""

    def __init__(self) -> None:
        self.asked: list[Erasure] = []

    async def ask(self, erasure: Erasure) -> None:
        """Keep one."""
        self.asked.append(erasure)

    async def is_asked(self, erasure_id: str) -> bool:
        """Whether it is kept."""
        return any(one.id == erasure_id for one in self.asked)

    async def asked_last(self, person: int) -> Any:
        """The newest."""
        return max((one.asked_at for one in self.asked if one.person == person), default=None)


def ports(kept: Kept, administrators: set[int] | None = None) -> Ports:
    return Ports({Channel: Telegram(administrators), FirestoreErasures: kept, FirestorePeople: Facts()})


def group(argument: str = "", **fields: Any) -> Any:
    return requests.asked(argument, ChatKind.SUPERGROUP, key=GROUP_KEY, named="conv-1", **fields)


def test_in_private_it_asks_about_whoever_asks_once_and_with_buttons() -> None:
    response = respond(requests.asked(result=Forgetting.ASKED))
    assert response.text == SAY("forget.ask_person")
    assert [read_button(one.data)[2] for one in response.buttons] == [PERSON, CONVERSATION, NOTHING]
    assert COMMAND.press is not None
    assert COMMAND.press.respond is press


def test_in_a_group_it_asks_its_administrators_about_the_group() -> None:
    response = respond(group(result=Forgetting.ASKED))
    assert response.text == SAY("forget.ask_group")
    assert [read_button(one.data)[2] for one in response.buttons] == [GROUP, CONVERSATION, NOTHING]
    assert respond(group(result=Forgetting.DENIED)).text == SAY("forget.not_here")


@pytest.mark.parametrize(("administrators", "may"), [({ANN.id}, True), (set(), False), (None, False)])
async def test_who_may_is_telegrams_word(administrators: set[int] | None, may: bool) -> None:
    kept = Kept()
    assert await asked(group(), ports(kept, administrators)) is (Forgetting.ASKED if may else Forgetting.DENIED)
    outcome = await pressed(group(GROUP), ports(kept, administrators))
    assert (outcome is Forgetting.BEGUN, len(kept.asked)) == (may, int(may))


async def test_a_press_asks_once_and_again_no_sooner_than_a_day_later() -> None:
    kept = Kept()
    request = requests.asked(PERSON, named="conv-1")
    assert await pressed(request, ports(kept)) is Forgetting.BEGUN
    assert await pressed(request, ports(kept)) is Forgetting.BEGUN, "a tick that died repeats it"
    assert len({one.id for one in kept.asked}) == 1
    (first, *_) = kept.asked
    assert (first.scope, first.person, first.chat) == (ErasureScope.PERSON, ANN.id, request.chat.key.id)
    lately = Lately(NOW + timedelta(days=1), "Europe/Kyiv")
    assert await pressed(requests.asked(PERSON, named="conv-2"), ports(kept)) == lately
    assert await asked(requests.asked(), ports(kept)) == lately, "it is said before anything is asked"
    moment = moment_said(words_in("en"), NOW + timedelta(days=1), "Europe/Kyiv")
    for said in (respond(requests.asked(result=lately)), press(requests.asked(result=lately))):
        assert said.text == SAY("forget.lately", time=moment)
        assert said.buttons == ()
    later = requests.asked(PERSON, named="conv-2", now=NOW + timedelta(days=1))
    assert await pressed(later, ports(kept)) is Forgetting.BEGUN


async def test_buttons_do_only_what_they_are_for() -> None:
    kept = Kept()
    assert await pressed(requests.asked(GROUP, named="conv-1"), ports(kept)) is Forgetting.NOTHING
    assert await pressed(group(PERSON), ports(kept, {ANN.id})) is Forgetting.NOTHING
    assert await pressed(requests.asked(NOTHING, named="conv-1"), ports(kept)) is Forgetting.NOTHING
    assert kept.asked == []
    assert await pressed(requests.asked(CONVERSATION, named="conv-1"), ports(kept)) is Forgetting.BEGUN
    assert (kept.asked[0].person, kept.asked[0].conversation) == (0, "conv-1")


@pytest.mark.parametrize(
    ("outcome", "name"),
    [(Forgetting.BEGUN, "begun"), (Forgetting.NOTHING, "kept")],
)
def test_who_pressed_is_told_and_the_question_goes(outcome: Forgetting, name: str) -> None:
    assert press(requests.asked(result=outcome)).text == SAY(f"forget.{name}")
    assert press(requests.asked(result=Forgetting.DENIED)).notice == SAY("forget.not_here")
