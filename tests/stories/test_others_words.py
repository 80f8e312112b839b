"""Stories of words from another chat, forwarded or quoted by a person."""

from tests.stories.play import Chat, Person, Sandbox
from tests.stories.words import last_prompt, will_say


async def elsewhere(sandbox: Sandbox, ann: Person, ben: Person) -> Chat:
    """Make a group of both people without lull."""
    return await sandbox.group([ann, ben])


async def test_forwarded_words_stay_those_of_who_wrote_them(sandbox: Sandbox) -> None:
    ann, ben = await sandbox.person("Ann"), await sandbox.person("Ben")
    other, chat = await elsewhere(sandbox, ann, ben), await sandbox.private(ann)
    debt = await other.writes(ben, "I owe Ann 500 euros")
    await will_say(sandbox, chat, "Then Ben owes you 500 euros.")
    await chat.writes(ann, "", forward_of={"chat": other.key, "message_id": debt})
    assert await chat.answers() == ["Then Ben owes you 500 euros."]
    prompt = await last_prompt(sandbox, chat)
    assert f'name="{ann.name}" username="{ann.name.lower()}_x" forwarded_from_user_id={ben.id} ' in prompt
    assert f'forwarded_from_name="{ben.name}"' in prompt
    await chat.rests()
    (said, _) = await chat.spoken()
    assert (said["author"]["id"], said["forwarded_from"]["id"], said["text"]) == (ann.id, ben.id, "I owe Ann 500 euros")


async def test_a_quote_from_another_chat_is_shown_with_who_said_it(sandbox: Sandbox) -> None:
    ann, ben = await sandbox.person("Ann"), await sandbox.person("Ben")
    other, chat = await elsewhere(sandbox, ann, ben), await sandbox.private(ann)
    said = await other.writes(ben, "I think cats are best")
    await will_say(sandbox, chat, "I do.")
    place = {"chat": other.key, "message_id": said}
    await chat.writes(ann, "do you agree?", reply_elsewhere=place, quote="cats are best")
    assert await chat.answers() == ["I do."]
    prompt = await last_prompt(sandbox, chat)
    assert f'reply_to_other_chat=true reply_to_user_id={ben.id} reply_to_name="{ben.name}"' in prompt
    assert 'reply_excerpt="cats are best"' in prompt


async def test_in_a_group_a_forward_that_names_the_agent_does_not_call_it(sandbox: Sandbox) -> None:
    ann, ben, cem = [await sandbox.person(name) for name in ("Ann", "Ben", "Cem")]
    other, chat = await sandbox.private(ben), await sandbox.group([ann, ben, cem])
    username = (await sandbox.bot("lull"))["username"]
    await will_say(sandbox, other, "Nothing yet.")
    asked = await other.writes(ben, f"@{username} what do you think?")
    await other.answers()
    await will_say(sandbox, chat, "At nine.")
    brought = await chat.writes(ben, "", forward_of={"chat": other.key, "message_id": asked})
    assert await chat.answers() == ["At nine."], "his own words, which he brings along, call it"
    quiet = await sandbox.group([ann, cem])
    await quiet.writes(ann, "", forward_of={"chat": chat.key, "message_id": brought})
    await quiet.rests()
    (said,) = await quiet.spoken()
    assert (said["decision"]["respond"], said["decision"]["reason"]) == (False, "not addressed")


async def test_what_is_neither_text_nor_file_is_told_with_what_is_in_it(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await will_say(sandbox, chat, "That is Kyiv.")
    await chat.writes(ann, "", content={"location": {"latitude": 50.4501, "longitude": 30.5234}})
    assert await chat.answers() == ["That is Kyiv."]
    assert "[media: a location: 50.45010, 30.52340]" in await last_prompt(sandbox, chat)
