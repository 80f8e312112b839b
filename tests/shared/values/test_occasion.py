from shared.values.occasion import Occasion


def test_a_run_that_is_delivered_twice_has_the_same_occasion() -> None:
    assert Occasion(slot="2026-03-01T12:05:00Z") == Occasion(slot="2026-03-01T12:05:00Z", traceparent="")
    assert Occasion(slot="2026-03-01T12:05:00Z") != Occasion(slot="2026-03-01T12:10:00Z")
