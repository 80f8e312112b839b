"""The parts of exports are made of settings; without a bucket nobody can ask."""

from shared.chat.queue import TickQueue
from shared.wiring.exports import bucket_of, export_service_of, gatherer
from shared.wiring.settings.model_functions import SummarizeSettings, TickSettings
from tests.infra.given import examples_for
from tests.shared.exports import ExportHarness


async def test_with_a_bucket_and_without(export_harness: ExportHarness) -> None:
    given = examples_for("tick")
    without = TickSettings.from_environment(given)
    with_one = TickSettings.from_environment(given | {"LULL_TAKEOUT_BUCKET": "b"})
    assert bucket_of(without) is None
    assert not export_service_of(export_harness.exports, TickQueue(export_harness.asked), without).is_open
    assert export_service_of(export_harness.exports, TickQueue(export_harness.asked), with_one).is_open
    made, again = bucket_of(with_one), bucket_of(with_one)
    assert made is not None
    assert again is not None
    assert made() is again(), "one for all agents"


async def test_what_gathers_is_made(export_harness: ExportHarness) -> None:
    given = examples_for("summarize") | {"LULL_TAKEOUT_BUCKET": "b", "CLOUD_TASKS_ENDPOINT": "127.0.0.1:1"}
    settings = SummarizeSettings.from_environment(given)
    assert gatherer(settings).limits.size < 50_000_000
