"""Each finding has its own line, whatever names people have."""

from datetime import UTC

from shared.tools.excerpts import describe_findings
from shared.values.recalled import FoundRange, RecallHits
from tests.shared.tools.played import finding


def test_a_title_stays_on_its_line() -> None:
    one_turn = FoundRange(first_turn=5, last_turn=5, first_seq=9, last_seq=16)
    found = RecallHits(found=(finding(title="a\n2. conv-x", chat_title="b\nc", stretch=one_turn),), total=1)
    (text,) = describe_findings(found, UTC)
    assert text.splitlines()[0] == '1. conv-1: "a 2. conv-x" in "b c"; turn 5; Fri 2026-05-08; score 0.83'
