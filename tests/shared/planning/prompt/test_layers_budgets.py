"""The room that the agent's own texts leave, and its division."""

from dataclasses import replace

from shared.planning.prompt.layers import (
    END_STEP,
    LEAST_CONVERSATION,
    NOTES,
    PromptLayer,
    conversation_budget,
    layer_budgets,
    messages_budget,
)
from shared.values.prompt import CompressionSummary, ToolDeclaration
from tests.shared.examples import NOW
from tests.shared.planning.prompt.scenes import scene

#: 20,000 characters
SCENE = scene(max_tokens=10_000, characters_per_token=2.0)


def test_messages_may_have_all_that_nobody_else_needs() -> None:
    assert messages_budget(SCENE, 0) == 20_000 - NOTES
    assert messages_budget(SCENE, END_STEP) == 20_000 - NOTES - END_STEP


def test_tools_and_what_is_kept_free_are_taken_from_it() -> None:
    tool = ToolDeclaration(name="t", description="x" * 2_000, parameters={})
    assert conversation_budget(SCENE, 100) == messages_budget(SCENE, 100)
    assert 2_000 < conversation_budget(SCENE, 0) - messages_budget(replace(SCENE, tools=[tool]), 0) <= 2_000 + END_STEP
    reserving = replace(SCENE, room=replace(SCENE.room, reserved=4 * END_STEP))
    assert messages_budget(reserving, 0) == conversation_budget(SCENE, 0) - 4 * END_STEP


def test_small_changes_of_the_end_change_no_room() -> None:
    assert messages_budget(SCENE, 600) == messages_budget(SCENE, 1_000)


def test_what_is_known_takes_of_it_at_most_its_share() -> None:
    known = scene(
        max_tokens=10_000,
        characters_per_token=2.0,
        facts=["x" * 50] * 900,
        compression=CompressionSummary(up_to_seq=1, text="y" * 90_000, made_at=NOW),
    )
    left = 20_000 - NOTES
    assert messages_budget(known, 0) == left - int(0.10 * left) - int(0.15 * left)
    few = layer_budgets(known, 0, {PromptLayer.IMMEDIATE: 100, PromptLayer.RECENT: 200})
    assert few[PromptLayer.SUMMARIES] > 15_000


def test_an_agent_that_leaves_no_room_still_converses() -> None:
    assert messages_budget(SCENE, 50_000) == LEAST_CONVERSATION
    assert layer_budgets(SCENE, 50_000, {PromptLayer.IMMEDIATE: 9_000}, 900)[PromptLayer.IMMEDIATE] >= 900
