"""The age of a lookup's result."""

from shared.tools.services import lookups
from tests.shared.examples import NOW, SECOND


def test_the_age_of_what_a_service_said_is_told_at_any_moment() -> None:
    assert lookups.LookupResult(text="3°C", at=NOW).age(NOW + SECOND) == SECOND
