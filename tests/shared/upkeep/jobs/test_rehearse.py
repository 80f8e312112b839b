"""A moment is assembled and planned again, and nothing is sent or stored."""

from dataclasses import replace
from typing import Any

from shared.upkeep.jobs.rehearse import NOT_RUN, Rehearser, rehearse
from shared.upkeep.store.recorded_pages import FirestoreRecordedPages
from shared.values.evolve import evolve
from shared.values.prompt_format import PromptFormat
from shared.values.rehearsal import Rehearsal, RehearsalOrder, RehearsalStep
from tests.shared.turn.harness import ChatHarness


async def rehearses(harness: ChatHarness, text: str, **more: Any) -> Rehearsal:
    """Rehearse the moment at which the message with this text was answered."""
    conversation = (await harness.document()).conversation
    asked = tuple(entry["seq"] for entry in await harness.transcript() if entry.get("text") == text)
    order = {"agent": "lull", "conversation": conversation, "asked": asked, "owner": harness.person, **more}
    chats = harness.backend.chats
    rehearser = Rehearser(
        chats=chats,
        pages=FirestoreRecordedPages(chats.client),
        replier=harness.tick_services.agents["lull"].replier,
        window_entries=50,
    )
    return await rehearse(rehearser, RehearsalOrder(**order))


async def talks(harness: ChatHarness, *questions: str) -> None:
    for question in questions:
        await harness.will_plan({"kind": "send", "text": f"About {question}."})
        await harness.writes(question)
        await harness.rests()


async def test_a_prompt_is_the_one_that_was_sent(harness: ChatHarness) -> None:
    await talks(harness, "tea", "cake", "bread")
    sent = (await harness.asked())[1]
    found = (await rehearses(harness, "cake")).prompt
    assert found is not None
    parts = [part for turn in found.turns for part in turn.parts]
    assert all(repr(line)[1:-1] in sent for part in parts for line in part.splitlines() if line)
    assert not any("bread" in part for part in parts), "it was said later"
    assert (found.model, found.format) == ("scripted", "meta")
    assert found.differences == ("persona_now", "memories_now")


async def test_its_size_is_told_in_each_format(harness: ChatHarness) -> None:
    await talks(harness, "tea")
    found = await rehearses(harness, "tea", format=PromptFormat.COMPACT)
    assert found.prompt is not None
    assert found.prompt.format == "compact"
    sizes = {one.format: one for one in found.prompt.sizes}
    assert sizes.keys() == {"meta", "full", "compact"}
    assert sizes["compact"].layers["immediate"] < sizes["full"].layers["immediate"]
    assert all(one.messages_shown == 1 for one in sizes.values())


async def test_the_instruction_is_the_recorded_one_until_the_persona_changes(harness: ChatHarness) -> None:
    await talks(harness, "tea")
    pages = FirestoreRecordedPages(harness.backend.chats.client)
    ticks = [one.tick for one in await pages.pages_up_to((await harness.document()).conversation, 99, 9)]
    recorded = [plan.prompt for tick in ticks if tick is not None for plan in tick.plans if plan.prompt is not None][-1]
    seen = list[tuple[int, str]]()
    for persona in ("", "You are bull.", "You are a pirate."):
        found = (await rehearses(harness, "tea", persona=persona)).prompt
        assert found is not None
        seen += [(one.layers["system"], one.instruction_hash) for one in found.sizes if one.format == recorded.format]
    assert seen[0] == (recorded.layers["system"], recorded.instruction_hash)
    assert (seen[1][0], seen[1][1] != seen[0][1]) == (seen[0][0], True), "another text of equal length"
    assert seen[2][0] != seen[0][0]


async def test_another_persona_plans_the_same_moment(harness: ChatHarness) -> None:
    await talks(harness, "tea", "cake")
    before = (await harness.said(), await harness.transcript(), await harness.document())
    await harness.will_plan({"kind": "send", "text": "Arr, tea!"})
    found = await rehearses(harness, "tea", step=RehearsalStep.PLAN, persona="You are a pirate.")
    assert found.plan is not None
    assert [(task.kind, task.summary) for task in found.plan.tasks] == [("send", "Arr, tea!")]
    assert len(found.plan.calls) == 1
    exchange = (await harness.model.asked(f"chat_id={harness.key.chat_id} "))[-1]
    assert "You are a pirate." in str(exchange["request"])
    assert before == (await harness.said(), await harness.transcript(), await harness.document())
    assert found.persona != "You are a pirate."
    assert found.models == ("scripted", "scripted-lite")


async def test_tools_do_not_run(harness: ChatHarness) -> None:
    await talks(harness, "tea")
    services = harness.tick_services.agents["lull"]
    roles = [evolve(role, tools=("retrieve",)) for role in services.replier.agent.roles]
    replier = replace(services.replier, agent=evolve(services.replier.agent, roles=tuple(roles)))
    harness.tick_services = replace(harness.tick_services, agents={"lull": replace(services, replier=replier)})
    call = {"name": "retrieve", "args": {"urls": ["https://tea.example/"]}}
    await harness.model.will({"function_calls": [call], "match": f"chat_id={harness.key.chat_id} "})
    await harness.will_plan({"kind": "send", "text": "Without it."})
    found = await rehearses(harness, "tea", step=RehearsalStep.PLAN)
    assert found.plan is not None
    assert [task.summary for task in found.plan.tasks] == ["Without it."]
    assert NOT_RUN in str((await harness.model.asked(f"chat_id={harness.key.chat_id} "))[-1]["request"])


async def test_another_model_is_asked_and_an_unknown_one_is_refused(harness: ChatHarness) -> None:
    await talks(harness, "tea")
    await harness.will_plan({"kind": "send", "text": "Lite tea."})
    found = await rehearses(harness, "tea", step=RehearsalStep.PLAN, model="scripted-lite")
    assert found.prompt is not None
    assert found.prompt.model == "scripted-lite"
    assert found.plan is not None
    assert [call.model for call in found.plan.calls] == ["scripted-lite"]
    assert (await rehearses(harness, "tea", model="gpt-17")).problem == "unknown_model"


async def test_a_moment_of_another_agent_or_without_messages_is_unknown(harness: ChatHarness) -> None:
    await talks(harness, "tea")
    assert (await rehearses(harness, "tea", agent="moss")).problem == "unknown_moment"
    assert (await rehearses(harness, "tea", asked=(99,))).problem == "unknown_moment"
