"""Lull's own words in people's languages, in the whole cloud."""

import pytest

from shared.base.wording.words import words_in
from tests.shared.own_words import ENGLISH
from tests.stories.play import Person, Sandbox
from tests.stories.test_commands import notices, press


@pytest.mark.parametrize(
    ("tag", "language"), [("uk", "uk"), ("pt-br", "pt"), ("ar", "ar"), ("zh-hans", "zh"), ("sv", "en"), (None, "en")]
)
async def test_whoever_comes_is_greeted_and_told_in_their_language(
    sandbox: Sandbox, tag: str | None, language: str
) -> None:
    person, words = await sandbox.person("Ann", tag), words_in(language)
    chat = await sandbox.private(person)
    await chat.writes(person, "/start")
    (greeting,) = await chat.answers()
    assert greeting.startswith(words.say("start.hello", name=person.name, agent="lull"))
    assert greeting.endswith(words.say("start.help"))
    await chat.writes(person, "/title " + "x" * 83)
    assert await chat.answers() == [words.say("command.too_long", count=83, most=80)]


async def test_commands_inside_a_sentence_from_right_to_left_stay_whole(sandbox: Sandbox) -> None:
    sara = await sandbox.person("Sara", "fa")
    chat = await sandbox.private(sara)
    await chat.writes(sara, "/help")
    (listed,) = await chat.answers()
    assert "\u2068/stop\u2069 – متوقف کردن کاری که می‌کنم" in listed
    message = (await chat.said())[0]
    units = message["text"].encode("utf-16-le")
    linked = [units[2 * e["offset"] : 2 * (e["offset"] + e["length"])].decode("utf-16-le") for e in message["entities"]]
    assert {"/stop", "/mute"} <= set(linked), "Telegram makes commands of them all the same"


async def test_in_a_group_everybody_is_answered_in_their_own(sandbox: Sandbox) -> None:
    olha, max_, kim = await sandbox.person("Olha", "uk"), await sandbox.person("Max", "de"), await sandbox.person("Kim")
    chat = await sandbox.group([olha, max_, kim])
    for person, language in ((olha, "uk"), (max_, "de"), (kim, "de")):
        # of Kim no language is known: the one counts that was spoken last
        await chat.writes(person, "/stop@lull_bot")
        assert await chat.answers() == [words_in(language).say("stop.nothing")]


async def test_an_apology_is_in_the_language_of_who_is_answered(sandbox: Sandbox) -> None:
    olha, max_ = await sandbox.person("Olha", "uk"), await sandbox.person("Max", "de")
    chat = await sandbox.group([olha, max_])
    useless = {"text": "no plan at all", "times": None, "match": f"chat_id={chat.id} "}
    await sandbox.model.will(useless)
    await chat.writes(olha, "@lull_bot how is the tea?")
    await chat.writes(max_, "not now")
    assert await chat.answers() == [words_in("uk").say("apology.no_plan")]


async def test_who_presses_a_button_is_told_in_their_language(sandbox: Sandbox) -> None:
    ann: Person = await sandbox.person("Ann", "it")
    chat = await sandbox.private(ann)
    await chat.writes(ann, "/model")
    await chat.answers()
    (message,) = await chat.said()
    query = await press(chat, ann, message, 0)
    (notice,) = await notices(chat, [query])
    model = message["buttons"][0][0]["text"].removeprefix("✓ ")
    assert notice == words_in("it").say("model.already", model=model) != ENGLISH.say("model.already", model=model)


async def test_who_writes_another_language_than_their_app_is_told_in_what_they_write(sandbox: Sandbox) -> None:
    olha = await sandbox.person("Olha", "en")
    chat = await sandbox.private(olha)
    for text, language in (("нагадай мені завтра купити молоко", "en"), ("дякую, дуже корисно", "uk"), ("ok", "uk")):
        await sandbox.model.will_say("Добре.")
        await chat.writes(olha, text)
        assert await chat.answers() == ["Добре."]
        await chat.writes(olha, "/stop")
        assert await chat.answers() == [words_in(language).say("stop.nothing")]


async def test_a_language_that_was_set_holds_for_all_in_the_chat(sandbox: Sandbox) -> None:
    olha = await sandbox.person("Olha", "uk")
    chat = await sandbox.private(olha)
    await chat.writes(olha, "/language Deutsch")
    assert await chat.answers() == [words_in("de").say("language.chosen")]
    await chat.writes(olha, "/stop")
    assert await chat.answers() == [words_in("de").say("stop.nothing")]
    await chat.writes(olha, "/language auto")
    await chat.answers()
    await chat.writes(olha, "/stop")
    assert await chat.answers() == [words_in("uk").say("stop.nothing")]
