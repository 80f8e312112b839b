"""Decisions come back from the store."""

import pytest

from shared.models.decision import Decision, Tier


@pytest.mark.parametrize("tier", Tier)
def test_a_decision_comes_back_from_its_document(tier: Tier) -> None:
    decision = Decision(respond=tier is not Tier.NONE, reason="mentioned", tier=tier)
    assert Decision.model_validate(decision.model_dump(mode="json")) == decision
