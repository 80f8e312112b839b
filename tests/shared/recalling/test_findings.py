"""What is told of what was found."""

from datetime import UTC, date

from shared.models.recalled import Shown, Wanted
from shared.models.segment import SegmentNote
from shared.recalling.findings import holds, newest_first
from tests.shared.recalling.searched import later, segment
from tests.shared.values import NOW


def wanted(**more: object) -> Wanted:
    return Wanted(query="", now=later(9), zone=UTC, **more)  # type: ignore[arg-type]


def test_the_filters_say_what_is_wanted() -> None:
    one = segment("lull.7", "a dog", number=3)
    assert holds(one, wanted())
    assert holds(one, wanted(conversation="conv-lull.7", person="7", since=NOW.date(), until=NOW.date()))
    assert not holds(one, wanted(conversation="conv-other"))
    assert not holds(one, wanted(person="8"))
    assert not holds(one, wanted(since=later(1).date()))
    assert not holds(one, wanted(until=later(-1).date()))
    assert not holds(one, wanted(shown=Shown(conversation="conv-lull.7", from_seq=3)))
    assert holds(one, wanted(shown=Shown(conversation="conv-lull.7", from_seq=4)))


def test_what_still_holds_is_told_before_what_was_contradicted() -> None:
    old = SegmentNote(id="a", text="Ann lives in Kyiv", happened="2024", superseded_on=date(2026, 5, 8))
    older = SegmentNote(id="b", text="Ann lives in Odesa", happened="2020", superseded_on=date(2024, 1, 1))
    new = SegmentNote(id="c", text="Ann lives in Lviv", happened="2026-05-08")
    assert newest_first((old, older, new)) == (new, old, older)
