"""/whoami."""

from dataclasses import replace

import pytest

from shared.access.commands.whoami import respond
from shared.telegram.markdown.render import render
from shared.values.message import Author
from shared.values.trust import TrustTier
from tests.shared.commands.requests import CONVERSATION, asked
from tests.shared.examples import ANN, KEY
from tests.shared.fixtures import OpenHarness
from tests.shared.letting_in import answer, own, press


def test_it_tells_who_and_where() -> None:
    text = render(respond(asked(language="en-GB")).text)[0].text
    for wanted in ("Name: Ann (@ann_a)", f"ID: {ANN.id}", "Language: en-GB", str(KEY.chat_id), CONVERSATION, "Access:"):
        assert wanted in text
    assert "topic" not in text


def test_says_what_is_unknown() -> None:
    key = replace(KEY, topic_id=9)
    text = render(respond(asked(key=key, person=Author(id=7, name="Bob"))).text)[0].text
    assert "Name: Bob\n" in text
    assert "Language: unknown to Telegram" in text
    assert "topic 9" in text


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, "not approved by my owner"),
        (TrustTier.STRANGER, "not approved by my owner"),
        (TrustTier.KNOWN, "approved by my owner"),
        (TrustTier.OWNER, "you're my owner"),
    ],
)
def test_shows_the_persons_tier(found: TrustTier | None, said: str) -> None:
    text = render(respond(asked(result=found)).text)[0].text
    assert f"Access: {said}\n" in text


async def test_owner_guest_and_stranger_are_told_what_they_are(open_harness: OpenHarness) -> None:
    owner, guest = [await open_harness(bot="how far trusted") for _ in range(2)]
    await own(owner)
    assert "Access: you're my owner" in (await answer(owner, "/whoami"))["text"]
    assert "Access: not approved by my owner" in (await answer(guest, "/whoami"))["text"]
    await press(owner, await answer(owner, f"/people {guest.person}"), "Approve")
    assert "Access: approved by my owner" in (await answer(guest, "/whoami"))["text"]
