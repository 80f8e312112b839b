"""The result of a request to the model, with the sources that it used."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.llm.ports.world import NO_PORTS
from shared.memory.by_owner import MemoriesByOwner
from shared.memory.loaded import LoadedMemories
from shared.memory.tasks.remember import Remember
from shared.memory.tools.recall_facts import TOOL
from shared.planning.planner import PlanResult
from shared.planning.prompt.assemble import assemble_prompt
from shared.planning.prompt.origins import FORWARD, OWN_AFTER
from shared.tasks.send import Send
from shared.tools.browsing import Browsing
from shared.tools.tool import ToolContext
from shared.tools.toolbox import Toolbox
from shared.turn.consulting import PlanConsultation, PlannedReply
from shared.values.agent import RolePrompt
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.origin import UNSEEN, UNSEEN_BEFORE
from shared.values.prompt import AttachedFile, ToolCall
from tests.shared.examples import ANN, BOB, NOW, agent, said, send
from tests.shared.memory.facts import PRIVATE as HERE
from tests.shared.memory.facts import fact
from tests.shared.planning.prompt.scenes import PRIVATE, scene
from tests.shared.turn.test_replier import batch

LATER = NOW + timedelta(days=2)
HERS = HERE.person(ANN.id)


def consultation() -> PlanConsultation:
    owned = MemoriesByOwner({HERS: (fact("Ann drinks jasmine tea.", id="mtea"),)})
    role = RolePrompt(name="r", text="Answer.", unlocks=("send",), tools=("recall_facts",))
    return PlanConsultation(
        scene=scene(said("hi"), chat=PRIVATE, agent=agent(roles=(role,))),
        batch=batch(),
        toolbox=Toolbox(ports=NO_PORTS, tools={"recall_facts": TOOL}),
        browsing=Browsing(),
        loaded_memories=LoadedMemories(here=HERE, before=owned, after=owned),
    )


async def test_tools_know_what_is_remembered_and_what_they_told_was_of_use() -> None:
    asked = consultation()
    (answer,) = await asked.answers_to([ToolCall(name="recall_facts", arguments={})], False, NOW)
    assert "jasmine" in answer.text
    reply = asked.reply(assemble_prompt(asked.scene), PlanResult(tasks=(send(text="Hello."),)), LATER)
    assert reply.loaded_memories is not None
    assert reply.loaded_memories.after.of(HERS)[0].used_at == LATER
    assert asked.loaded_memories.after.of(HERS)[0].used_at is None


async def test_what_tools_cost_is_paid_by_the_last_who_is_answered() -> None:
    asked, payers = consultation(), list[int]()

    async def noted(arguments: object, context: ToolContext) -> str:
        payers.append(context.payer)
        return "noted"

    one = batch()
    hers = said("and I?", message_id=12, author=BOB, decision=one.targets[0].decision)
    toolbox = Toolbox(ports=NO_PORTS, tools={"recall_facts": replace(TOOL, run=noted)})
    asked = replace(asked, batch=replace(one, entries=(*one.entries, hers)), toolbox=toolbox)
    await asked.answers_to([ToolCall(name="recall_facts", arguments={})], False, NOW)
    assert payers == [BOB.id]


async def test_what_an_answer_brings_up_was_of_use() -> None:
    asked = consultation()
    result = PlanResult(tasks=(send(text="Jasmine to drink?"),))
    reply = asked.reply(assemble_prompt(asked.scene), result, LATER)
    assert reply.loaded_memories is not None
    assert reply.loaded_memories.after.of(HERS)[0].used_at == LATER
    assert replace(reply, result=result).result.tasks == reply.result.tasks


async def test_what_turns_out_to_hold_no_text_marks_nothing() -> None:
    photo = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="u")
    garden = Description(outcome=DescriptionOutcome.DESCRIBED, shows="a garden", written="")
    seen = PlanResult(tasks=(Remember(text="Likes tea.", id="1"),), outside=(UNSEEN, UNSEEN_BEFORE), unseen=("u",))
    reply = PlannedReply(result=seen, unseen=(photo,))
    assert reply.waits_for_unseen
    for rest in (FORWARD, OWN_AFTER):
        assert not replace(reply, result=replace(seen, outside=(UNSEEN, rest))).waits_for_unseen, "it is offered anyway"
    assert not replace(reply, result=replace(seen, tasks=(send(text="Nice."),))).waits_for_unseen, "it only talks"
    offer = Send(id="1", text="Which?", choices=("Tea", "Milk"))
    assert replace(reply, result=replace(seen, tasks=(offer,))).waits_for_unseen
    page, broken = evolve(garden, written="Obey"), Description(outcome=DescriptionOutcome.PERMANENT_FAILURE)
    for left in (None, page, broken):
        both = [evolve(photo, description=one) for one in (garden, left)]
        assert reply.having_seen(both) == reply
    known = reply.having_seen([evolve(photo, description=garden)]).result
    assert (known.outside, known.unseen) == ((), ())


@pytest.mark.parametrize(
    ("outside", "unseen"), [((UNSEEN,), ("u",)), ((UNSEEN, OWN_AFTER), ("u",)), ((UNSEEN, FORWARD), ()), ((), ())]
)
async def test_a_plan_names_the_files_that_alone_mark_it(outside: tuple[str, ...], unseen: tuple[str, ...]) -> None:
    photo = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="u")
    shown = AttachedFile(label="the photo", parts=(), file="u", is_outside=True, unseen=photo)
    asked = consultation()
    asked = replace(asked, scene=replace(asked.scene, attached=(shown,) if outside else ()))
    assert asked.reply(assemble_prompt(asked.scene), PlanResult(outside=outside), LATER).result.unseen == unseen
