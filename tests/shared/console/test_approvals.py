"""Approvals in the console: access requests and offers that wait for a decision."""

from datetime import timedelta
from typing import Any

import pytest

from shared.chat.store import paths
from shared.chat.store.layout import encode_chat
from shared.console.route import BadRequest, NotFound
from shared.console.views.approvals import accept_offer, decline_offer, read_approvals
from shared.values.access_request import RequestState
from shared.values.chat import Chat, CurrentConversation
from shared.values.chat_key import ChatKey
from shared.values.keyboard import Keyboard
from tests.shared.console.harness import OWNER, ConsoleHarness
from tests.shared.console.test_people import keep_request
from tests.shared.console.test_reminders_view import orders
from tests.shared.examples import GROUP_KEY, NOW

CLICK = "click-0001"
OFFER = "x" * 16


async def offered(console: ConsoleHarness, person: int, key: ChatKey = GROUP_KEY, hours: int = 0) -> None:
    board = Keyboard(
        id=OFFER,
        choices=("Remember: tea", "Start a new conversation"),
        people=(person,),
        effects=({"kind": "remember", "text": "tea"}, {"kind": "clear-conversation"}),
        pressed=(1,),
        seq=3,
        at=NOW - timedelta(hours=hours),
    )
    talk = CurrentConversation(keyboards=(board,))
    chat = Chat(key=key, title="Garden", conversation="conv-1", talk=talk)
    await console.client.document(paths.chat_path(key)).set(encode_chat(chat))


async def test_requests_of_all_own_agents_wait(console: ConsoleHarness) -> None:
    of_lull, of_moss = await keep_request(console, 601), await keep_request(console, 602, "moss")
    await keep_request(console, 603, "fern")
    await keep_request(console, 604, state=RequestState.BLOCKED)
    shown = (await read_approvals(console.services, console.request("lull", "moss")))["requests"]
    assert [(one["agent"], one["id"], one["words"]) for one in shown] == [
        ("lull", of_lull.id, "May I ask?"),
        ("moss", of_moss.id, "May I ask?"),
    ]


async def test_offers_that_wait_are_listed(console: ConsoleHarness) -> None:
    await offered(console, 5)
    await offered(console, OWNER, ChatKey(agent="lull", chat_id=OWNER), hours=1)
    await offered(console, 5, ChatKey(agent="moss", chat_id=7))
    await offered(console, 5, ChatKey(agent="lull", chat_id=8), hours=25)
    shown = (await read_approvals(console.services, console.request()))["offers"]
    assert [(one["is_mine"], one["choices"]) for one in shown] == [
        (False, [{"place": 0, "text": "Remember: tea"}]),
        (True, [{"place": 0, "text": "Remember: tea"}]),
    ]


async def test_the_owners_offer_is_accepted_and_anybodys_declined(console: ConsoleHarness) -> None:
    own = ChatKey(agent="lull", chat_id=OWNER)
    await offered(console, 5)
    await offered(console, OWNER, own)

    def press(key: ChatKey, **body: Any) -> Any:
        return console.request(path={"chat": key.id, "offer": OFFER}, body={"id": CLICK, **body})

    await accept_offer(console.services, press(own, place=0))
    assert await orders(console, own) == [("accept_offer", f"{OFFER}:0")]
    for key, place in ((GROUP_KEY, 0), (own, 1), (own, "0")):
        with pytest.raises(BadRequest):
            await accept_offer(console.services, press(key, place=place))
    await decline_offer(console.services, press(GROUP_KEY))
    assert await orders(console) == [("decline_offer", OFFER)]
    other = ChatKey(agent="moss", chat_id=7)
    await offered(console, OWNER, other)
    for path in ({"chat": other.id, "offer": OFFER}, {"chat": own.id, "offer": "y"}, {"chat": "x", "offer": OFFER}):
        with pytest.raises(NotFound):
            await decline_offer(console.services, console.request(path=path, body={"id": CLICK}))
