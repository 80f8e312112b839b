"""The agent's own username is Telegram's, whatever its persona says: in groups, commands, links and prompts."""

import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest
from google.cloud.firestore_v1 import DELETE_FIELD

from shared.access.checker import AccessChecker
from shared.base.errors import NotDelivered
from shared.chat.store.bots import FirestoreBotNames
from shared.chat.store.inbox import FirestoreInbox
from shared.telegram.inbound.urgency import AgentNames
from shared.turn.jobs.tick import tick
from shared.turn.services import RETRY_AFTER, BotUsername
from shared.values.channel import NAME_KEPT
from shared.values.registration import claim_code
from shared.values.trust import FRESH
from shared.values.update import Json
from shared.values.wake import WakeReason
from tests.shared.turn.room import SECRET, Room

WRITTEN = "written_in_agent_md_bot"


def misnamed(here: Room, written: str = WRITTEN, inbox: FirestoreInbox | None = None) -> Room:
    """The room, whose agent has another username in its persona than its bot has at Telegram."""
    services = here.tick_services.agents["lull"]
    agent, channel = services.replier.agent.with_username(written), services.runner.channel
    names = FirestoreBotNames(here.house.chats.client, here.clock)
    services = replace(
        services,
        replier=replace(services.replier, agent=agent),
        runner=replace(services.runner, agent=agent),
        admission=AccessChecker.of(agent, services.dispatcher.ports, here.clock, is_open=True),
        bot_username=BotUsername(agent=agent, channel=channel, names=names, clock=here.clock),
    )
    tick_services = replace(here.tick_services, agents={"lull": services})
    receiver = replace(
        here.receiver, names={"lull": AgentNames(usernames=(written,), called=("lull",))}, usernames=inbox
    )
    return replace(here, tick_services=tick_services, receiver=receiver)


@pytest.fixture
async def forgetful(group: Room, inbox: FirestoreInbox) -> AsyncIterator[Room]:
    """A group whose agent is misnamed; nobody has asked Telegram for its name yet, and its bot keeps that name."""
    await forget_name(group)
    yield misnamed(group, inbox=inbox)
    await rename(group, group.house.username)
    await forget_name(group)


async def forget_name(here: Room) -> None:
    await here.house.chats.client.document("bots/lull").set({"names": DELETE_FIELD}, merge=True)


async def rename(here: Room, username: str) -> None:
    await here.house.make("bots", token=here.house.token, first_name="lull", username=username, privacy=False)


async def times_asked(here: Room) -> int:
    found: list[Json] = (await here.house.telegram.get("/world/calls", params={"after": 0})).json()["calls"]
    return sum(call["method"] == "getMe" and call["bot_id"] == here.house.bot_id for call in found)


async def named(here: Room, *, in_group: bool = False) -> str:
    bot_username = here.tick_services.agents["lull"].bot_username
    assert bot_username is not None
    return (await bot_username.named_agent(in_group=in_group)).front.username


async def test_in_a_group_it_hears_telegrams_name_and_not_the_one_in_its_persona(forgetful: Room) -> None:
    here, username = forgetful, forgetful.house.username
    await here.will_plan({"kind": "send", "text": "Yes, I am here."})
    await here.writes(f"@{WRITTEN} are you there?")
    await here.rests()
    assert await here.said() == [], "that is another bot's name"
    await here.writes(f"@{username.upper()} are you there?")
    await here.rests()
    assert await here.said() == ["Yes, I am here."]
    decided = {entry["text"]: entry["decision"]["reason"] for entry in await here.transcript() if entry.get("decision")}
    assert decided[f"@{username.upper()} are you there?"] == "mentioned"
    own = next(entry["author"] for entry in await here.transcript() if entry["author"]["is_agent"])
    assert own["username"] == username
    assert WRITTEN not in str(
        (await here.model.asked(f"chat_id={here.key.chat_id} "))[0]["request"]["systemInstruction"]
    )


async def test_commands_and_replies_are_for_telegrams_name(forgetful: Room) -> None:
    here, username = forgetful, forgetful.house.username
    await here.writes(f"/help@{WRITTEN}")
    await here.rests()
    assert await here.said() == []
    await here.writes(f"/help@{username}")
    await here.rests()
    (said,) = await here.said()
    assert said.startswith("Commands you can use here")
    await here.will_plan({"kind": "send", "text": "It is."})
    await here.writes("is that all?", reply_to=(await here.messages())[0]["message_id"])
    await here.rests()
    assert (await here.said())[1:] == ["It is."]


async def test_the_webhook_knows_it_too(forgetful: Room) -> None:
    """Messages with its name are read soon, and a stop for it works at once; those for another bot rest."""
    here, username = forgetful, forgetful.house.username
    await here.writes("hello all")
    await here.rests()
    here.clock.now += timedelta(hours=1)  # by then it takes no part, and the webhook reads the names again
    for text, reason in (
        (f"is {username} here?", WakeReason.SOON),
        (f"is {WRITTEN} here?", WakeReason.LATER),
        (f"/stop@{username}", WakeReason.STOP),
        (f"/stop@{WRITTEN}", WakeReason.NOW),
    ):
        await here.writes(text)
        assert reason in {wake.reason for wake in await here.queue.wakes()}, text
        await here.rests()
        here.clock.now += timedelta(hours=1)


async def test_an_invitation_links_to_telegrams_name(here: Room) -> None:
    await forget_name(here)
    here = misnamed(here)
    await here.writes(f"/claim {claim_code(SECRET, 'lull', here.house.bot_id)}")
    await here.rests()
    here.clock.now += FRESH
    await here.writes("/invite")
    await here.rests()
    said = (await here.said())[-1]
    assert f"t.me/{here.house.username}?start=" in said
    assert WRITTEN not in said


async def test_telegram_is_asked_once_by_all_instances_for_hours(
    forgetful: Room, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "lull")
    before = await times_asked(forgetful)
    for _ in range(3):
        other = misnamed(forgetful)  # another instance
        assert [await named(other) for _ in range(2)] == [forgetful.house.username] * 2
        forgetful.clock.now += NAME_KEPT / 4
    assert await times_asked(forgetful) == before + 1
    (told,) = [record.getMessage() for record in caplog.records if record.name == "lull"]
    assert told.startswith(f"lull/agent.md says `username: {WRITTEN}`, but at Telegram the bot is @")


async def test_a_new_name_at_botfather_is_heard_within_a_day(forgetful: Room) -> None:
    here, new = forgetful, f"re{forgetful.house.username}"
    assert await named(here) == here.house.username
    await rename(here, new)
    here.clock.now += NAME_KEPT
    assert timedelta(days=1) > NAME_KEPT + timedelta(hours=1)
    await here.will_plan({"kind": "send", "text": "With my new name."})
    await here.writes(f"@{new} hello")
    await here.rests()
    assert await here.said() == ["With my new name."]


async def test_who_changes_the_persona_is_not_made_to_wait(forgetful: Room) -> None:
    assert await named(forgetful) == forgetful.house.username
    await rename(forgetful, "renamed_on_the_page_bot")
    assert await named(misnamed(forgetful, "renamed_on_the_page_bot")) == "renamed_on_the_page_bot"


async def test_without_telegram_the_last_name_holds_and_else_the_personas(
    forgetful: Room, caplog: pytest.LogCaptureFixture
) -> None:
    here, before = forgetful, await times_asked(forgetful)
    fault = {"method": "getMe", "bot_id": here.house.bot_id, "kind": "502", "times": 2}
    (await here.house.telegram.post("/world/faults", json=fault)).raise_for_status()
    assert [await named(here) for _ in range(3)] == [WRITTEN] * 3
    assert await times_asked(here) == before + 1, "it is left alone for a while"
    assert "Telegram does not say what the bot's username is" in caplog.text
    here.clock.now += RETRY_AFTER
    assert await named(here) == WRITTEN
    here.clock.now += RETRY_AFTER
    assert await named(here) == here.house.username
    here.clock.now += NAME_KEPT
    (await here.house.telegram.post("/world/faults", json=fault | {"times": 1})).raise_for_status()
    assert await named(here) == here.house.username


async def test_in_a_group_a_mention_waits_until_telegram_has_said_its_name(forgetful: Room) -> None:
    """With the persona's username it would count as another bot's, for good."""
    here = forgetful
    fault = {"method": "getMe", "bot_id": here.house.bot_id, "kind": "502", "times": 1}
    (await here.house.telegram.post("/world/faults", json=fault)).raise_for_status()
    await here.will_plan({"kind": "send", "text": "Yes, I am here."})
    await here.writes(f"@{here.house.username} are you there?")
    wake = (await here.queue.wakes())[0]
    for _ in range(2):
        with pytest.raises(NotDelivered):
            await tick(here.tick_services, wake)
    here.clock.now += RETRY_AFTER
    await tick(here.tick_services, wake)
    await here.rests()
    assert await here.said() == ["Yes, I am here."]
    assert await named(here, in_group=True) == here.house.username
