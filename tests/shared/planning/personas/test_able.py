"""An agent has only abilities whose requirements are all met."""

from typing import Any

import pytest

from shared.planning.personas.load import without_missing_abilities
from shared.values.agent import Agent, RolePrompt, VoicePolicy
from shared.values.capabilities import OutputKind
from shared.values.evolve import evolve
from tests.shared.examples import agent

ROLES = (
    RolePrompt(name="chat", text="Write.", unlocks=("think", "send")),
    RolePrompt(name="speaking", text="Speak.", unlocks=("voice",)),
    RolePrompt(name="drawing", text="Draw.", unlocks=("draw",)),
    RolePrompt(name="stickering", text="Stick.", unlocks=("sticker",)),
)


def having(**front: Any) -> Agent:
    found = agent(roles=ROLES)
    return evolve(found, front=found.front.model_copy(update=front))


@pytest.mark.parametrize(
    ("front", "made", "kinds"),
    [
        ({}, set(OutputKind), ("draw",)),
        ({"voice": VoicePolicy.IN_KIND}, set(OutputKind), ("voice", "draw")),
        ({"voice": VoicePolicy.ALWAYS}, {OutputKind.SPEECH}, ("voice",)),
        ({"voice": VoicePolicy.ALWAYS}, set(), ()),
        ({"sticker_sets": ("Moods",)}, set(), ("sticker",)),
    ],
)
def test_it_does_what_it_has_a_voice_stickers_and_models_for(
    front: dict[str, Any], made: set[OutputKind], kinds: tuple[str, ...]
) -> None:
    found = without_missing_abilities(having(**front), made)
    assert found.kinds == ("think", "send", *kinds)
    assert len(found.roles) == 1 + len(kinds), "the prompts of the others are left out"


def test_before_it_is_known_what_is_made_all_may_be() -> None:
    assert without_missing_abilities(having(voice=VoicePolicy.IN_KIND)).kinds == ("think", "send", "voice", "draw")
