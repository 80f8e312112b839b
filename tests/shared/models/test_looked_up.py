"""What a service said grows old."""

from shared.models.looked_up import LookedUp
from tests.shared.values import NOW, SECOND


def test_its_age_is_told_at_any_moment() -> None:
    assert LookedUp(text="3°C", at=NOW).age(NOW + SECOND) == SECOND
