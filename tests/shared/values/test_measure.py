"""What ends a measure that is for good."""

from shared.values.measure import FOR_GOOD, Measure, MeasureKind
from tests.shared.examples import NOW


def test_what_is_for_good_outlasts_everybody() -> None:
    assert FOR_GOOD.year - NOW.year > 1_000


def test_a_measure_is_about_nobody_and_here_unless_it_says_so() -> None:
    measure = Measure(MeasureKind.SHUTDOWN)
    assert (measure.person, measure.is_everywhere) == (0, False)
