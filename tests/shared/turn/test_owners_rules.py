"""Rules for strangers that the owner set in the console: they apply in place of the persona's."""

from shared.values.agent import GroupPolicy, StrangerPolicy
from shared.values.trust import AccessRules
from tests.shared.doors import closed
from tests.shared.turn.harness import ChatHarness

OWNER = 7_000_000_009


async def test_a_stranger_gets_what_the_owner_chose(harness: ChatHarness) -> None:
    access_lists = await closed(harness, OWNER)
    await access_lists.set_rules("lull", AccessRules(open=False, strangers=StrangerPolicy.IGNORE))
    await harness.writes("hello")
    await harness.rests()
    assert await harness.said() == []
    await access_lists.set_rules("lull", AccessRules(open=True))
    await harness.will_plan({"kind": "send", "text": "Hello, stranger."})
    await harness.writes("hello?")
    await harness.rests()
    assert await harness.said() == ["Hello, stranger."]
    await access_lists.set_rules("lull", AccessRules(open=False, groups=GroupPolicy.OPEN))
    await harness.writes("and now?")
    await harness.rests()
    (_, told) = await harness.said()
    assert told.startswith("I only answer people my owner has approved.")
