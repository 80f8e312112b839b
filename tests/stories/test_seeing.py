"""Stories of pictures that the model is shown when it plans: the exact bytes, under their names, and no others."""

import hashlib
from collections.abc import Sequence

from shared.planning.prompt.scene import FIRST_CHARACTERS_PER_TOKEN
from shared.reader.decode.prepare import prepare_file
from tests.media_files import png
from tests.stories.play import Chat, Json, Sandbox, until

JPEG = "image/jpeg"


async def as_shown(sandbox: Sandbox, chat: Chat, message_id: int) -> Json:
    """Make the picture that the model gets of a photo, from Telegram's bytes alone."""
    message = next(m for m in await chat.messages() if m["message_id"] == message_id)
    file_id = message["photo"]["file_id"]
    content = (await sandbox.telegram.get(f"/world/files/{file_id}")).raise_for_status().content
    (part,) = prepare_file("photo", "", content).parts
    return {"mimeType": JPEG, "size": len(part.content), "sha256": hashlib.sha256(part.content).hexdigest()}


async def marks(sandbox: Sandbox, about: str) -> list[str]:
    """List the texts before the files in the last turn of the last request about something."""
    turns = (await sandbox.model.asked(about))[-1]["request"]["contents"]
    texts: Sequence[str] = [part.get("text", "") for part in turns[-1]["parts"]]
    return [text.strip() for text in texts if text.startswith("[attached:")]


async def until_asked(sandbox: Sandbox, about: str) -> None:
    """Wait until the model has a request about something; one that it still thinks about is no exchange yet."""

    async def is_asked() -> bool:
        left = (await sandbox.model.http.get("/script")).json()["replies"]
        return [reply.get("match") for reply in left].count(about) == 1

    await until(is_asked, f"the model is asked: {about}")


async def downloads(sandbox: Sandbox, chat: Chat) -> int:
    """Count the requests of the agent's bot for files."""
    calls = (await sandbox.telegram.get("/world/calls", params={"after": 0})).json()["calls"]
    return sum(call["method"] == "getFile" and call["bot_id"] == chat.bot_id for call in calls)


async def test_a_photo_with_a_question_is_shown_byte_for_byte(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    counted = [{"modality": "TEXT", "tokenCount": 500}, {"modality": "IMAGE", "tokenCount": 100_000}]
    usage = {"promptTokenCount": 100_500, "promptTokensDetails": counted}
    await sandbox.model.will_plan({"kind": "send", "text": "It is green."}, match="which hue has quince", usage=usage)
    photo = await chat.sends_photo(ann, png((10, 160, 20), 300, 200), "which hue has quince?")
    assert await chat.answers() == ["It is green."]
    await chat.rests()
    assert await sandbox.model.shown("which hue has quince") == [[await as_shown(sandbox, chat, photo)]]
    assert await marks(sandbox, "which hue has quince") == [f"[attached: the photo of message {photo}]"]
    parts = (await sandbox.model.asked("which hue has quince"))[-1]["request"]["contents"][-1]["parts"]
    assert ["inlineData" in part for part in parts[-3:]] == [False, True, False]
    assert (await chat.plan()).outside == (), "nobody describes files here, so one's own photo is one's own"
    (call,) = (await chat.plan()).calls
    assert (call.prompt_tokens, call.media_tokens) == (100_500, 100_000)
    # the learned ratio is of tokens of words; with all tokens, two characters for a token would be too many
    assert (await chat.document())["characters_per_token"] > FIRST_CHARACTERS_PER_TOKEN


async def test_a_question_after_a_photo_and_a_reply_to_an_older_one_are_shown_it(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_plan({"kind": "send", "text": "Nice."}, match="look, a medlar")
    await sandbox.model.will_plan({"kind": "send", "text": "Two."}, match="how many medlars")
    await sandbox.model.will_plan({"kind": "send", "text": "Fine."}, match="just hips")
    await sandbox.model.will_plan({"kind": "send", "text": "Brown."}, match="what shade")
    older = await chat.sends_photo(ann, png((90, 60, 30)), "look, a medlar")
    await chat.answers()
    await chat.writes(ann, "how many medlars?")
    await chat.answers()
    newer = await chat.sends_photo(ann, png((200, 60, 30)), "just hips")
    await chat.answers()
    await chat.writes(ann, "what shade?", reply_to=older)
    await chat.answers()
    await chat.rests()
    medlar, hips = [await as_shown(sandbox, chat, one) for one in (older, newer)]
    by_request = [await sandbox.model.shown(about) for about in ("look, a medlar", "what shade")]
    assert by_request == [[[medlar], [medlar], [hips], [medlar]], [[medlar]]]
    # earlier lines are the same in each plan, so that they stay in the model's cache
    first, second = [e["request"]["contents"] for e in (await sandbox.model.asked("look, a medlar"))[:2]]
    assert first[-1]["parts"][0] == second[0]["parts"][0]
    assert not any("inlineData" in part for turn in second[:-1] for part in turn["parts"])


async def test_an_album_of_three_is_three_pictures_of_one_message(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_plan({"kind": "send", "text": "Three."}, match="count the sloes", times=None)
    colours = [(10, 10, 200), (10, 10, 220), (10, 10, 240)]
    album = await chat.sends_album(ann, [("photo", png(colour)) for colour in colours], "count the sloes")
    await chat.answers()
    await chat.rests()
    last = (await sandbox.model.shown("count the sloes"))[-1]
    assert last == [await as_shown(sandbox, chat, one) for one in album]
    assert await marks(sandbox, "count the sloes") == [
        f"[attached: photo {n} of 3 of message {album[0]}]" for n in (1, 2, 3)
    ]


async def test_of_too_many_pictures_the_first_of_the_newest_message_go(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_plan({"kind": "send", "text": "Six."}, match="count the damsons", times=None)
    album = await chat.sends_album(ann, [("photo", png((n, 90, 90))) for n in range(6)], "count the damsons")
    await chat.answers()
    await chat.rests()
    last = (await sandbox.model.shown("count the damsons"))[-1]
    assert last == [await as_shown(sandbox, chat, one) for one in album[:4]]


async def test_in_a_group_a_photo_is_shown_to_whoever_is_asked_about_it(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    chat = await sandbox.group([ann, bob])
    username = (await sandbox.bot("lull"))["username"]
    await sandbox.model.will_plan({"kind": "send", "text": "A rowan."}, match="which tree is", times=None)
    photo = await chat.sends_photo(bob, png((200, 30, 30)))
    await chat.writes(ann, f"@{username} which tree is that?")
    await chat.answers()
    await chat.writes(bob, f"@{username} which tree is mine?")
    await chat.answers()
    await chat.rests()
    bobs = await as_shown(sandbox, chat, photo)
    about_ann, about_bob = (await sandbox.model.shown("which tree is that"))[0], await sandbox.model.shown("is mine")
    assert (about_ann, about_bob[-1]) == ([], [bobs])


async def test_a_plan_that_is_made_again_downloads_no_photo_again(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    plan = {"tasks": {"tasks": [{"kind": "send", "text": "A service tree."}]}, "match": "what is it, sorb"}
    hold = f"sorb-{ann.id}"
    await sandbox.model.will({**plan, "hold": hold}, plan)
    before = await downloads(sandbox, chat)
    photo = await chat.sends_photo(ann, png((40, 40, 90)), "what is it, sorb?")
    await until_asked(sandbox, "what is it, sorb")
    await chat.writes(ann, "I mean the tree")
    await until(lambda: _have_arrived(chat, 2), "it is stored while the model thinks")
    await sandbox.model.go_on(hold)
    await chat.answers()
    await chat.rests()
    shown = await sandbox.model.shown("what is it, sorb")
    assert shown == [[await as_shown(sandbox, chat, photo)]] * len(shown)
    assert len(shown) == 2
    assert await downloads(sandbox, chat) == before + 1


async def _have_arrived(chat: Chat, count: int) -> bool:
    return len(await chat.inbox()) >= count


async def test_a_malformed_reply_is_sent_back_with_the_picture(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    again = {"tasks": {"tasks": [{"kind": "send", "text": "Bullaces."}]}, "match": "name these, please"}
    await sandbox.model.will({"text": "no plan at all {", "match": "name these, please"}, again)
    photo = await chat.sends_photo(ann, png((90, 10, 90)), "name these, please")
    assert await chat.answers() == ["Bullaces."]
    await chat.rests()
    assert await sandbox.model.shown("name these, please") == [[await as_shown(sandbox, chat, photo)]] * 2


async def test_a_picture_that_the_model_refuses_does_not_cost_the_answer(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    again = {"tasks": {"tasks": [{"kind": "send", "text": "I cannot open it."}]}, "match": "judge this cornel"}
    await sandbox.model.will(
        {"status": 400, "error": "Unable to process input image.", "match": "judge this cornel"}, again
    )
    await chat.sends_photo(ann, png((70, 10, 10)), "judge this cornel")
    assert await chat.answers() == ["I cannot open it."]
    await chat.rests()
    first, second = await sandbox.model.shown("judge this cornel")
    assert (len(first), second) == (1, [])
    (mark,) = await marks(sandbox, "judge this cornel")
    assert mark.endswith(", which cannot be shown to you: say so, and guess nothing about it]")


async def test_without_a_reader_the_plan_is_made_without_the_picture(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_plan({"kind": "send", "text": "I cannot see it."}, match="see this azarole", times=None)
    sandbox.cloud.stop("reader")
    try:
        await chat.sends_photo(ann, png((1, 100, 200)), "see this azarole?")
        assert await chat.answers() == ["I cannot see it."]
        await chat.rests()
    finally:
        sandbox.cloud.start("reader")
    assert (await sandbox.model.shown("see this azarole"))[-1] == []
    assert (await chat.plan()).outside == ()
