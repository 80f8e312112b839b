"""Decisions are the same after they are stored and read."""

import pytest

from shared.base.model_call import ModelCall
from shared.values.decision import Decision, DecisionTier


@pytest.mark.parametrize("tier", DecisionTier)
def test_a_decision_comes_back_from_its_document(tier: DecisionTier) -> None:
    calls = (ModelCall(model="m", ms=12),)
    decision = Decision(respond=tier is not DecisionTier.NONE, reason="mentioned", tier=tier, ms=12, calls=calls)
    assert Decision.model_validate(decision.model_dump(mode="json")) == decision


def test_a_decision_of_before_there_were_judges_took_no_time() -> None:
    found = Decision.model_validate({"respond": True, "reason": "mentioned", "tier": "explicit"})
    assert (found.ms, found.calls) == (0, ())
