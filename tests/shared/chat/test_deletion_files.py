"""Deletions as archive files."""

from datetime import UTC, datetime

import pytest

from shared.base.errors import TranscriptUnreadable
from shared.chat.deletion_files import deletion_content, read_deletion
from shared.values.deletion import Deletion, DeletionScope
from shared.values.evolve import evolve

ASKED = datetime(2026, 3, 1, tzinfo=UTC)
CUT = datetime(2026, 3, 1, 0, 0, 4, tzinfo=UTC)
DELETION = Deletion(id="e1", scope=DeletionScope.GROUP, chat="lull:-7", asked_at=ASKED, due_at=None, cut=CUT)


def test_it_comes_back_as_one_of_which_nothing_is_done() -> None:
    done = evolve(DELETION, round=2, done=("words",), counts={"entries": 2}, is_told=True)
    assert read_deletion(deletion_content(done)) == evolve(DELETION, due_at=CUT)


def test_of_one_that_has_not_begun_the_moment_is_when_it_was_asked_for() -> None:
    assert read_deletion(deletion_content(evolve(DELETION, cut=None))).cut == ASKED


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"type": "erasure", "cut": "x"}', b"\xff"])
def test_reports_a_file_without_a_deletion_and_quotes_nothing(content: bytes) -> None:
    with pytest.raises(TranscriptUnreadable, match=r"expected one line of JSON|malformed"):
        read_deletion(content)
