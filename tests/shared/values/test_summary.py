"""A summary is due once enough time has passed."""

from datetime import timedelta

from shared.recall.store.summaries import ChatSummary, EntryRange, SummarySpan
from tests.shared.examples import NOW


def test_a_summary_is_due_by_elapsed_time() -> None:
    one = ChatSummary(text="x", made_at=NOW, ranges=(EntryRange(conversation="conv-1", first_seq=1, last_seq=9),))
    every = timedelta(days=3)
    assert not one.is_due(NOW + every - timedelta(seconds=1), every)
    assert one.is_due(NOW + every, every)
    assert ChatSummary.model_validate(one.model_dump()) == one


def test_a_span_is_some_days() -> None:
    assert [span.length.days for span in SummarySpan] == [7, 30]
