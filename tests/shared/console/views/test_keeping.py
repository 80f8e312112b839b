"""Exchanges with the model are kept word for word while the owner has switched that on."""

from datetime import timedelta
from typing import Any

import pytest

from shared.chat.store import paths
from shared.console.route import BadRequest, ConsoleRequest, NotFound
from shared.console.views.keeping import change_keeping, read_exchanges, read_keeping
from shared.values.trust import KeepingTerms
from tests.shared.console.views.test_why import seq_of, services_of
from tests.shared.turn.harness import ChatHarness

Json = dict[str, Any]


async def keeps(harness: ChatHarness, days: Any, agent: str = "lull") -> Json:
    request = ConsoleRequest(owner=harness.person, agents=("lull",), body={"agent": agent, "days": days})
    found = dict(await change_keeping(services_of(harness), request))
    lookup = harness.tick_services.agents["lull"].replier.lookup
    assert lookup is not None
    until = harness.clock.now + timedelta(days=days)
    # all rooms of the tests are of one agent, so each has an access list of its own
    await lookup.access_lists.set_keeping("lull", KeepingTerms(until=until) if days else None)
    return found


async def exchanges(harness: ChatHarness, text: str) -> list[Json]:
    path = {"conversation": (await harness.document()).conversation, "seq": str(await seq_of(harness, text))}
    request = ConsoleRequest(owner=harness.person, agents=("lull",), path=path)
    return list((await read_exchanges(services_of(harness), request))["items"])


async def test_the_words_that_were_sent_are_kept_until_the_end(harness: ChatHarness) -> None:
    terms = (await keeps(harness, 3))["items"]
    assert terms == [{"agent": "lull", "until": (harness.clock.now + timedelta(days=3)).isoformat()}]
    await harness.will_plan({"kind": "send", "text": "Noon."})
    await harness.writes("when do we eat?")
    await harness.rests()
    (kept,) = await exchanges(harness, "when do we eat?")
    sent = (await harness.asked())[-1]
    assert all(
        repr(line)[1:-1] in sent for turn in kept["turns"] for part in turn["parts"] for line in part.split("\n")
    )
    assert "Noon." in kept["reply"]
    assert kept["call"]["model"] == "scripted"
    harness.clock.now += timedelta(days=3)
    assert await exchanges(harness, "when do we eat?") == [], "they are deleted soon, and are not shown any more"


async def test_nothing_is_kept_unless_it_is_switched_on(harness: ChatHarness) -> None:
    await keeps(harness, 0)
    await harness.will_plan({"kind": "send", "text": "Noon."})
    await harness.writes("when do we eat?")
    await harness.rests()
    assert await exchanges(harness, "when do we eat?") == []
    below = harness.backend.chats.client.document(paths.chat_path(harness.key)).collection(paths.EXCHANGES)
    assert await below.get() == []


async def test_only_an_owner_changes_it_and_not_for_ever(harness: ChatHarness) -> None:
    for days in (31, -1, "3", None):
        with pytest.raises(BadRequest):
            await keeps(harness, days)
    with pytest.raises(NotFound):
        await keeps(harness, 1, agent="moss")
    request = ConsoleRequest(owner=harness.person, agents=("unknown",))
    found = await read_keeping(services_of(harness), request)
    assert found["items"] == [{"agent": "unknown", "until": None}]
