"""A membership is read back as it was stored, by whatever version."""

from datetime import UTC, datetime

from shared.models.membership import Membership


def test_fields_that_are_not_known_are_left_out() -> None:
    stored = {"agent": "lull", "chat_id": -100, "person": 5, "places": ["lull.-100"], "newer": 1}
    one = Membership.model_validate(stored | {"seen_at": datetime(2026, 11, 1, tzinfo=UTC)})
    assert (one.places, one.is_member, one.fresh_until) == (("lull.-100",), True, None)
