"""An erasure as a file of an archive."""

from datetime import UTC, datetime

import pytest

from shared.base.errors import TranscriptUnreadable
from shared.chat.erasures import erasure_content, read_erasure
from shared.values.erasure import Erasure, ErasureScope
from shared.values.evolve import evolve

ASKED = datetime(2026, 3, 1, tzinfo=UTC)
CUT = datetime(2026, 3, 1, 0, 0, 4, tzinfo=UTC)
ERASURE = Erasure(id="e1", scope=ErasureScope.GROUP, chat="lull:-7", asked_at=ASKED, due_at=None, cut=CUT)


def test_it_comes_back_as_one_of_which_nothing_is_done() -> None:
    done = evolve(ERASURE, round=2, done=("words",), counts={"entries": 2}, is_told=True)
    assert read_erasure(erasure_content(done)) == evolve(ERASURE, due_at=CUT)


def test_of_one_that_has_not_begun_the_moment_is_when_it_was_asked_for() -> None:
    assert read_erasure(erasure_content(evolve(ERASURE, cut=None))).cut == ASKED


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"type": "erasure", "cut": "x"}', b"\xff"])
def test_what_tells_of_none_is_said_without_what_is_in_it(content: bytes) -> None:
    with pytest.raises(TranscriptUnreadable, match="it tells of no erasure"):
        read_erasure(content)
