"""Tests of the task `schedule`: times are resolved by code, never by the model."""

import json
from datetime import timedelta

import pytest

from shared.planning.format.reply import ParsedReply, parse_reply
from shared.planning.format.schema import plan_schema
from shared.reminders.tasks.schedule import Schedule
from shared.values.agent import Codec
from shared.values.reminder import LONGEST_TEXT
from tests.shared.examples import NOW


def schedule(**fields: object) -> Schedule:
    return Schedule.model_validate({"id": "1", "text": "Tea!"} | fields)


def test_a_span_counts_from_now() -> None:
    found = schedule(after="90 minutes").at_instants(NOW, "Europe/Kyiv")
    assert isinstance(found, Schedule)
    arranged = found.reminder_spec
    assert arranged is not None
    assert (arranged.first_at, arranged.zone, arranged.text) == (NOW + timedelta(minutes=90), "Europe/Kyiv", "Tea!")


@pytest.mark.parametrize("fields", [{"text": None, "after": "1 hour"}, {"text": " ", "after": "1 hour"}, {}])
def test_returns_impossible_times_to_the_model(fields: dict[str, object]) -> None:
    assert isinstance(schedule(**fields).at_instants(NOW, "UTC"), str)


def test_a_text_wins_over_an_instruction() -> None:
    both = schedule(instruction="look", after="1 hour").at_instants(NOW, "UTC")
    assert isinstance(both, Schedule)
    assert both.reminder_spec is not None
    assert (both.reminder_spec.text, both.reminder_spec.instruction) == ("Tea!", "")


def test_ignores_a_resolved_time_written_by_the_model() -> None:
    forged = schedule(after="1 hour").at_instants(NOW - timedelta(days=900), "UTC")
    assert isinstance(forged, Schedule)
    parsed = parse_reply(json.dumps({"tasks": [forged.model_dump(mode="json")]}), ("schedule",), Codec.JSON)
    assert isinstance(parsed, ParsedReply)
    (task,) = parsed.tasks
    again = task.at_instants(NOW, "UTC")
    assert isinstance(again, Schedule)
    assert again.reminder_spec is not None
    assert again.reminder_spec.first_at == NOW + timedelta(hours=1)


def test_the_schema_has_only_the_models_fields() -> None:
    told = str(plan_schema(["schedule"]))
    assert all(name in told for name in ("text", "instruction", "after", "at", "every", "until", "count", "zone"))
    assert "resolved" not in told
    assert "first_at" not in told


def test_a_text_is_one_message() -> None:
    with pytest.raises(ValueError, match="string_too_long"):
        schedule(text="x" * (LONGEST_TEXT + 1))
