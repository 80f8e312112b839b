"""The canary and its report."""

from datetime import UTC, datetime

from shared.telegram.inbound.envelope import ALLOWED_UPDATES, read_envelope
from shared.values.canary import CANARY, CanaryReport, CanaryStep, StepResult, canary_body
from shared.values.chat_key import ChatKey, ChatKind

AT = datetime(2026, 3, 1, tzinfo=UTC)


def seen(*, is_well: bool) -> StepResult:
    return StepResult(agent="lull", step=CanaryStep.WEBHOOK, is_well=is_well, said="…", ms=1)


def test_it_is_an_update_of_no_chat_and_of_no_kind_of_telegrams() -> None:
    import json

    envelope = read_envelope("lull", json.loads(canary_body(7)))
    assert envelope is not None
    assert (envelope.update_id, envelope.kind, envelope.chat_kind) == (7, CANARY, ChatKind.NONE)
    assert envelope.key == ChatKey(agent="lull", chat_id=0)
    assert CANARY not in ALLOWED_UPDATES


def test_a_run_is_well_if_every_step_is_and_there_was_one() -> None:
    assert CanaryReport(at=AT, steps=(seen(is_well=True), seen(is_well=True))).is_well
    assert not CanaryReport(at=AT, steps=(seen(is_well=True), seen(is_well=False))).is_well
    assert not CanaryReport(at=AT, steps=()).is_well


def test_it_is_told_as_json() -> None:
    told = CanaryReport(at=AT, steps=(seen(is_well=False),)).as_json
    assert told["steps"] == [{"agent": "lull", "step": "webhook", "is_well": False, "said": "…", "ms": 1}]
    assert (told["is_well"], told["at"]) == (False, "2026-03-01T00:00:00+00:00")
