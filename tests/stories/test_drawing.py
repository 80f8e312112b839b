"""Stories of an agent that draws, where a model is set for that."""

from collections.abc import Iterator

import pytest

from local.cloud import LocalCloud
from local.gemini.samples import blob, picture
from shared.base.wording.words import words_in
from tests.conftest import ANSWERING, HURRIED, SOON
from tests.forking import forked
from tests.stories.play import Sandbox

FOX = {"kind": "draw", "prompt": "A red fox in deep snow, as a woodcut.", "text": "Your fox!"}
DRAWN = {"text": "Here it is.", "inline": [blob("image/png", picture())]}


@pytest.fixture(scope="module")
def cloud() -> Iterator[LocalCloud]:
    """Run a cloud with a model that draws, which others lack."""
    env = HURRIED | {"LULL_IMAGE_MODEL": "gemini-nano-banana-2.1"}
    with LocalCloud(forked(env=env, arguments={"telegram": SOON}, parts=ANSWERING)).running() as running:
        yield running


async def test_what_is_asked_for_is_drawn_and_the_agent_knows_what_it_shows(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_plan(FOX)
    await sandbox.model.will(DRAWN)
    await chat.writes(ann, "draw me a fox")
    await chat.answers()
    await chat.rests()
    (said,) = await chat.said()
    assert (said["caption"], bool(said["photo"])) == ("Your fox!", True)
    assert (await sandbox.telegram.get(f"/world/files/{said['photo']['file_id']}")).content == picture()
    asked = (await sandbox.model.asked(str(FOX["prompt"])))[-1]  # another story may have asked for the same before
    assert asked["request"]["generationConfig"] == {"responseModalities": ["TEXT", "IMAGE"]}
    entry = (await chat.spoken())[-1]
    assert (entry["text"], entry["media"], entry["holds_outside"]) == ("Your fox!", "a photo", False)
    assert entry["media_refs"][0]["description"]["shows"] == FOX["prompt"]
    await sandbox.model.will_say("A fox.")
    await chat.writes(ann, "what is it?")
    await chat.rests()
    again = (await sandbox.model.asked(ann.name))[-1]["request"]
    own = next(turn for turn in again["contents"] if turn["role"] == "model")
    assert FOX["prompt"] in own["parts"][0]["text"]


async def test_what_no_model_draws_is_said_in_the_language_of_who_asked(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann", language="uk")
    chat = await sandbox.private(ann)
    await sandbox.model.will_plan(FOX, {"kind": "send", "text": "42."})
    await sandbox.model.will({"finish_reason": "IMAGE_SAFETY", "match": '"IMAGE"'})
    await chat.writes(ann, "draw me a fox, and what is 6 times 7?")
    assert sorted(await chat.answers(2)) == sorted([words_in("uk").say("excuse.draw"), "42."])
    await chat.rests()
    assert "a picture of yours could not be made" in str(await chat.transcript())
