"""Stories of a closed agent's owner: access by a link, blocked people, and silence for everybody."""

from tests.stories.play import Sandbox
from tests.stories.test_access import Owned, cloud, owned
from tests.stories.words import last_prompt, will_say

__all__ = ["cloud", "owned"]


async def test_who_opens_the_owners_link_is_answered_until_they_are_blocked(sandbox: Sandbox, owned: Owned) -> None:
    ben = await sandbox.person("Ben")
    with_ben = await sandbox.private(ben)
    await owned.chat.writes(owned.olga, "/invite")
    link = (await owned.chat.answers())[0].rsplit("start=", 1)[1]
    await with_ben.writes(ben, f"/start {link}")
    assert (await with_ben.answers())[0].startswith("You're in! ")
    assert "joined with one of your invitations" in (await owned.chat.answers())[0]
    await with_ben.rests()
    assert len(await with_ben.said()) == 1, "the owner is not asked about who comes in"
    await will_say(sandbox, with_ben, "Hello Ben.")
    await with_ben.writes(ben, "Good morning")
    assert await with_ben.answers() == ["Hello Ben."]
    assert "/start" in (prompt := await last_prompt(sandbox, with_ben))
    assert link not in prompt, "no model is shown the code of a link"

    await owned.chat.writes(owned.olga, f"/people {ben.id}")
    assert "Joined by invitation on" in (await owned.chat.answers())[0]
    shown = await owned.presses("Block")
    assert "Blocked on" in shown["text"]
    await with_ben.writes(ben, "Are you there?")
    await with_ben.rests()
    (refused,) = [e for e in await with_ben.spoken() if e["text"] == "Are you there?"]
    assert refused["decision"]["reason"] == "blocked"
    assert len(await with_ben.said()) == 2
    await with_ben.writes(ben, "/privacy")
    assert "runs on the same machine" in (await with_ben.answers())[0]


async def test_the_owner_silences_it_everywhere_and_wakes_it(sandbox: Sandbox, owned: Owned) -> None:
    await owned.chat.writes(owned.olga, "/shutdown")
    assert (await owned.chat.answers())[0].startswith("Should I stop answering everyone")
    assert (await owned.presses("Everywhere"))["text"].startswith("I've stopped answering everyone")
    await owned.chat.writes(owned.olga, "Hello?")
    await owned.chat.rests()
    (refused,) = [e for e in await owned.chat.spoken() if e["text"] == "Hello?"]
    assert refused["decision"]["reason"] == "the owner has silenced the agent"
    await owned.chat.writes(owned.olga, "/wake")
    assert await owned.chat.answers() == ["I'm answering again, everywhere."]
