"""Stories of talk in a group: the times when the agent answers, and the messages in its prompt."""

import time

from tests.stories.play import Chat, Person, Sandbox
from tests.stories.words import covered, last_prompt, will_say

MINUTE_S = 60


async def opened(sandbox: Sandbox, *names: str) -> tuple[Chat, str, list[Person]]:
    """Make a group whose first member has asked lull when something opens; return it, lull's @username, and
    the people.
    """
    people = [await sandbox.person(name) for name in names]
    chat, username = await sandbox.group(people), f"@{(await sandbox.bot('lull'))['username']}"
    await will_say(sandbox, chat, "At nine.")
    await chat.writes(people[0], f"{username} when does it open?")
    assert await chat.answers() == ["At nine."]
    await chat.rests()
    return chat, username, people


async def reasons(chat: Chat) -> list[str]:
    """Wait for the chat to rest, and list the reasons of its decisions in order."""
    await chat.rests()
    return [e["decision"]["reason"] for e in await chat.spoken() if e["decision"]]


async def test_a_side_conversation_is_left_to_those_who_have_it_and_remembered(sandbox: Sandbox) -> None:
    chat, username, (ann, ben, cem) = await opened(sandbox, "Ann", "Ben", "Cem")
    first = next(m["message_id"] for m in await chat.messages() if m["from"] == ann.id)
    asked = await chat.writes(ben, "and where is the tall ladder?", reply_to=first)
    answered = await chat.writes(ann, "it is in my van", reply_to=asked)
    await chat.writes(ben, "bring it on Sunday, will you?", reply_to=answered)
    await chat.writes(ann, f"{ben.name}, I will")
    assert (await reasons(chat))[1:] == ["for somebody else"] * 4
    assert len(await chat.said()) == 1
    await will_say(sandbox, chat, "In a van.")
    await chat.writes(cem, f"{username} so where is it?")
    assert await chat.answers() == ["In a van."]
    prompt = await last_prompt(sandbox, chat)
    shown = ["tall ladder", "it is in my van", "bring it on Sunday", "I will", "so where is it?"]
    assert sorted(map(prompt.index, shown)) == [prompt.index(text) for text in shown]


async def test_somebody_else_goes_on_with_what_it_said_without_naming_it(sandbox: Sandbox) -> None:
    chat, _, (_, ben) = await opened(sandbox, "Ann", "Ben")
    await will_say(sandbox, chat, "Closed.")
    await chat.writes(ben, "and on Sundays?")
    assert await chat.answers() == ["Closed."]
    assert await reasons(chat) == ["mentioned", "a question right after the agent's words"]


async def test_three_minutes_later_the_same_words_are_not_for_it(sandbox: Sandbox) -> None:
    chat, _, (ann, ben) = await opened(sandbox, "Ann", "Ben")
    for person in (ben, ann):
        await chat.writes(person, "and on Sundays?", date=int(time.time()) + 3 * MINUTE_S)
    assert await reasons(chat) == ["mentioned", "not addressed", "not addressed"]
    assert len(await chat.said()) == 1


async def test_drawn_into_a_group_it_is_shown_an_hour_and_twenty_messages_of_what_was_said(sandbox: Sandbox) -> None:
    ann, ben = await sandbox.person("Ann"), await sandbox.person("Ben")
    chat, username = await sandbox.group([ann, ben]), f"@{(await sandbox.bot('lull'))['username']}"
    now = int(time.time())
    old = await chat.writes(ann, "the key is under the third stone", date=now - 120 * MINUTE_S)
    for n in range(23):
        await chat.writes(ben, f"line {n:02}", date=now - (25 - n) * MINUTE_S)
    await will_say(sandbox, chat, "Good evening.")
    await chat.writes(ann, f"{username} good evening", reply_to=old)
    assert await chat.answers() == ["Good evening."]
    prompt = await last_prompt(sandbox, chat)
    assert [n for n in range(23) if f"line {n:02}" in prompt] == list(range(3, 23))
    assert "[earlier: 4 older messages are not shown; there is no summary of them]" in prompt
    assert prompt.count("the key is under the third stone") == 1
    assert 'reply_excerpt="the key is under the third stone"' in prompt, "a quote from before is quoted all the same"
    await will_say(sandbox, chat, "Still here.")
    await chat.writes(ann, f"{username} are you there?")
    assert await chat.answers() == ["Still here."]
    prompt = await last_prompt(sandbox, chat)
    assert [n for n in range(23) if f"line {n:02}" in prompt] == list(range(23))
    assert "[earlier" not in prompt


async def test_a_name_in_japanese_is_heard_without_spaces_around_it(sandbox: Sandbox) -> None:
    made = (await sandbox.telegram.post("/world/people", json={"first_name": "ゆい"})).raise_for_status().json()
    yui = Person(made["id"], "ゆい")
    chat = await sandbox.group([yui], "tutor")
    await will_say(sandbox, chat, "👋 **おはよう**ございます、`です`の人！")
    await chat.writes(yui, "ねえオディールさん、おはようございます。今日は何をしますか")
    assert await chat.answers() == ["👋 おはようございます、ですの人！"]
    (said,) = await chat.said()
    assert covered(said) == {"bold": "おはよう", "code": "です"}
    assert await reasons(chat) == ["called by name"]
    prompt = await last_prompt(sandbox, chat)
    assert "ねえオディールさん、おはようございます。今日は何をしますか" in prompt
    assert f'name="{yui.name}"' in prompt
