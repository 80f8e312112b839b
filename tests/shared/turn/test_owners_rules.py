"""Rules for strangers that the owner set in the console: they apply in place of the persona's."""

from shared.values.agent import GroupPolicy, StrangerPolicy
from shared.values.trust import AccessRules, AdmittedGroup
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


async def test_members_of_an_admitted_group_are_known_in_private_unless_the_owner_says_otherwise(
    harness: ChatHarness,
) -> None:
    access_lists = await closed(harness, OWNER)
    room = await harness.backend.make(
        "chats", type="supergroup", title="A room", members=[harness.person], bots=[harness.backend.bot_id]
    )
    group = AdmittedGroup(chat_id=room["id"], since=harness.clock.now, by=OWNER)
    await access_lists.let_group_in("lull", group, 0)
    await harness.will_plan({"kind": "send", "text": "Hello, fellow."})
    await harness.writes("hello")
    await harness.rests()
    assert await harness.said() == ["Hello, fellow."]
    await access_lists.set_rules("lull", AccessRules(fellows=False))
    await harness.writes("and now?")
    await harness.rests()
    (_, told) = await harness.said()
    assert told.startswith("I only answer people my owner has approved.")
