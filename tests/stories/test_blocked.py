"""Stories of blocked people: in a group with access, by its buttons, and with earlier promises to them."""

from tests.stories.play import Sandbox
from tests.stories.test_access import Owned, cloud, owned
from tests.stories.test_choices import offered
from tests.stories.test_commands import press
from tests.stories.words import last_prompt, will_say

__all__ = ["cloud", "owned"]


async def test_who_is_blocked_and_joins_a_group_that_was_let_in_is_not_answered_there(
    sandbox: Sandbox, owned: Owned
) -> None:
    eve, ann = await sandbox.person("Eve"), await sandbox.person("Ann")
    with_eve = await sandbox.private(eve)
    await with_eve.writes(eve, "let me in!")
    assert "is blocked" in (await owned.presses("Block"))["text"]
    group = await sandbox.group([owned.olga, ann])
    await sandbox.telegram.post(f"/world/chats/{group.key}/members", json={"person_id": eve.id})
    tea = {"kind": "send", "text": "Tea?", "choices": ["Yes", "No"], "choices_for": "everyone"}
    await sandbox.model.will_plan(tea, match=f"chat_id={group.id} ")
    await group.writes(ann, "lull, ask us all about tea")
    assert await group.answers() == ["Tea?"]
    asked = await offered(group)
    await press(group, eve, asked, 0)
    await group.writes(eve, "lull, tea for me")
    about = await group.writes(eve, "and cake", reply_to=asked["message_id"])
    place, theirs = f"/world/chats/{group.key}/messages/{about}", {"from": eve.id}
    (await sandbox.telegram.patch(place, json={**theirs, "text": "lull, cake"})).raise_for_status()
    (await sandbox.telegram.post(f"{place}/reactions", json={**theirs, "emoji": "👍"})).raise_for_status()
    await group.rests()
    assert len(await group.said()) == 1
    reasons = [e["decision"]["reason"] for e in await group.spoken() if e["author"]["id"] == eve.id]
    assert reasons == ["blocked"] * 2
    assert len(await sandbox.model.asked(f"chat_id={group.id} ")) == 1
    await will_say(sandbox, group, "Then tea.")
    await press(group, ann, asked, 1)
    assert await group.answers() == ["Then tea."], "the buttons are still there for everybody else"
    assert "chose: No" in await last_prompt(sandbox, group)
    private = await sandbox.private(eve)
    await private.writes(eve, "I am in your group now")
    await private.rests()
    assert len(await private.said()) == 1, "who is blocked is no fellow"


async def test_who_was_removed_from_a_group_is_a_stranger_again(sandbox: Sandbox, owned: Owned) -> None:
    ann = await sandbox.person("Ann")
    group = await sandbox.group([owned.olga, ann])
    chat = await sandbox.private(ann)
    await will_say(sandbox, chat, "I know you.")
    await chat.writes(ann, "do you know me?")
    assert await chat.answers() == ["I know you."]
    place = f"/world/chats/{group.key}/members/{ann.id}"
    (await sandbox.telegram.delete(place, params={"by": owned.olga.id})).raise_for_status()
    await group.rests()
    await chat.writes(ann, "and now?")
    assert (await chat.answers())[0].startswith("I only answer people my owner has approved.")
    assert ann.name in (await owned.asked())["text"]
