"""Stories of a model that uses tools while it plans."""

from tests.stories.play import Sandbox

QUESTION = "what is 17% of 2,340?"
CALL = {"name": "calculate", "args": {"expression": "0.17 * 2340"}}


async def test_a_sum_is_worked_out_before_it_is_answered(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will({"function_calls": [CALL]})
    await sandbox.model.will_say("17% of 2,340 is 397.8.")
    await chat.writes(ann, QUESTION)
    assert await chat.answers() == ["17% of 2,340 is 397.8."]
    await chat.rests()
    assert len(await chat.said()) == 1
    first, second = (exchange["request"] for exchange in await sandbox.model.asked(ann.name))
    assert [tool["name"] for tool in first["tools"][0]["functionDeclarations"]] == [
        "calculate", "convert", "currency", "fetch_context", "list_reminders", "recall_facts", "retrieve", "search",
        "search_conversations", "weather",
    ]  # fmt: skip
    assert second["contents"][: len(first["contents"])] == first["contents"]
    called, answered = second["contents"][len(first["contents"]) :]
    assert called["parts"][0]["functionCall"] == CALL
    assert answered["parts"][0]["functionResponse"]["response"] == {"output": "397.8"}
    plan = await chat.plan()
    assert ([call.problem for call in plan.calls], plan.notes) == (["", ""], ())
    assert [entry["text"] for entry in await chat.spoken()] == [QUESTION, "17% of 2,340 is 397.8."]
    await sandbox.model.will_say("By the calculator.")
    await chat.writes(ann, "how did you get that?")
    assert await chat.answers() == ["By the calculator."]
    asked = str((await sandbox.model.asked(ann.name))[-1]["request"]["contents"])
    assert asked.count("[event: you had looked up: calculate ") == 1
    assert "→ 397.8]" in asked


async def test_a_call_that_is_written_as_text_goes_back_and_nobody_reads_it(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_say("tool_code\nprint(calculate(expression='0.17 * 2340'))")
    await sandbox.model.will({"function_calls": [CALL]})
    await sandbox.model.will_say("17% of 2,340 is 397.8.")
    await chat.writes(ann, QUESTION)
    assert await chat.answers() == ["17% of 2,340 is 397.8."]
    await chat.rests()
    assert len(await chat.said()) == 1
    assert "calls a function" in (await chat.plan()).calls[0].problem


async def test_a_model_that_never_stops_calculating_still_answers(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    # a repeated call gets a note, and the next reply must be the answer
    await sandbox.model.will({"function_calls": [CALL], "times": 2})
    await sandbox.model.will_say("397.8, I am sure by now.")
    await chat.writes(ann, QUESTION)
    assert await chat.answers() == ["397.8, I am sure by now."]
    await chat.rests()
    last = (await sandbox.model.asked(ann.name))[-1]["request"]
    assert last["toolConfig"]["functionCallingConfig"]["mode"] == "NONE"


async def test_an_agent_is_told_of_no_tool_that_its_prompts_do_not_unlock(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann, "moss")
    await sandbox.model.will_say("Ask the miller.")
    await chat.writes(ann, QUESTION)
    assert await chat.answers() == ["Ask the miller."]
    (exchange,) = await sandbox.model.asked(ann.name)
    declared = exchange["request"]["tools"][0]["functionDeclarations"]
    assert [tool["name"] for tool in declared] == [
        "fetch_context", "list_reminders", "recall_facts", "search_conversations",
    ]  # fmt: skip


async def test_what_is_new_is_searched_for_in_a_call_of_its_own(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    page = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/1"
    grounding = {
        "webSearchQueries": ["lull release"],
        "groundingChunks": [{"web": {"uri": page, "title": "lull.example"}}],
        "groundingSupports": [{"segment": {"text": "Version 2 is out."}, "groundingChunkIndices": [0]}],
    }
    await sandbox.model.will({"function_calls": [{"name": "search", "args": {"query": "lull release"}}]})
    await sandbox.model.will({"text": "Version 2 is out.", "grounding": grounding})
    await sandbox.model.will_say(f"[Version 2]({page}) is out.")
    await chat.writes(ann, "is there a new lull?")
    assert await chat.answers() == ["Version 2 is out."]
    await chat.rests()
    last = (await sandbox.model.asked(ann.name))[-1]["request"]["contents"]
    (answered,) = [part["functionResponse"] for turn in last for part in turn["parts"] if "functionResponse" in part]
    assert answered["response"]["output"].startswith(f"1. lull.example\n{page}\nVersion 2 is out.")
