"""Stories of a model that answers badly, late, or not at all."""

import json
from typing import Any

from tests.stories.play import Sandbox, until

APOLOGY = "Sorry, I couldn't come up with an answer just now. Please ask me again."


async def test_a_malformed_reply_recovers(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will({"text": "I would rather talk in prose."})
    await sandbox.model.will_say("As a plan, then.")
    await chat.writes(ann, "a kumquat question")
    assert await chat.answers() == ["As a plan, then."]
    first, second = await sandbox.model.asked("kumquat")
    assert len(second["request"]["contents"]) == len(first["request"]["contents"]) + 2
    assert "I would rather talk in prose." in str(second["request"]["contents"][-2])
    calls = (await chat.plan()).calls
    assert [bool(call.problem) for call in calls] == [True, False]


async def test_one_that_never_does_gets_the_person_one_honest_sentence(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will({"text": "no"}, {"text": "plan"}, {"text": "ever"})
    await chat.writes(ann, "a loquat question")
    assert await chat.answers() == [APOLOGY]
    await chat.rests()
    assert len(await sandbox.model.asked("loquat")) == 3
    assert len(await chat.said()) == 1


async def test_a_reply_that_was_cut_off_is_never_run_in_part(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    whole = '{"tasks":[{"kind":"send","text":"one"},{"kind":"send","text":"two"}]}'
    await sandbox.model.will({"text": whole[:-20], "finish_reason": "MAX_TOKENS"})
    await sandbox.model.will_say("All of it.")
    await chat.writes(ann, "two things, please")
    assert await chat.answers() == ["All of it."]
    await chat.rests()
    assert [m["text"] for m in await chat.said()] == ["All of it."]
    requests = [e["request"] for e in await sandbox.model.asked("two things, please")]
    assert [request["generationConfig"]["maxOutputTokens"] for request in requests] == [2_048, 2_048]


async def test_thoughts_alone_are_no_answer(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    thoughts = {"content": {"role": "model", "parts": [{"text": "Hm.", "thought": True}]}, "finishReason": "STOP"}
    await sandbox.model.will({"candidates": [thoughts]})
    await sandbox.model.will_say("Said aloud.")
    await chat.writes(ann, "think about it")
    assert await chat.answers() == ["Said aloud."]


async def test_a_failing_server_is_tried_again(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will({"status": 503}, {"status": 429})
    await sandbox.model.will_say("Back again.")
    await chat.writes(ann, "are you there?")
    assert await chat.answers() == ["Back again."]
    await chat.rests()
    assert len(await chat.said()) == 1


async def test_a_model_that_stays_away_is_told_once(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will({"status": 500, "times": 100, "match": "a medlar question"})
    await chat.writes(ann, "a medlar question")
    (said,) = await chat.answers()
    assert said.startswith("Sorry, I can't reach my AI model")
    await chat.rests()
    assert len(await chat.said()) == 1
    await sandbox.model.clear()
    await sandbox.model.will_say("Here I am.")
    await chat.writes(ann, "and now?")
    assert await chat.answers() == ["Here I am."]


async def test_a_refusal_by_the_models_safety_rules_is_told(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will({"text": "", "finish_reason": "SAFETY", "times": 100, "match": "a mirabelle question"})
    await chat.writes(ann, "a mirabelle question")
    (said,) = await chat.answers()
    assert said.startswith("The safety rules of my AI model don't let me answer this.")
    await chat.rests()
    assert len(await chat.said()) == 1


async def test_an_answer_is_shown_while_the_model_writes_it(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    answer = "First the dough, which rests for an hour. Then the plums, cut side up. " * 5 + "Then the oven."
    plan = json.dumps({"tasks": [{"kind": "send", "text": answer}]})
    await sandbox.model.will({"text": plan, "chunk_chars": 40, "pause_s": 0.1, "hold": "the-last-words"})
    await chat.writes(ann, "how do I bake a plum cake?")

    async def drafts() -> list[dict[str, Any]]:
        response = await sandbox.telegram.get("/world/calls", params={"method": "sendMessageDraft"})
        return [call for call in response.json()["calls"] if str(call["params"]["chat_id"]) == str(chat.id)]

    shown = await until(drafts, "a draft of the answer")
    text = shown[0]["params"]["text"]
    assert text
    assert answer.startswith(text)
    assert await chat.said() == []
    await sandbox.model.go_on("the-last-words")
    assert await chat.answers() == [answer]
