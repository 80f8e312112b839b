"""A stored membership of any version can be read."""

from datetime import UTC, datetime, timedelta

from shared.recall.store.memberships import FRESH, Membership
from shared.values.evolve import evolve


def test_fields_that_are_not_known_are_left_out() -> None:
    stored = {"agent": "lull", "chat_id": -100, "person": 5, "places": ["lull.-100"], "newer": 1}
    one = Membership.model_validate(stored | {"seen_at": datetime(2026, 11, 1, tzinfo=UTC)})
    assert (one.places, one.is_member, one.fresh_until) == (("lull.-100",), True, None)


def test_telegrams_word_counts_for_a_while_and_only_for_who_is_there() -> None:
    asked = datetime(2026, 11, 1, tzinfo=UTC)
    one = Membership(agent="lull", chat_id=-100, person=5, places=(), seen_at=asked, fresh_until=asked + FRESH)
    assert one.checked_at == asked
    assert [one.is_sure(asked + span) for span in (timedelta(), FRESH, FRESH + timedelta(seconds=1))] == [
        True,
        True,
        False,
    ]
    assert not evolve(one, is_member=False).is_sure(asked)
    unasked = evolve(one, fresh_until=None)
    assert (unasked.checked_at, unasked.is_sure(asked)) == (None, False)
