"""A model that answers with bare text, and the one question besides talk that it is asked."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from shared.planning.prompt.assemble import assemble_prompt
from shared.turn.talk import asks_for_a_reminder, language_name, reminder_prompt
from shared.values.agent import Codec, ModelNotes
from shared.values.chat import Chat
from shared.values.message import QuotedMessage
from tests import media_files
from tests.shared.examples import ANN, BOB, said
from tests.shared.kept_reminders import kept
from tests.shared.planning.prompt.scenes import scene
from tests.shared.turn.harness import ChatHarness

NOTES = ModelNotes(text="Answer briefly.", codec=Codec.TEXT, calls_functions=False)


@pytest.fixture
def talker(harness: ChatHarness) -> ChatHarness:
    """Make a room whose model answers with plain text."""
    services = harness.tick_services.agents["lull"]
    replier = replace(services.replier, offered_models={"scripted": NOTES})
    harness.tick_services = replace(harness.tick_services, agents={"lull": replace(services, replier=replier)})
    return harness


@pytest.mark.parametrize(
    "text",
    [
        "remind me in 10 minutes to call", "set a reminder for tomorrow", "erinnere mich morgen an den Arzt",
        "recuérdame que llame", "avísame a las ocho", "rappelle-moi d'appeler", "ricordami di chiamare",
        "me lembre de ligar", "przypomnij mi o tym", "herinner me eraan", "bana yarın hatırlat",
        "нагадай мені завтра", "напомни через час", "ذكرني غدا", "فردا یادم بنداز", "मुझे कल याद दिलाना",
        "ingatkan saya besok", "menga eslatib qo'y", "明日リマインドして", "明天提醒我", "내일 알려줘",
    ],
)  # fmt: skip
def test_requests_for_reminders_are_noticed_in_every_language(text: str) -> None:
    assert asks_for_a_reminder([said("hi"), said(text)])


@pytest.mark.parametrize("text", ["hi", "I remember you", "what did I say?", "er innert", ""])
def test_other_words_are_none(text: str) -> None:
    assert not asks_for_a_reminder([said(text)])
    assert not asks_for_a_reminder([])


@pytest.mark.parametrize(
    ("text", "known", "name"),
    [
        ("was ist die Hauptstadt von Österreich?", "en", "German"),
        ("яка зараз година і що ти робиш?", "", "Ukrainian"),
        ("hallo, was kannst du?", "", "German"),
        ("oi, o que você faz?", "", "Portuguese"),
        ("wie geht's?", "", "German"),
        ("hoe gaat het", "", "Dutch"),
        ("hallo, was kannst du?", "fr", "French"),
        ("hallo", "", ""),
        ("pizza", "", ""),
        ("ok", "fr", "French"),
        ("ok", "", ""),
    ],
)
def test_the_language_is_that_of_the_message(text: str, known: str, name: str) -> None:
    assert language_name(said(text), known) == name


async def test_what_the_model_writes_is_the_answer(talker: ChatHarness) -> None:
    await talker.model.will({"text": "Blue, I think.\n\nAnd you?", "match": "what colour is the sea here"})
    await talker.writes("what colour is the sea here?")
    await talker.rests()
    assert await talker.said() == ["Blue, I think.\n\nAnd you?"]


async def test_an_empty_reply_is_silence(talker: ChatHarness) -> None:
    await talker.model.will({"text": " ", "match": "please say nothing at all"})
    await talker.writes("please say nothing at all")
    await talker.rests()
    assert (await talker.said(), await talker.incidents()) == ([], [])


async def test_a_reminder_is_asked_for_by_itself_and_kept(talker: ChatHarness) -> None:
    plan = {"tasks": {"tasks": [{"kind": "schedule", "text": "feed the heron", "after": "10 minutes"}]}}
    await talker.model.will({**plan, "match": "remind me in 10 minutes to feed the heron"})
    await talker.writes("remind me in 10 minutes to feed the heron")
    await talker.next_tick()
    assert len(await talker.said()) == 1, "it is confirmed"
    await talker.rests()
    assert "feed the heron" in (await talker.said())[-1]


async def test_beside_a_reminder_the_message_before_is_answered_too(talker: ChatHarness) -> None:
    plan = {"tasks": {"tasks": [{"kind": "schedule", "text": "feed the stork", "after": "10 minutes"}]}}
    await talker.model.will({**plan, "match": "Turn the last request into a plan"})
    await talker.model.will({"text": "A stork is white.", "match": "Answer briefly."})
    await talker.writes("what colour is a stork?")
    await talker.writes("and remind me in 10 minutes to feed the stork")
    await talker.next_tick()
    said = await talker.said()
    assert "A stork is white." in said
    assert any("feed the stork" in one for one in said), "the reminder is confirmed"
    assert len((await talker.plan()).calls) == 2


def test_a_reminder_is_asked_for_by_the_clock_of_whoever_asks_and_with_what_they_reply_to() -> None:
    asked = said(
        "remind me of this at five", ANN, 2, reply=QuotedMessage(message_id=1, author=BOB, excerpt="Bring the tent.")
    )
    found = scene(asked, asker_timezone="Asia/Tokyo", now=datetime(2026, 11, 30, 20, tzinfo=UTC), targets=[2])
    last = reminder_prompt(found, asked, assemble_prompt(found)).turns[-1]
    assert last.parts == (
        "Bring the tent.\nremind me of this at five\n(It is Tuesday 2026-12-01 05:00. The next days: Wed 12-02, "
        "Thu 12-03, Fri 12-04, Sat 12-05, Sun 12-06, Mon 12-07, Tue 12-08.)",
    )


async def test_where_no_reminder_comes_of_it_the_request_is_answered_with_words(talker: ChatHarness) -> None:
    await talker.model.will({"tasks": {"tasks": []}, "match": "what does the word remind mean, old crane"})
    await talker.model.will({"text": "To make somebody think of something.", "match": "Answer briefly."})
    await talker.writes("what does the word remind mean, old crane?")
    await talker.rests()
    assert await talker.said() == ["To make somebody think of something."]
    assert isinstance(await talker.document(), Chat)


@pytest.mark.parametrize(
    ("text", "planned", "hours"),
    [
        ("recuérdame mañana a las 9 dar de comer a la garza", {"at": "2031-01-02T09:00"}, 21),
        ("erinnere mich morgen um 9 daran, den Reiher zu füttern", {"after": "12 hours"}, 21),
        ("напомни мне завтра в 9 покормить цаплю", {"at": "in 2 days at 9", "zone": "Asia/Tokyo"}, 21),
        ("нагадай за годину погодувати чаплю", {"at": "2001-01-01T09:00"}, 1),
        ("remind me to feed the heron in 4 hours", {"every": "FREQ=DAILY", "at": "09:00"}, 4),
    ],
)
async def test_the_time_in_the_words_counts_and_not_the_models(
    talker: ChatHarness, text: str, planned: dict[str, str], hours: int
) -> None:
    talker.by_day("UTC")
    noon = talker.clock.now
    plan = {"tasks": {"tasks": [{"kind": "schedule", "text": "heron", **planned}]}}
    await talker.model.will({**plan, "match": text})
    await talker.writes(text)
    await talker.next_tick()
    [reminder] = await kept(talker)
    assert (reminder.rule, reminder.zone) == ("", "UTC")
    assert reminder.next_at is not None
    assert timedelta() <= reminder.next_at - noon - timedelta(hours=hours) < timedelta(minutes=1)


async def test_a_repetition_in_the_words_counts_too(talker: ChatHarness) -> None:
    plan = {"tasks": {"tasks": [{"kind": "schedule", "text": "heron", "at": "2001-01-01T08:00"}]}}
    await talker.model.will({**plan, "match": "herinner me elke dag om 8 uur eraan"})
    await talker.writes("herinner me elke dag om 8 uur eraan de reiger te voeren")
    await talker.next_tick()
    [reminder] = await kept(talker)
    assert (reminder.rule, reminder.start[11:16]) == ("FREQ=DAILY", "08:00")


async def test_a_time_in_doubt_is_the_models(talker: ChatHarness) -> None:
    plan = {"tasks": {"tasks": [{"kind": "schedule", "text": "heron", "after": "5 hours"}]}}
    talker.by_day("UTC")
    await talker.model.will({**plan, "match": "remind me of the heron tomorrow around noon"})
    await talker.writes("remind me of the heron tomorrow around noon")
    await talker.next_tick()
    [reminder] = await kept(talker)
    assert f"{reminder.next_at:%H:%M}" == "17:00"


async def test_two_reminders_keep_their_own_times(talker: ChatHarness) -> None:
    tasks = [
        {"kind": "schedule", "text": text, "after": f"{hours} hours"} for text, hours in (("heron", 2), ("crane", 3))
    ]
    talker.by_day("UTC")
    await talker.model.will({"tasks": {"tasks": tasks}, "match": "remind me in 2 hours of the heron"})
    await talker.writes("remind me in 2 hours of the heron and then of the crane")
    await talker.next_tick()
    assert sorted(f"{one.next_at:%H:%M}" for one in await kept(talker)) == ["14:00", "15:00"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("what is in this photo?", "I can't open pictures"),
        ("was ist auf dem Bild?", "kann ich keine Bilder"),
        ("що на цій фотографії, не знаєш?", "не відкриває зображень"),
        ("", "I can't open pictures"),
    ],
)
async def test_a_model_that_sees_nothing_is_not_asked_to_guess(talker: ChatHarness, text: str, told: str) -> None:
    await talker.sends("photo", media_files.png(), caption=text)
    await talker.rests()
    (answer,) = await talker.said()
    assert told in answer
    assert await talker.incidents() == []


async def test_a_question_beside_a_photo_that_nobody_sees_is_answered_too(talker: ChatHarness) -> None:
    await talker.model.will({"text": "In the north, most of the year.", "match": "where do herons live"})
    await talker.sends("photo", media_files.png(), caption="look")
    await talker.writes("where do herons live?")
    await talker.rests()
    about_photo, answer = await talker.said()
    assert "I can't open pictures" in about_photo
    assert answer == "In the north, most of the year."


async def test_several_photos_that_nobody_sees_get_one_sentence(talker: ChatHarness) -> None:
    await talker.sends("photo", media_files.png(), caption="look")
    await talker.sends("photo", media_files.png(), caption="and what is this?")
    await talker.rests()
    (answer,) = await talker.said()
    assert "I can't open pictures" in answer


async def test_the_next_question_is_not_about_the_photo(talker: ChatHarness) -> None:
    await talker.model.will({"text": "Vienna.", "match": "what is the capital of Austria, ibis"})
    await talker.sends("photo", media_files.png(), caption="and this one?")
    await talker.rests()
    await talker.writes("what is the capital of Austria, ibis?")
    await talker.rests()
    assert (await talker.said())[-1] == "Vienna."


async def test_a_reminder_below_a_photo_is_set(talker: ChatHarness) -> None:
    plan = {"tasks": {"tasks": [{"kind": "schedule", "text": "feed the egret", "after": "10 minutes"}]}}
    await talker.model.will({**plan, "match": "remind me in 10 minutes to feed the egret"})
    await talker.sends("photo", media_files.png(), caption="remind me in 10 minutes to feed the egret")
    await talker.next_tick()
    assert len(await talker.said()) == 1, "it is confirmed"
    await talker.rests()
    assert "feed the egret" in (await talker.said())[-1]
