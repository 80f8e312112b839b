"""The agent's username is the one at Telegram, not the persona's: in groups, commands, links and prompts."""

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
from tests.shared.turn.harness import SECRET, ChatHarness

WRITTEN = "written_in_agent_md_bot"


def misnamed(harness: ChatHarness, written: str = WRITTEN, inbox: FirestoreInbox | None = None) -> ChatHarness:
    """Give the agent of the room another username in its persona than its bot has at Telegram."""
    services = harness.tick_services.agents["lull"]
    agent, channel = services.replier.agent.with_username(written), services.runner.channel
    names = FirestoreBotNames(harness.backend.chats.client, harness.clock)
    services = replace(
        services,
        replier=replace(services.replier, agent=agent),
        runner=replace(services.runner, agent=agent),
        admission=AccessChecker.of(agent, services.dispatcher.ports, harness.clock, is_open=True),
        bot_username=BotUsername(agent=agent, channel=channel, names=names, clock=harness.clock),
    )
    tick_services = replace(harness.tick_services, agents={"lull": services})
    receiver = replace(
        harness.receiver, names={"lull": AgentNames(usernames=(written,), called=("lull",))}, usernames=inbox
    )
    return replace(harness, tick_services=tick_services, receiver=receiver)


@pytest.fixture
async def forgetful(group: ChatHarness, inbox: FirestoreInbox) -> AsyncIterator[ChatHarness]:
    """Make a group whose agent is misnamed, before any request to Telegram for its name."""
    await forget_name(group)
    yield misnamed(group, inbox=inbox)
    await rename(group, group.backend.username)
    await forget_name(group)


async def forget_name(harness: ChatHarness) -> None:
    await harness.backend.chats.client.document("bots/lull").set({"names": DELETE_FIELD}, merge=True)


async def rename(harness: ChatHarness, username: str) -> None:
    await harness.backend.make("bots", token=harness.backend.token, first_name="lull", username=username, privacy=False)


async def times_asked(harness: ChatHarness) -> int:
    found: list[Json] = (await harness.backend.telegram.get("/world/calls", params={"after": 0})).json()["calls"]
    return sum(call["method"] == "getMe" and call["bot_id"] == harness.backend.bot_id for call in found)


async def named(harness: ChatHarness, *, in_group: bool = False) -> str:
    bot_username = harness.tick_services.agents["lull"].bot_username
    assert bot_username is not None
    return (await bot_username.named_agent(in_group=in_group)).front.username


async def test_in_a_group_it_hears_telegrams_name_and_not_the_one_in_its_persona(forgetful: ChatHarness) -> None:
    harness, username = forgetful, forgetful.backend.username
    await harness.will_plan({"kind": "send", "text": "Yes, I am here."})
    await harness.writes(f"@{WRITTEN} are you there?")
    await harness.rests()
    assert await harness.said() == [], "that is another bot's name"
    await harness.writes(f"@{username.upper()} are you there?")
    await harness.rests()
    assert await harness.said() == ["Yes, I am here."]
    decided = {
        entry["text"]: entry["decision"]["reason"] for entry in await harness.transcript() if entry.get("decision")
    }
    assert decided[f"@{username.upper()} are you there?"] == "mentioned"
    own = next(entry["author"] for entry in await harness.transcript() if entry["author"]["is_agent"])
    assert own["username"] == username
    assert WRITTEN not in str(
        (await harness.model.asked(f"chat_id={harness.key.chat_id} "))[0]["request"]["systemInstruction"]
    )


async def test_commands_and_replies_are_for_telegrams_name(forgetful: ChatHarness) -> None:
    harness, username = forgetful, forgetful.backend.username
    await harness.writes(f"/help@{WRITTEN}")
    await harness.rests()
    assert await harness.said() == []
    await harness.writes(f"/help@{username}")
    await harness.rests()
    (said,) = await harness.said()
    assert said.startswith("Commands you can use here")
    await harness.will_plan({"kind": "send", "text": "It is."})
    await harness.writes("is that all?", reply_to=(await harness.messages())[0]["message_id"])
    await harness.rests()
    assert (await harness.said())[1:] == ["It is."]


async def test_the_webhook_knows_it_too(forgetful: ChatHarness) -> None:
    """Messages with its name are read soon, and a stop for it works at once; messages for other bots wait."""
    harness, username = forgetful, forgetful.backend.username
    await harness.writes("hello all")
    await harness.rests()
    harness.clock.now += timedelta(hours=1)  # by then it takes no part, and the webhook reads the names again
    for text, reason in (
        (f"is {username} here?", WakeReason.SOON),
        (f"is {WRITTEN} here?", WakeReason.LATER),
        (f"/stop@{username}", WakeReason.STOP),
        (f"/stop@{WRITTEN}", WakeReason.NOW),
    ):
        await harness.writes(text)
        assert reason in {wake.reason for wake in await harness.queue.wakes()}, text
        await harness.rests()
        harness.clock.now += timedelta(hours=1)


async def test_an_invitation_links_to_telegrams_name(harness: ChatHarness) -> None:
    await forget_name(harness)
    harness = misnamed(harness)
    await harness.writes(f"/claim {claim_code(SECRET, 'lull', harness.backend.bot_id)}")
    await harness.rests()
    harness.clock.now += FRESH
    await harness.writes("/invite")
    await harness.rests()
    said = (await harness.said())[-1]
    assert f"t.me/{harness.backend.username}?start=" in said
    assert WRITTEN not in said


async def test_telegram_is_asked_once_by_all_instances_for_hours(
    forgetful: ChatHarness, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "lull")
    before = await times_asked(forgetful)
    for _ in range(3):
        other = misnamed(forgetful)  # another instance
        assert [await named(other) for _ in range(2)] == [forgetful.backend.username] * 2
        forgetful.clock.now += NAME_KEPT / 4
    assert await times_asked(forgetful) == before + 1
    (told,) = [record.getMessage() for record in caplog.records if record.name == "lull"]
    assert told.startswith(f"lull/agent.md says `username: {WRITTEN}`, but at Telegram the bot is @")


async def test_a_new_name_at_botfather_is_heard_within_a_day(forgetful: ChatHarness) -> None:
    harness, new = forgetful, f"re{forgetful.backend.username}"
    assert await named(harness) == harness.backend.username
    await rename(harness, new)
    harness.clock.now += NAME_KEPT
    assert timedelta(days=1) > NAME_KEPT + timedelta(hours=1)
    await harness.will_plan({"kind": "send", "text": "With my new name."})
    await harness.writes(f"@{new} hello")
    await harness.rests()
    assert await harness.said() == ["With my new name."]


async def test_who_changes_the_persona_is_not_made_to_wait(forgetful: ChatHarness) -> None:
    assert await named(forgetful) == forgetful.backend.username
    await rename(forgetful, "renamed_on_the_page_bot")
    assert await named(misnamed(forgetful, "renamed_on_the_page_bot")) == "renamed_on_the_page_bot"


async def test_without_telegram_the_last_name_holds_and_else_the_personas(
    forgetful: ChatHarness, caplog: pytest.LogCaptureFixture
) -> None:
    harness, before = forgetful, await times_asked(forgetful)
    fault = {"method": "getMe", "bot_id": harness.backend.bot_id, "kind": "502", "times": 2}
    (await harness.backend.telegram.post("/world/faults", json=fault)).raise_for_status()
    assert [await named(harness) for _ in range(3)] == [WRITTEN] * 3
    assert await times_asked(harness) == before + 1, "it is left alone for a while"
    assert "Telegram did not give the bot's username" in caplog.text
    harness.clock.now += RETRY_AFTER
    assert await named(harness) == WRITTEN
    harness.clock.now += RETRY_AFTER
    assert await named(harness) == harness.backend.username
    harness.clock.now += NAME_KEPT
    (await harness.backend.telegram.post("/world/faults", json=fault | {"times": 1})).raise_for_status()
    assert await named(harness) == harness.backend.username


async def test_in_a_group_a_mention_waits_until_telegram_has_said_its_name(forgetful: ChatHarness) -> None:
    """With the persona's username, the mention would count for ever as one of another bot."""
    harness = forgetful
    fault = {"method": "getMe", "bot_id": harness.backend.bot_id, "kind": "502", "times": 1}
    (await harness.backend.telegram.post("/world/faults", json=fault)).raise_for_status()
    await harness.will_plan({"kind": "send", "text": "Yes, I am here."})
    await harness.writes(f"@{harness.backend.username} are you there?")
    wake = (await harness.queue.wakes())[0]
    for _ in range(2):
        with pytest.raises(NotDelivered):
            await tick(harness.tick_services, wake)
    harness.clock.now += RETRY_AFTER
    await tick(harness.tick_services, wake)
    await harness.rests()
    assert await harness.said() == ["Yes, I am here."]
    assert await named(harness, in_group=True) == harness.backend.username
