"""Requests to Telegram and Firestore for the variables of prompts, and when there are none."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from shared.media.stickers import OwnStickers
from shared.planning.prompt.assemble import assemble_prompt
from shared.planning.prompt.scene import AnswerTargets, Scene, Zones, meanings
from shared.recall.store.summaries import ChatSummary, FirestoreSummaries, SummarySpan
from shared.turn.lookup import (
    FIRST_SUMMARISED,
    FRESH,
    FRESH_REFUSAL,
    FRESH_SUMMARIES,
    MOST_BLOCKED,
    PRIVATE_MEMBERS,
    SceneLookup,
)
from shared.values.agent import Agent, RolePrompt
from shared.values.chat import Chat
from shared.values.chat_key import ChatKind
from shared.values.evolve import evolve
from shared.values.origin import TextOrigin, TextSource
from shared.values.trust import BlockedPerson
from tests.shared.examples import agent, said
from tests.shared.planning.prompt.scenes import scene
from tests.shared.turn.harness import ChatHarness

ASKED = "before asking for members"
COUNTING = agent(instructions="There are {membercount} of us.")
ADDRESSING = agent(instructions="They go by {user_pronouns}.")
SECOND = timedelta(seconds=1)


def lookup_of(room: ChatHarness) -> SceneLookup:
    found = room.tick_services.agents["lull"].replier.lookup
    assert found is not None
    return found


def in_room(room: ChatHarness, persona: Agent, **fields: object) -> Scene:
    """Return a scene with a message of the room to answer."""
    kind = ChatKind.SUPERGROUP if room.others else ChatKind.PRIVATE
    author = evolve(said("").author, id=room.person)
    chat = Chat(key=room.key, kind=kind)
    given = {"targets": [1], "agent": persona, "chat": chat, "now": room.clock.now}
    return scene(said("hi", author), **given | fields)


async def test_how_many_there_are_is_asked_once_in_five_minutes(group: ChatHarness) -> None:
    lookup, found = lookup_of(group), in_room(group, COUNTING)
    everybody = str(2 + len(group.others))
    assert meanings(await lookup.complete(found)) == {"membercount": everybody}
    assert meanings(await lookup.complete(replace(found, now=found.now + FRESH - SECOND))) == {"membercount": everybody}
    assert group.steps.taken.count(ASKED) == 1
    await lookup.complete(replace(found, now=found.now + FRESH))
    assert group.steps.taken.count(ASKED) == 2


async def test_in_a_private_chat_there_are_two_and_nobody_is_asked(harness: ChatHarness) -> None:
    completed = await lookup_of(harness).complete(in_room(harness, COUNTING))
    assert (
        completed.people.member_count
        == PRIVATE_MEMBERS
        == await harness.backend.channel.member_count(harness.key.chat_id)
    )
    assert ASKED not in harness.steps.taken


async def test_what_telegram_refuses_to_say_is_not_asked_for_an_hour(group: ChatHarness) -> None:
    gone = Chat(key=replace(group.key, chat_id=group.key.chat_id - 10**6), kind=ChatKind.GROUP)
    lookup, found = lookup_of(group), in_room(group, COUNTING, chat=gone)
    assert meanings(await lookup.complete(found)) == {"membercount": ""}
    assert (await lookup.complete(replace(found, now=found.now + FRESH_REFUSAL - SECOND))).people.member_count is None
    assert group.steps.taken.count(ASKED) == 1
    await lookup.complete(replace(found, now=found.now + FRESH_REFUSAL))
    assert group.steps.taken.count(ASKED) == 2


async def test_while_telegram_does_not_answer_the_older_count_stands(group: ChatHarness) -> None:
    lookup, found = lookup_of(group), in_room(group, COUNTING)
    before = (await lookup.complete(found)).people.member_count
    assert before is not None
    for _ in range(2):
        await group.fault(kind="500", method="getChatMemberCount", times=1)
        assert (await lookup.complete(replace(found, now=found.now + FRESH))).people.member_count == before
    assert group.steps.taken.count(ASKED) == 3, "what was not said is not kept"


def scheduling(**fields: Any) -> Agent:
    return agent(roles=(RolePrompt(name="reminding", text="Remind people.", unlocks=("send", "schedule")),), **fields)


async def test_where_an_agent_can_schedule_times_are_in_the_persons_zone(harness: ChatHarness) -> None:
    lookup, found = lookup_of(harness), in_room(harness, scheduling(), timezone="Europe/Berlin")
    assert (await lookup.complete(found)).said_zone == "Europe/Berlin"
    await lookup.people.keep_zone(harness.person, "Asia/Tokyo", harness.clock.now)
    completed = await lookup.complete(found)
    assert (completed.zones.timezone, completed.said_zone) == ("Asia/Tokyo", "Asia/Tokyo")
    # nothing is read for an agent that cannot
    assert (await lookup.complete(replace(found, agent=agent()))).zones.timezone == "Europe/Berlin"
    await lookup.people.keep_zone(harness.person, "Asia/Atlantis", harness.clock.now)
    assert (await lookup.complete(found)).said_zone == "Europe/Berlin"


@pytest.mark.parametrize(
    ("languages", "usual", "zone"),
    [
        ({"last_language": "uk"}, "", "Europe/Kyiv"),
        ({"last_language": "en", "spoken_language": "de"}, "", "Europe/Berlin"),
        ({"last_language": "en-GB"}, "", "Europe/London"),
        ({"last_language": "en"}, "", "UTC"),
        ({"last_language": "uk"}, "Europe/Warsaw", "Europe/Warsaw"),
    ],
)
async def test_a_zone_that_nobody_told_is_a_guess(
    harness: ChatHarness, languages: dict[str, str], usual: str, zone: str
) -> None:
    found = in_room(harness, scheduling())
    found = replace(found, chat=Chat.model_validate(found.chat.model_dump() | languages))
    completed = await replace(lookup_of(harness), zone=usual).complete(found)
    assert (completed.said_zone, completed.zones.is_zone_guessed) == (zone, True)
    # an owner who set the agent's zone knows better
    owners = await lookup_of(harness).complete(replace(found, zones=Zones(timezone="Europe/Rome")))
    assert (owners.said_zone, owners.zones.is_zone_guessed) == ("Europe/Rome", True)
    in_group = replace(
        found,
        chat=found.chat.with_part(evolve(found.chat.locale, group_zone="Europe/Rome")),
        zones=Zones(timezone="Europe/Rome"),
    )
    assert not (await lookup_of(harness).complete(in_group)).zones.is_zone_guessed
    await lookup_of(harness).people.keep_zone(harness.person, "Asia/Tokyo", harness.clock.now)
    told = await lookup_of(harness).complete(found)
    assert (told.said_zone, told.zones.is_zone_guessed) == ("Asia/Tokyo", False)


async def test_in_a_group_only_whoever_asks_has_a_time_of_their_own(group: ChatHarness) -> None:
    lookup, found = lookup_of(group), in_room(group, scheduling(), timezone="Europe/Berlin")
    await lookup.people.keep_zone(group.person, "Asia/Tokyo", group.clock.now)
    completed = await lookup.complete(found)
    assert (completed.zones.timezone, completed.said_zone) == ("Europe/Berlin", "Asia/Tokyo")
    same = await lookup.complete(replace(found, zones=Zones(timezone="Asia/Tokyo")))
    assert (same.zones.timezone, same.zones.asker_timezone) == ("Asia/Tokyo", "")


async def test_pronouns_are_those_of_whoever_is_answered(group: ChatHarness) -> None:
    lookup, found = lookup_of(group), in_room(group, ADDRESSING)
    assert meanings(await lookup.complete(found)) == {"user_pronouns": ""}
    await lookup.people.keep_pronouns(group.person, "they/them", group.clock.now)
    assert meanings(await lookup.complete(found)) == {"user_pronouns": "they/them"}
    assert (await lookup.complete(replace(found, answering=AnswerTargets()))).people.pronouns == ""


class _Unread:
    """A store that must not be read."""

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"{name} was used")


@pytest.mark.parametrize("persona", [agent(), agent(instructions="It is {time}, {userfullname}.")])
async def test_for_a_prompt_that_uses_neither_nothing_is_read_or_asked(group: ChatHarness, persona: Agent) -> None:
    nothing: Any = _Unread()
    found = in_room(group, persona)
    lookup = SceneLookup(channel=nothing, entities=nothing, people=nothing, access_lists=lookup_of(group).access_lists)
    assert await lookup.complete(found) == found


async def test_whose_the_agent_is_is_known_for_a_minute(group: ChatHarness) -> None:
    lookup, found, owners = lookup_of(group), in_room(group, agent()), group.tick_services.agents["lull"].owners
    assert (await lookup.complete(found)).people.owner == 0
    assert owners is not None
    await owners.claim("lull", group.person, group.clock.now)
    assert (await lookup.complete(found)).people.owner == 0, "it was looked up just now"
    group.clock.now += FRESH
    completed = await lookup.complete(found)
    assert completed.people.owner == group.person
    assert TextSource(origin=TextOrigin.OWNER, person=group.person) in assemble_prompt(completed).sources


async def test_the_model_is_told_both(group: ChatHarness) -> None:
    services = group.tick_services.agents["lull"]
    persona = evolve(services.replier.agent, instructions="{membercount} of us; {user_pronouns}.")
    told = replace(services, replier=replace(services.replier, agent=persona))
    group.tick_services = replace(group.tick_services, agents={"lull": told})
    await group.will_plan({"kind": "send", "text": "Hello."})
    await group.writes("/pronouns they/them")
    await group.rests()
    await group.writes("lull, hi")
    await group.rests()
    meant = f'{{membercount}} is "{2 + len(group.others)}", {{user_pronouns}} is "they/them".'
    assert meant in (await group.asked())[-1]


class _Listed(OwnStickers):
    """Stickers of which only the list counts."""

    def __init__(self, listed: str) -> None:
        self._listed = listed

    async def prompt_list(self) -> str:
        return self._listed


async def test_stickers_are_listed_for_who_may_send_some_and_not_offered_where_there_are_none(
    group: ChatHarness,
) -> None:
    text = RolePrompt(name="stickering", text="Send stickers.", unlocks=("sticker",))
    chat = RolePrompt(name="chat", text="Answer.", unlocks=("send",))
    found = in_room(group, agent(roles=(chat, text)))
    some = await replace(lookup_of(group), stickers=_Listed("Your stickers: 😂")).complete(found)
    assert (some.stickers, some.offer.kinds) == ("Your stickers: 😂", ("send", "sticker"))
    none = await replace(lookup_of(group), stickers=_Listed("")).complete(found)
    assert (none.stickers, none.offer.kinds, none.agent.roles) == ("", ("send",), (chat,))
    other = in_room(group, agent(roles=(chat,)))
    assert (await replace(lookup_of(group), stickers=_Listed("Your stickers: 😂")).complete(other)).stickers == ""


async def test_summaries_of_the_chat_are_shown_once_it_is_old_enough_to_have_any(harness: ChatHarness) -> None:
    store = FirestoreSummaries(harness.backend.chats.client)
    lookup, found = replace(lookup_of(harness), summaries=store), in_room(harness, agent())
    await store.show(harness.key.id, SummarySpan.WEEK, ChatSummary(text="A week.", made_at=found.now))
    await store.show(
        harness.key.id, SummarySpan.MONTH, ChatSummary(text="A month.", made_at=found.now, holds_outside=True)
    )
    assert (await lookup.complete(found)).earlier.digests == ()
    old = replace(found, chat=found.chat.with_part(evolve(found.chat.claim, generation=FIRST_SUMMARISED)))
    month, week = (await lookup.complete(old)).earlier.digests
    assert (month.text, month.source.origin, week.text, week.source.origin) == (
        "A month.", TextOrigin.OUTSIDE, "A week.", TextOrigin.AGENT,
    )  # fmt: skip
    assert [one.title for one in (month, week)] == [
        f"summary: what was said here in the {days} days up to {found.now:%Y-%m-%d}" for days in (30, 7)
    ]


async def test_summaries_are_read_again_after_some_minutes(harness: ChatHarness) -> None:
    store = FirestoreSummaries(harness.backend.chats.client)
    lookup, found = replace(lookup_of(harness), summaries=store), in_room(harness, agent())
    old = replace(found, chat=found.chat.with_part(evolve(found.chat.claim, generation=FIRST_SUMMARISED)))
    assert (await lookup.complete(old)).earlier.digests == ()
    await store.show(harness.key.id, SummarySpan.WEEK, ChatSummary(text="A week.", made_at=found.now))
    assert (await lookup.complete(old)).earlier.digests == ()
    later = replace(old, now=old.now + FRESH_SUMMARIES)
    assert [one.text for one in (await lookup.complete(later)).earlier.digests] == ["A week."]


BLOCKING = agent(roles=(RolePrompt(name="blocking", text="x", unlocks=("send", "block", "unblock")),))


async def test_whom_they_may_unblock_the_owner_alone_is_told_and_in_private(harness: ChatHarness) -> None:
    owners, access_lists, now = (
        harness.tick_services.agents["lull"].owners,
        lookup_of(harness).access_lists,
        harness.clock.now,
    )
    assert owners is not None
    await owners.claim("lull", harness.person, now)
    for number in range(MOST_BLOCKED + 1):
        await access_lists.block(
            "lull", BlockedPerson(id=9_000 + number, name=f"Mo{number}", since=now + number * SECOND)
        )
    harness.clock.now += FRESH
    told = (await lookup_of(harness).complete(in_room(harness, BLOCKING))).people.blocked
    assert [one.id for one in told] == [9_000 + number for number in range(MOST_BLOCKED, 0, -1)]
    assert (await lookup_of(harness).complete(in_room(harness, agent()))).people.blocked == ()
    other = said("hi", evolve(said("").author, id=4))
    found = scene(other, targets=[1], agent=BLOCKING, chat=in_room(harness, BLOCKING).chat, now=harness.clock.now)
    assert (await lookup_of(harness).complete(found)).people.blocked == ()


async def test_in_a_group_nobody_is_told_who_is_blocked(group: ChatHarness) -> None:
    owners, access_lists, now = (
        group.tick_services.agents["lull"].owners,
        lookup_of(group).access_lists,
        group.clock.now,
    )
    assert owners is not None
    await owners.claim("lull", group.person, now)
    await access_lists.block("lull", BlockedPerson(id=9_000, name="Mo", since=now))
    group.clock.now += FRESH
    completed = await lookup_of(group).complete(in_room(group, BLOCKING))
    assert (completed.people.owner, completed.people.blocked) == (group.person, ())
