"""What somebody is told of themselves."""

from dataclasses import replace

import pytest

from shared.adapters.firestore.bots import FirestoreOwners
from shared.adapters.firestore.chats import FirestoreChats
from shared.commands.whoami import is_owner, respond
from shared.formatting.render import render
from shared.models.chat_key import ChatKey
from shared.models.message import Author
from shared.ports.chats import Owners
from shared.ports.world import Ports
from tests.shared.commands.requests import CONVERSATION, asked
from tests.shared.values import ANN, KEY, NOW


def test_it_tells_who_and_where() -> None:
    text = render(respond(asked(language="en-GB")).text)[0].text
    for wanted in ("Name: Ann (@ann_a)", f"Id: {ANN.id}", "Language: en-GB", str(KEY.chat_id), CONVERSATION, "Trust:"):
        assert wanted in text
    assert "topic" not in text


def test_what_is_not_known_is_said_to_be_so() -> None:
    key = replace(KEY, topic_id=9)
    text = render(respond(asked(key=key, person=Author(id=7, name="Bob"))).text)[0].text
    assert "Name: Bob\n" in text
    assert "Language: Telegram does not say" in text
    assert "topic 9" in text


@pytest.mark.parametrize(
    ("found", "said"),
    [(None, "nothing was set for you"), (False, "nothing was set for you"), (True, "you are my owner")],
)
def test_the_owner_is_told_so(found: bool | None, said: str) -> None:
    text = render(respond(asked(result=found)).text)[0].text
    assert f"Trust: {said}\n" in text


@pytest.mark.parametrize(("owner", "expected"), [(None, False), (ANN.id, True), (ANN.id + 1, False)])
async def test_it_looks_up_whose_the_agent_is(chats: FirestoreChats, owner: int | None, expected: bool) -> None:
    owners, key = FirestoreOwners(chats.client), ChatKey(agent=f"whose-{owner}", chat_id=1)
    if owner is not None:
        await owners.claim(key.agent, owner, NOW)
    assert await is_owner(asked(key=key), Ports({Owners: owners})) is expected
