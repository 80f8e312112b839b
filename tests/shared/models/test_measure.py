"""What ends a measure that is for good."""

from shared.models.measure import FOR_GOOD, WOKEN, Measure, MeasureKind, awakening
from tests.shared.values import GROUP_KEY, NOW, SECOND


def test_what_is_for_good_outlasts_everybody() -> None:
    assert FOR_GOOD.year - NOW.year > 1_000


def test_a_measure_is_about_nobody_and_here_unless_it_says_so() -> None:
    measure = Measure(MeasureKind.SHUTDOWN)
    assert (measure.person, measure.is_everywhere) == (0, False)


def test_an_awakening_is_one_update_for_its_moment() -> None:
    update = awakening(GROUP_KEY, NOW)
    assert update == awakening(GROUP_KEY, NOW)
    assert update.envelope.update_id != awakening(GROUP_KEY, NOW + SECOND).envelope.update_id
    assert (update.envelope.kind, update.envelope.key) == (WOKEN, GROUP_KEY)
    assert 2**32 < update.envelope.update_id < 2**53
