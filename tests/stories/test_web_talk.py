"""Stories of an owner who talks to the agent in the console: the same path as in Telegram, but for its two ends."""

from collections.abc import Iterator

import pytest

from local.cloud import LocalCloud
from shared.values.chat_key import Channel
from shared.webchat.posting import post
from tests.conftest import HURRIED, SOON
from tests.forking import forked
from tests.stories.leaving import forgets
from tests.stories.play import Sandbox
from tests.stories.test_export import asked_for
from tests.stories.web_talk import WebTalk


@pytest.fixture(scope="module")
def cloud() -> Iterator[LocalCloud]:
    """Run a separate local cloud, as a deletion waits until no function of it runs."""
    with LocalCloud(forked(env=HURRIED, arguments={"telegram": SOON})).running() as running:
        yield running


async def test_the_owner_writes_in_the_web_and_is_answered_there_alone(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    telegram = await sandbox.private(ann)
    web = WebTalk.begin(sandbox, ann)
    assert web.key.channel is Channel.WEB
    assert await web.document() == {}, "no transcript before the first message"
    await sandbox.model.will_say("I am lull, in **both** places.")
    await web.writes("hi, who are you in the web?")
    assert await web.answers() == ["I am lull, in both places."]
    await web.rests()
    entries = await web.transcript()
    assert [(e["seq"], e["author"]["is_agent"], e["text"]) for e in entries] == [
        (1, False, "hi, who are you in the web?"),
        (2, True, "I am lull, in both places."),
    ]
    (shown,) = await web.shown()
    assert (shown.message_id, [e.type for e in shown.entities]) == (entries[1]["message_id"], ["bold"])
    assert [d.state for t in (await web.plan()).tasks for d in t.deliveries] == ["confirmed"]
    assert await telegram.said() == []


async def test_a_message_that_is_posted_twice_is_read_once(sandbox: Sandbox) -> None:
    web = WebTalk.begin(sandbox, await sandbox.person("Ann"))
    await sandbox.model.will_say("Once.")
    update = web.posting().message("a double click")
    assert [await post(web.receiver, update), await post(web.receiver, update)] == [True, False]
    assert await web.answers() == ["Once."]
    await web.rests()
    assert [e["text"] for e in await web.transcript()] == ["a double click", "Once."]


async def test_two_web_conversations_stand_side_by_side(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    one, other = WebTalk.begin(sandbox, ann), WebTalk.begin(sandbox, ann)
    other.key = type(other.key)(agent="lull", chat_id=ann.id, topic_id=one.key.topic_id + 1)
    await sandbox.model.will_say("Apples.")
    await one.writes("about apples")
    assert await one.answers() == ["Apples."]
    await sandbox.model.will_say("Pears.")
    await other.writes("about pears")
    assert await other.answers() == ["Pears."]
    await sandbox.model.will_say("Apples again.")
    await one.writes("and once more")
    assert await one.answers() == ["Apples again."]
    await one.rests()
    (asked,) = await sandbox.model.asked("and once more")
    assert "about apples" in str(asked["request"]["contents"])
    assert "about pears" not in str(asked["request"]["contents"])


async def test_commands_are_answered_without_the_model(sandbox: Sandbox) -> None:
    web = WebTalk.begin(sandbox, await sandbox.person("Ann"))
    await web.writes("/whoami")
    (told,) = await web.answers()
    assert str(web.key.chat_id) in told
    await web.rests()
    assert await sandbox.model.left() == []
    await web.writes("/conversations")
    await web.answers()


async def test_choices_are_buttons_that_the_owner_presses(sandbox: Sandbox) -> None:
    web = WebTalk.begin(sandbox, await sandbox.person("Ann"))
    await sandbox.model.will_plan({"kind": "send", "text": "Tea or coffee?", "choices": ["Tea", "Coffee"]})
    await web.writes("what shall I drink?")
    await web.answers()
    await web.rests()
    (asked,) = await web.shown()
    assert [one.text for one in asked.buttons] == ["Tea", "Coffee"]
    await sandbox.model.will_say("Coffee it is.")
    await web.presses(asked, at=1)
    assert await web.answers() == ["Coffee it is."]
    await web.rests()
    first, _ = await web.shown()
    assert first.buttons == ()
    assert "✓ Coffee" in first.text


async def test_what_is_remembered_in_telegram_is_known_in_the_web(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    telegram, web = await sandbox.private(ann), WebTalk.begin(sandbox, ann)
    await sandbox.model.will_plan(
        {"kind": "remember", "text": "Ann's rabbit is called Fennel"}, {"kind": "send", "text": "Noted."}
    )
    await telegram.writes(ann, "please remember that my rabbit is called Fennel")
    await telegram.answers()
    await telegram.rests()
    await sandbox.model.will_say("Fennel.")
    await web.writes("tell me my rabbit's name")
    assert await web.answers() == ["Fennel."]
    (asked,) = await sandbox.model.asked("tell me my rabbit's name")
    assert "Fennel" in str(asked["request"])


async def test_a_reminder_of_the_web_comes_to_the_web(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    telegram, web = await sandbox.private(ann), WebTalk.begin(sandbox, ann)
    await sandbox.model.will_plan({"kind": "schedule", "text": "Drink some water!", "after": "2 seconds"})
    await web.writes("remind me in two seconds to drink water")
    confirmed, reminded = await web.answers(2)
    assert "water" in confirmed
    assert "water" in reminded
    assert await telegram.said() == []


async def test_a_conversation_that_telegram_has_left_goes_on_in_the_web_alone(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    telegram, web = await sandbox.private(ann), WebTalk.begin(sandbox, ann)
    await sandbox.model.will_say("A garden, then.")
    await telegram.writes(ann, "let us plan my marigold garden")
    await telegram.answers()
    await telegram.rests()
    left = (await telegram.document())["conversation"]
    await web.writes(f"/resume {left}")
    await web.answers()
    await web.rests()
    assert (await web.document())["conversation"] != left, "Telegram still goes on with it"
    await telegram.writes(ann, "/new")
    await telegram.answers()
    await telegram.rests()
    await web.writes(f"/resume {left}")
    await web.answers()
    await web.rests()
    assert (await web.document())["conversation"] == left
    await sandbox.model.will_say("Marigolds along the fence.")
    await web.writes("where were we?")
    assert await web.answers() == ["Marigolds along the fence."]
    await web.rests()
    (asked,) = await sandbox.model.asked("where were we?")
    assert "marigold garden" in str(asked["request"]["contents"])
    assert [e["text"] for e in await web.transcript() if e["type"] == "message" and e["text"]][:2] == [
        "let us plan my marigold garden",
        "A garden, then.",
    ]
    assert len(await telegram.said()) == 2, "the answer of the web stays there"
    await telegram.writes(ann, f"/resume {left}")
    await telegram.answers()
    await telegram.rests()
    assert (await telegram.document())["conversation"] != left, "two chats never go on with one conversation"


async def test_an_export_that_is_asked_for_in_the_web_contains_it_and_comes_to_telegram(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    telegram, web = await sandbox.private(ann), WebTalk.begin(sandbox, ann)
    await sandbox.model.will_say("Noted.", "Noted.")
    await telegram.writes(ann, "hello in Telegram")
    await telegram.answers()
    await web.writes("my gooseberry secret of the web")
    await web.answers()
    await web.rests()
    files = await asked_for(sandbox, telegram, ann, lambda: web.writes("/export"))
    assert b"gooseberry secret" in files["messages.jsonl"]
    assert b"hello in Telegram" in files["messages.jsonl"]


async def test_who_is_forgotten_is_forgotten_in_the_web(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    telegram, web = await sandbox.private(ann), WebTalk.begin(sandbox, ann)
    await sandbox.model.will_say("Noted.")
    await telegram.writes(ann, "/help")
    await telegram.answers()
    await web.writes("a mulberry secret")
    await web.answers()
    await web.rests()
    conversation = (await web.document())["conversation"]
    await forgets(sandbox, telegram, ann)
    for path in (f"conversations/{conversation}", f"chats/{web.key.id}/screen/current", f"plans/{web.key.id}"):
        assert not (await sandbox.firestore.document(path).get()).exists, path
    assert "mulberry" not in str(await web.document())
